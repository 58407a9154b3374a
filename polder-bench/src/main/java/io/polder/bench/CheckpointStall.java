package io.polder.bench;

import io.polder.checkpoint.Checkpoint;
import io.polder.checkpoint.CheckpointStore;
import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.models.Architectures;
import io.polder.nn.Weights;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.tensor.Device;
import io.polder.tensor.Engine;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Images;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/**
 * For how long saving a checkpoint stops training, against one step: WRN-28-10, gradient-norm penalty, batch 128; weights and momentum,
 * 290 MB, forced to disk. It must be less than one step.
 *
 * <p>Arguments: threads (2), rounds (2), the directory to save in (here: on the disk that a run would use, not in memory).
 */
final class CheckpointStall {
    private static final int BATCH = 128;
    private static final int SIDE = 32;
    private static final int CLASSES = 10;

    public static void main(String[] arguments) throws IOException {
        int threads = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2;
        Path directory = Files.createTempDirectory(Path.of(arguments.length > 2 ? arguments[2] : "."), "checkpoints");
        try {
            measure(threads, rounds, directory);
        } finally {
            delete(directory);
        }
    }

    private static void measure(int threads, int rounds, Path directory) throws IOException {
        double[] step = new double[rounds];
        double[] save = new double[rounds];
        double[] find = new double[rounds];
        long bytes = 0;
        Engine.setThreads(threads);
        var streams = new RandomStreams(1);
        var scheme = GradientScheme.gradientNormPenalty(0.1, 0.8);
        var store = new CheckpointStore(directory, 2);
        try (var run = Scope.open();
                var optimizer = new Sgd(0.9, true)) {
            var network = Architectures.named("wrn-28-10").build(SIDE, CLASSES, streams);
            Map<String, Tensor> momentum = new LinkedHashMap<>();
            network.parametersByName().forEach((name, tensor) -> momentum.put(name, tensor.clone()));
            try (var parameters = FlatParameters.of(network.parametersByName());
                    var pass = new NetworkPass(
                            network, parameters, new SoftCrossEntropy(0), PassOptions.l2(1e-3), streams)) {
                var batch = NoiseBatch.of(BATCH, 3 * SIDE * SIDE, CLASSES, streams);
                for (int round = 0; round < rounds; round++) {
                    int at = round;
                    step[round] = seconds(() -> {
                        try (var scope = Scope.open()) {
                            float[] half = {0.5f, 0.5f, 0.5f};
                            var images =
                                    Images.normalized(batch.pixels(), BATCH, 3, SIDE, SIDE, half, half, Device.CPU);
                            var expected = Images.targets(batch.targets(), BATCH, CLASSES, Device.CPU);
                            scheme.computeGradient(pass.on(images, expected, at), parameters, at);
                            optimizer.step(parameters, 0.1);
                        }
                    });
                    save[round] = seconds(() -> store.save(at, draft -> {
                        Weights.save(network, draft.resolve("weights.safetensors"));
                        SafeTensors.write(draft.resolve("momentum.safetensors"), momentum, Map.of());
                    }));
                    find[round] =
                            seconds(() -> store.newest(System.err::println).orElseThrow());
                    System.err.printf(
                            Locale.ROOT, "round %d: step %.2f s, save %.2f s%n", round + 1, step[round], save[round]);
                }
                Checkpoint newest = store.newest(System.err::println).orElseThrow();
                for (String name : newest.files()) {
                    bytes += Files.size(newest.file(name));
                }
            }
        }
        System.out.printf(
                Locale.ROOT,
                "WRN-28-10, batch %d, %d thread(s), medians of %d; a checkpoint has %.0f MB:%n"
                        + "  a penalised step %7.2f s%n"
                        + "  saving           %7.2f s  %.3f of a step (must be below 1)%n"
                        + "  finding it whole %7.2f s%n",
                BATCH,
                threads,
                rounds,
                bytes * 1e-6,
                Median.of(step),
                Median.of(save),
                Median.of(save) / Median.of(step),
                Median.of(find));
    }

    private interface Work {
        void run() throws IOException;
    }

    private static double seconds(Work work) throws IOException {
        long started = System.nanoTime();
        work.run();
        return (System.nanoTime() - started) * 1e-9;
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
