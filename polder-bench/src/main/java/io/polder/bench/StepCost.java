package io.polder.bench;

import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.models.ResidualNetwork;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.tensor.Device;
import io.polder.tensor.Engine;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Images;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a step of each scheme costs, against one of standard training: the network of {@code ./polder compare}, batch 64. The
 * penalty needs two gradients, so the least it can cost is 2; what is above that is the method's own arithmetic.
 *
 * <p>Arguments: threads (1), rounds (400).
 */
final class StepCost {
    private static final int BATCH = 64;
    private static final int SIDE = 28;
    private static final int CLASSES = 10;
    private static final double LEARNING_RATE = 0.01;

    public static void main(String[] arguments) {
        int threads = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 400;
        Map<String, GradientScheme> schemes = new LinkedHashMap<>();
        schemes.put("standard", GradientScheme.standard());
        schemes.put("SAM", GradientScheme.sam(0.2));
        schemes.put("gradient-norm penalty", GradientScheme.gradientNormPenalty(0.4, 0.6));
        double[][] milliseconds = new double[schemes.size()][rounds];

        Engine.setThreads(threads);
        var streams = new RandomStreams(1);
        try (var run = Scope.open();
                var optimizer = new Sgd(0.9, true)) {
            var network = new ResidualNetwork(1, List.of(16, 32, 64), 2, CLASSES, streams);
            try (var parameters = FlatParameters.of(network.parametersByName());
                    var pass = new NetworkPass(
                            network, parameters, new SoftCrossEntropy(0), PassOptions.l2(1e-3), streams)) {
                var batch = NoiseBatch.of(BATCH, SIDE * SIDE, CLASSES, streams);
                int warmUp = rounds / 4;
                for (int round = -warmUp; round < rounds; round++) {
                    int scheme = 0;
                    for (GradientScheme each : schemes.values()) {
                        long started = System.nanoTime();
                        try (var step = Scope.open()) {
                            var images = Images.normalized(
                                    batch.pixels(),
                                    BATCH,
                                    1,
                                    SIDE,
                                    SIDE,
                                    new float[] {0.3f},
                                    new float[] {0.3f},
                                    Device.CPU);
                            var expected = Images.targets(batch.targets(), BATCH, CLASSES, Device.CPU);
                            each.computeGradient(pass.on(images, expected, round), parameters, round);
                            optimizer.step(parameters, LEARNING_RATE);
                        }
                        if (round >= 0) {
                            milliseconds[scheme][round] = (System.nanoTime() - started) * 1e-6;
                        }
                        scheme++;
                    }
                }
            }
        }

        double standard = Median.of(milliseconds[0]);
        System.out.printf(
                Locale.ROOT,
                "A step of batch %d on a residual network of 16-32-64 channels, %d thread(s), medians of %d interleaved:%n",
                BATCH,
                threads,
                rounds);
        int scheme = 0;
        for (String name : schemes.keySet()) {
            double median = Median.of(milliseconds[scheme++]);
            System.out.printf(Locale.ROOT, "  %-22s %7.2f ms  %.3f x standard%n", name, median, median / standard);
        }
        System.out.printf(
                Locale.ROOT,
                "  The penalty against two standard steps: %.3f%n",
                Median.of(milliseconds[schemes.size() - 1]) / (2 * standard));
    }
}
