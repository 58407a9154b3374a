package io.polder.run;

import io.polder.data.load.Loader;
import io.polder.recipe.ProbesRecipe;
import io.polder.sharpness.BatchStatistics;
import io.polder.sharpness.Effort;
import io.polder.sharpness.FixedLoss;
import io.polder.sharpness.Measure;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import io.polder.train.EpochMetrics;
import io.polder.train.ImageBatches;
import io.polder.train.Task;
import io.polder.train.Trainer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/** The probes of a recipe: measures the network at the end of some epochs, and leaves it as it was. */
final class Probes implements AutoCloseable {
    /** Of the images that are measured on and of random vectors: the same in every run, so that runs compare. */
    private static final long SEED = 0;

    private final ProbesRecipe recipe;
    private final int epochs;
    private final Task task;
    private final Device device;
    private final Loader loader;
    private final ImageBatches images;
    private final Consumer<String> complaints;

    /**
     * @param recipe of the probes
     * @param epochs of the run
     * @param complaints is told what cannot be measured
     */
    Probes(
            ProbesRecipe recipe,
            int epochs,
            int batch,
            Task task,
            Assembly.Images images,
            Device device,
            Consumer<String> complaints) {
        this.recipe = recipe;
        this.epochs = epochs;
        this.task = task;
        this.device = device;
        this.complaints = complaints;
        loader = MeasuredNetwork.loader(images, batch, SEED);
        this.images = new ImageBatches(loader, images.splits().normalization());
    }

    /** What the epoch came to, with what was measured of the network that it left. */
    EpochMetrics after(EpochMetrics metrics, Trainer trainer) {
        if (metrics.epoch() % recipe.every() != 0 && metrics.epoch() != epochs) {
            return metrics;
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        try {
            trainer.inspect((network, parameters) -> {
                var settings = new FixedLoss.Settings(recipe.samples(), BatchStatistics.EVALUATION, 0, false);
                var streams = new RandomStreams(SEED);
                try (var loss =
                        new FixedLoss(network, parameters, task.loss(), images, device, settings, streams, () -> {})) {
                    for (Measure measure : recipe.measure()) {
                        figures.putAll(measure.read(loss, Effort.QUICK).figures());
                    }
                }
            });
        } catch (CancellationException e) {
            Thread.currentThread().interrupt(); // the run is to end, but after what this epoch came to is written
        } catch (UnsupportedOperationException | ArithmeticException e) {
            complaints.accept("a probe failed after epoch " + metrics.epoch() + ": " + e.getMessage());
        }
        return metrics.with(figures);
    }

    @Override
    public void close() {
        loader.close();
    }
}
