package io.polder.run;

import io.polder.config.Field;
import io.polder.data.ImageSource;
import io.polder.files.Machine;
import io.polder.nn.Network;
import io.polder.recipe.Recipe;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.MemoryProbe;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Chooses a micro-batch that fits the memory, for recipes that leave it open. Chosen once, as it is part of what a run's bits depend on;
 * again only if the run did not survive until its first checkpoint.
 */
final class MemoryFit {
    /** The rest is for the loader, the heap, and for what the probe did not see. */
    private static final double SHARE = 0.7;

    /** Of each weight, at most: θ, the gradient, the two copies of the penalty, three of AdamW, the average and its evaluation. */
    private static final int COPIES = 9;

    /** And where parameters differ in rate and decay: their factors, twice for the decay, and where they were before a step. */
    private static final int COPIES_OF_GROUPS = 4;

    private MemoryFit() {}

    /** @param torchScript where the recipe's TorchScript file is; null where the network is none */
    static int microBatch(Recipe recipe, Path torchScript, ImageSource images, long parameters, Machine machine)
            throws IOException {
        int batch = recipe.data().batch() / recipe.replicas();
        if (!isLeftOpen(recipe)) {
            return recipe.microBatch() == null ? batch : recipe.microBatch();
        }
        try (var scope = Scope.open()) {
            Network tried = Assembly.network(recipe, torchScript, images, new RandomStreams(0));
            var plan = Assembly.plan(recipe, batch, 1, new RandomStreams(0));
            try {
                long image = MemoryProbe.bytesPerImage(
                        tried, images.shape(), images.classes(), plan.task().loss(), plan.pass());
                long available = machine.available()
                        .orElseThrow(() -> new IOException("the system does not tell its available memory"));
                int copies = COPIES + (recipe.parameters() == null ? 0 : COPIES_OF_GROUPS);
                // Replicas are taken to share this machine.
                long room = (long) (SHARE * available) / recipe.replicas() - (long) copies * Float.BYTES * parameters;
                return fitting(batch, image, room);
            } catch (IOException e) {
                throw new IOException(
                        "microBatch is auto, which needs a Linux that tells how much memory there is: give a number",
                        e);
            }
        }
    }

    static boolean isLeftOpen(Recipe recipe) {
        return recipe.microBatch() != null && recipe.microBatch() == Field.WORD;
    }

    /** After a run was killed with nothing saved: whatever the probe says, at most half of what may have been too much. */
    static int smaller(int tooMuch, int fitting) {
        return Math.min(fitting, (tooMuch + 1) / 2);
    }

    /** As few parts as fit, and those of one size. */
    static int fitting(int batch, long bytesPerImage, long bytes) {
        long most = Math.max(1, bytes / bytesPerImage);
        long parts = (batch - 1) / most + 1;
        return (int) ((batch - 1) / parts + 1);
    }
}
