package io.polder.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.models.Architectures;
import io.polder.models.ModelCost;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.LossPass;
import io.polder.tensor.Device;
import io.polder.tensor.Engine;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Images;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Polder's side of {@link Worker}'s protocol: a standard step and one of the penalty, on colour images of 32×32 that the engine has
 * already. A pass is forward, backward and L2's part of the gradient.
 *
 * <p>Arguments: a network, or {@value #PRODUCT} for the product of two matrices; the batch, or the side of the matrices; threads.
 */
final class StepWorker {
    static final String PRODUCT = "sgemm";

    private static final int SIDE = 32;
    private static final int CHANNELS = 3;
    private static final int CLASSES = 10;

    private StepWorker() {}

    public static void main(String[] arguments) throws IOException {
        int size = Integer.parseInt(arguments[1]);
        Engine.setThreads(Integer.parseInt(arguments[2]));
        try (var run = Scope.open()) {
            if (arguments[0].equals(PRODUCT)) {
                product(size);
            } else {
                training(arguments[0], size);
            }
        }
    }

    private static void product(int side) throws IOException {
        Tensor left = torch.rand(side, side);
        Tensor right = torch.rand(side, side);
        serve(Map.of("engine", engine(), "parameters", 0), Map.of(PRODUCT, () -> {
            try (var scope = Scope.withoutGradient()) {
                torch.mm(left, right);
                return null;
            }
        }));
    }

    private static void training(String model, int batch) throws IOException {
        var streams = new RandomStreams(1);
        var network = Architectures.named(model).build(SIDE, CLASSES, streams);
        var cost = ModelCost.of(network, CHANNELS, SIDE);
        var noise = NoiseBatch.of(batch, SIDE * SIDE * CHANNELS, CLASSES, streams);
        float[] half = {0.5f, 0.5f, 0.5f};
        Tensor images = Images.normalized(noise.pixels(), batch, CHANNELS, SIDE, SIDE, half, half, Device.CPU);
        Tensor targets =
                Images.targets(noise.targets(), batch, CLASSES, Device.CPU).clone();
        try (var parameters = FlatParameters.of(network.parametersByName());
                var optimizer = new Sgd(0.9, true);
                var pass =
                        new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(1e-3), streams)) {
            var step = new Object() {
                private long number;

                Double make(GradientScheme scheme) {
                    long[] inPasses = {0};
                    try (var scope = Scope.open()) {
                        pass.on(images, targets, number);
                        LossPass timed = which -> {
                            long started = System.nanoTime();
                            double loss = pass.compute(which);
                            inPasses[0] += System.nanoTime() - started;
                            return loss;
                        };
                        scheme.computeGradient(timed, parameters, number++);
                        optimizer.step(parameters, 0.01);
                    }
                    return inPasses[0] * 1e-6;
                }
            };
            var standard = GradientScheme.standard();
            var penalty = GradientScheme.gradientNormPenalty(0.1, 0.8);
            Map<String, Supplier<Double>> steps = new LinkedHashMap<>();
            steps.put(CaseRun.STANDARD, () -> step.make(standard));
            steps.put(CaseRun.PENALTY, () -> step.make(penalty));
            serve(
                    Map.of("engine", engine(), "parameters", cost.parameters(), "multiplyAdds", cost.multiplyAdds()),
                    steps);
        }
    }

    private static String engine() {
        return "libtorch " + Engine.version();
    }

    /** @param steps each makes one, and returns how many milliseconds of it its passes took, or null */
    private static void serve(Map<String, Object> about, Map<String, Supplier<Double>> steps) throws IOException {
        var json = new ObjectMapper();
        Map<String, Object> hello = new LinkedHashMap<>(about);
        hello.put("steps", steps.keySet());
        System.out.println(json.writeValueAsString(hello));
        var requests = new BufferedReader(new InputStreamReader(System.in));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            List<Worker.Step> answer = new ArrayList<>();
            for (String name : line.split(" ")) {
                long started = System.nanoTime();
                Double passes = steps.get(name).get();
                answer.add(new Worker.Step((System.nanoTime() - started) * 1e-6, passes));
            }
            System.out.println(json.writeValueAsString(answer));
        }
    }
}
