package io.polder.run;

import io.polder.config.Values;
import io.polder.files.Machine;
import io.polder.nn.Network;
import io.polder.recipe.Recipe;
import io.polder.tensor.Engine;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.TrainingPlan;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What a recipe names, ready to be trained by somebody who wants to know something of its steps and keeps nothing: its images and its network
 * with its first weights. By one worker, whatever the recipe's replicas.
 */
final class Rehearsal implements AutoCloseable {
    private final Scope scope = Scope.open();
    private final RandomStreams streams;
    private final Assembly.Images images;
    private final Network network;
    private final TrainingPlan plan;

    Rehearsal(Recipe given, RunSettings settings) throws IOException {
        Recipe recipe = Values.of(given).with("replicas", 1).as(Recipe.class);
        recipe.precision().requireFastOn(settings.device());
        Engine.setThreads(settings.threads());
        streams = new RandomStreams(recipe.seed());
        Path script = recipe.model().torchscript() == null
                ? null
                : Path.of(recipe.model().torchscript());
        Assembly.Images opened = null;
        try {
            opened = Assembly.images(recipe, recipe.data().evaluateOn(), settings.data(), streams);
            Recipe settled = Assembly.settled(recipe, opened);
            network = Assembly.network(recipe, script, opened.splits().evaluation(), streams);
            Assembly.initialise(network, recipe.model(), script, streams, sentence -> {});
            Assembly.freeze(network, recipe);
            int microBatch = MemoryFit.microBatch(
                    settled, script, opened.splits().evaluation(), network.parameterCount(), new Machine());
            plan = Assembly.plan(settled, microBatch, opened.train().batchesPerEpoch(), streams);
            images = opened;
        } catch (IOException | RuntimeException e) {
            if (opened != null) {
                opened.close();
            }
            scope.close();
            throw e;
        }
    }

    Network network() {
        return network;
    }

    /** The recipe's. */
    TrainingPlan plan() {
        return plan;
    }

    Assembly.Images images() {
        return images;
    }

    RandomStreams streams() {
        return streams;
    }

    @Override
    public void close() throws IOException {
        try {
            images.close();
        } finally {
            scope.close();
        }
    }
}
