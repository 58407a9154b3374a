package io.polder.train;

import io.polder.data.Batch;
import io.polder.data.Loader;
import io.polder.data.Normalization;
import io.polder.loss.SoftCrossEntropy;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.tensor.Device;
import io.polder.tensor.Scope;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * How a network does on images it was not trained on, in inference mode.
 *
 * @param loss mean cross-entropy, without label smoothing
 * @param error share of images whose likeliest class is wrong
 * @param top5Error share of images whose class is not among the five likeliest; 0 where there are no more than five
 */
public record Evaluation(double loss, double error, double top5Error, long images) {
    private static final SoftCrossEntropy LOSS = new SoftCrossEntropy(0);

    public static Evaluation of(Network network, Loader loader, Normalization normalization, Device device) {
        return of(network, loader, normalization, device, () -> false).orElseThrow();
    }

    /** @param stop looked at before each batch; empty if it is found true */
    static Optional<Evaluation> of(
            Network network, Loader loader, Normalization normalization, Device device, BooleanSupplier stop) {
        double loss = 0;
        long errors = 0;
        long top5Errors = 0;
        long images = 0;
        try (var batches = loader.epoch(0)) {
            for (Batch batch : batches) {
                if (stop.getAsBoolean()) {
                    return Optional.empty();
                }
                try (var scope = Scope.withoutGradient()) {
                    var tensors = BatchTensors.of(batch, normalization, device);
                    var logits = network.forward(tensors.images(), Forward.INFERENCE);
                    loss += LOSS.mean(logits, tensors.targets()).item_double() * batch.size();
                    errors += SoftCrossEntropy.errors(logits, tensors.targets());
                    top5Errors += SoftCrossEntropy.errorsAmong(logits, tensors.targets(), 5);
                    images += batch.size();
                }
            }
        }
        return Optional.of(
                new Evaluation(loss / images, (double) errors / images, (double) top5Errors / images, images));
    }
}
