package io.polder.bench;

import io.polder.loss.SoftCrossEntropy;
import io.polder.models.TorchScriptNetwork;
import io.polder.models.WideResNet;
import io.polder.nn.Network;
import io.polder.sharpness.FixedLoss;
import io.polder.sharpness.Spectrum;
import io.polder.tensor.Device;
import io.polder.tensor.Engine;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.Batches;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * What an exact product with the Hessian costs against a gradient, of WRN-16-4 on a batch of 64: one that starts from the images, as with
 * several batches, and one that goes on from what the first of a single batch has kept. With the file of {@code peers/pyhessian_top.py}
 * also how long the top eigenvalue of that network takes to 1 %.
 *
 * <p>Arguments: threads (1), rounds (7), a TorchScript file (none).
 */
final class SharpnessCost {
    private static final int BATCH = 64;
    private static final int SIDE = 32;
    private static final int CLASSES = 10;

    private SharpnessCost() {}

    public static void main(String[] arguments) throws IOException {
        int threads = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 7;
        Engine.setThreads(threads);
        var streams = new RandomStreams(1);
        if (arguments.length > 2) {
            try (var scope = Scope.open()) {
                topEigenvalue(TorchScriptNetwork.load(Path.of(arguments[2])), threads, streams);
            }
            return;
        }
        double[][] seconds = new double[3][rounds];
        try (var scope = Scope.open()) {
            Network network = new WideResNet(16, 4, 3, CLASSES, streams);
            try (var parameters = FlatParameters.of(network.parametersByName());
                    var loss = loss(network, parameters, streams);
                    FlatVector vector = parameters.values().zerosLike().setNormal(streams, "vector", 0);
                    FlatVector product = vector.zerosLike()) {
                for (int round = -2; round < rounds; round++) {
                    long started = System.nanoTime();
                    loss.gradient();
                    long gradient = System.nanoTime();
                    try (var hessian = loss.hessian()) {
                        hessian.apply(vector, product);
                        long first = System.nanoTime();
                        hessian.apply(vector, product);
                        long next = System.nanoTime();
                        if (round >= 0) {
                            seconds[0][round] = (gradient - started) * 1e-9;
                            seconds[1][round] = (first - gradient) * 1e-9;
                            seconds[2][round] = (next - first) * 1e-9;
                        }
                    }
                }
            }
        }
        double gradient = Median.of(seconds[0]);
        System.out.printf(
                Locale.ROOT, "WRN-16-4, batch %d, %d thread(s), medians of %d interleaved:%n", BATCH, threads, rounds);
        String[] names = {"gradient", "product, from the images", "product, by what is kept"};
        for (int i = 0; i < names.length; i++) {
            double median = Median.of(seconds[i]);
            System.out.printf(Locale.ROOT, "  %-25s %7.3f s  %.2f x a gradient%n", names[i], median, median / gradient);
        }
    }

    private static FixedLoss loss(Network network, FlatParameters parameters, RandomStreams streams) {
        return new FixedLoss(
                network,
                parameters,
                new SoftCrossEntropy(0),
                Batches.inOrder(BATCH, BATCH, SharpnessCost::examples),
                Device.CPU,
                FixedLoss.Settings.plain(),
                streams,
                () -> {});
    }

    /** By formulas, which the peer has too. */
    private static Batches.Examples examples(int[] numbers, Device device) {
        int length = 3 * SIDE * SIDE;
        double[] pixels = IntStream.range(0, numbers.length * length)
                .mapToDouble(k -> Math.sin(0.37 * k + 1e-4 * k * (k % 97)))
                .toArray();
        long[] labels = Arrays.stream(numbers).mapToLong(n -> n % CLASSES).toArray();
        Tensor inputs = Tensor.create(pixels, numbers.length, 3, SIDE, SIDE)
                .to(torch.ScalarType.Float)
                .contiguous(torch.MemoryFormat.ChannelsLast);
        return new Batches.Examples(inputs, torch.eye(CLASSES).index_select(0, Tensor.create(labels)));
    }

    private static void topEigenvalue(Network network, int threads, RandomStreams streams) {
        try (var parameters = FlatParameters.of(network.parametersByName());
                var loss = loss(network, parameters, streams)) {
            loss.gradient(); // warm
            long started = System.nanoTime();
            try (var hessian = loss.hessian();
                    var spectrum =
                            Spectrum.of(hessian, parameters.values(), new Spectrum.Wanted(1, 0.01, 100), streams)) {
                double seconds = (System.nanoTime() - started) * 1e-9;
                var top = spectrum.largest().get(0);
                System.out.printf(
                        Locale.ROOT,
                        "Polder, %d thread(s): top eigenvalue %.6g, residual %.2g, in %.2f s by %d products%n",
                        threads,
                        top.value(),
                        top.residual(),
                        seconds,
                        spectrum.products());
            }
        }
    }
}
