package io.polder.bench;

import io.polder.distributed.ProcessGroup;
import io.polder.distributed.Rendezvous;
import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.models.Architectures;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.penalty.GradientScheme;
import io.polder.tensor.Device;
import io.polder.tensor.Engine;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Images;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * What workers cost each other. Starts one worker and as many as there are threads, each a process with its part of the threads, in
 * turns, and prints a line of JSON for each: the step of the penalty on a batch that they share, its backward passes, and the all-reduce of
 * its gradient when all are there.
 *
 * <p>Arguments: an architecture (wrn-16-4), the batch of all (64), threads (the processors), rounds (9). Where {@code RANK} and the like are
 * set it is one worker of those, who measures the network alone: {@code polder-bench/workers-network} starts such. Its arguments are then
 * milliseconds of a step's computing, which it sleeps, rounds, and bytes to be averaged, as many as one likes.
 */
final class WorkersCost {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int SIDE = 32;
    private static final int CLASSES = 10;
    private static final String PART = "part";

    private WorkersCost() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals(PART)) {
            computing(arguments[1], number(arguments, 2, 0), number(arguments, 3, 0), number(arguments, 4, 0));
        } else if (System.getenv("RANK") != null) {
            exchanging(arguments);
        } else {
            int threads = number(arguments, 2, Runtime.getRuntime().availableProcessors());
            for (int workers = 1; workers <= threads; workers *= 2) {
                start(
                        workers,
                        PART,
                        arguments.length > 0 ? arguments[0] : "wrn-16-4",
                        Integer.toString(number(arguments, 1, 64)),
                        Integer.toString(threads),
                        Integer.toString(number(arguments, 3, 9)));
            }
        }
    }

    private static int number(String[] arguments, int place, int otherwise) {
        return arguments.length > place ? Integer.parseInt(arguments[place]) : otherwise;
    }

    /** Processes of this program, which meet by a file. */
    private static void start(int workers, String... arguments) throws IOException, InterruptedException {
        Path meeting = Files.createTempDirectory("polder-workers");
        Path file = meeting.resolve("rendezvous");
        List<Process> processes = new ArrayList<>();
        try {
            for (int rank = 0; rank < workers; rank++) {
                List<String> command = new ArrayList<>(
                        List.of(ProcessHandle.current().info().command().orElse("java")));
                command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
                command.addAll(List.of("-cp", System.getProperty("java.class.path"), WorkersCost.class.getName()));
                command.addAll(List.of(arguments));
                var builder = new ProcessBuilder(command).inheritIO();
                builder.environment().put("RANK", Integer.toString(rank));
                builder.environment().put("WORLD_SIZE", Integer.toString(workers));
                builder.environment().put("LOCAL_WORLD_SIZE", Integer.toString(workers));
                builder.environment().put(Rendezvous.FILE, file.toString());
                processes.add(builder.start());
            }
            for (Process each : processes) {
                if (each.waitFor() != 0) {
                    throw new IOException("a worker failed: see above");
                }
            }
        } finally {
            processes.forEach(Process::destroy);
            Files.deleteIfExists(file);
            Files.delete(meeting);
        }
    }

    private static ProcessGroup join() throws IOException {
        int size = Integer.parseInt(System.getenv("WORLD_SIZE"));
        return size == 1
                ? null
                : ProcessGroup.join(Rendezvous.of(System.getenv(), TIMEOUT).orElseThrow());
    }

    /** One worker's part of a training on noise. */
    private static void computing(String architecture, int batch, int threads, int rounds) throws IOException {
        int workers = Integer.parseInt(System.getenv("WORLD_SIZE"));
        Engine.setThreads(Math.max(1, threads / workers));
        int share = batch / workers;
        var streams = new RandomStreams(1);
        try (var group = join();
                var scope = Scope.open()) {
            boolean large = architecture.endsWith("imagenet");
            int side = large ? 224 : SIDE;
            int classes = large ? 1000 : CLASSES;
            Network network = Architectures.named(architecture).build(side, classes, streams);
            var noise = NoiseBatch.of(share, 3 * side * side, classes, streams);
            Tensor inputs = Images.normalized(
                    noise.pixels(), share, 3, side, side, new float[3], new float[] {1, 1, 1}, Device.CPU);
            Tensor targets = Images.targets(noise.targets(), share, classes, Device.CPU);
            try (var parameters = FlatParameters.of(network.parametersByName());
                    var pass =
                            new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(0), streams)) {
                var scheme = GradientScheme.gradientNormPenalty(0.1, 0.8);
                double[][] seconds = new double[3][rounds];
                for (int round = -1; round < rounds; round++) {
                    long step = round + 1;
                    double whole = timed(group, () -> {
                        scheme.computeGradient(pass.on(inputs, targets, step), parameters, step);
                        return allReduced(group, parameters);
                    });
                    double gradient = timed(group, () -> pass.compute(Pass.ONLY));
                    double exchange = timed(group, () -> allReduced(group, parameters));
                    if (round >= 0) {
                        seconds[0][round] = whole;
                        seconds[1][round] = gradient;
                        seconds[2][round] = exchange;
                    }
                }
                if (group == null || group.rank() == 0) {
                    System.out.printf(
                            Locale.ROOT,
                            "{\"architecture\":\"%s\",\"parameters\":%d,\"batch\":%d,\"workers\":%d,\"threads\":%d,\"stepSeconds\":%.4f,"
                                    + "\"gradientSeconds\":%.4f,\"allReduceSeconds\":%.4f}%n",
                            architecture,
                            network.parameterCount(),
                            batch,
                            workers,
                            Math.max(1, threads / workers),
                            Median.of(seconds[0]),
                            Median.of(seconds[1]),
                            Median.of(seconds[2]));
                }
            }
        }
    }

    private static double allReduced(ProcessGroup group, FlatParameters parameters) {
        if (group != null) {
            group.allReduce("a step", parameters.gradient());
        }
        return 0;
    }

    /** From when all begin to when this one is done. */
    private static double timed(ProcessGroup group, DoubleSupplier work) {
        if (group != null) {
            group.allGather("the start", 0);
        }
        long started = System.nanoTime();
        work.getAsDouble();
        return (System.nanoTime() - started) * 1e-9;
    }

    /** One worker of a network, which computes nothing: it sleeps as long as that would take. */
    private static void exchanging(String[] arguments) throws IOException {
        double computing = Double.parseDouble(arguments[0]) * 1e-3;
        int rounds = number(arguments, 1, 9);
        try (var group = join();
                var scope = Scope.withoutGradient()) {
            double small =
                    median(rounds, () -> timed(group, () -> group.allGather("a few numbers", new double[32])[0][0]));
            for (int i = 2; i < arguments.length; i++) {
                long bytes = Long.parseLong(arguments[i]);
                Tensor gradient =
                        torch.zeros(new long[] {bytes / Float.BYTES}, new TensorOptions(torch.ScalarType.Float));
                double once = median(rounds, () -> timed(group, () -> allReduced(group, gradient)));
                double[] steps = new double[2];
                for (int times = 1; times <= 2; times++) {
                    int exchanges = times;
                    steps[times - 1] =
                            median(rounds, () -> timed(group, () -> step(group, gradient, computing, exchanges)));
                }
                if (group.rank() == 0) {
                    System.out.printf(
                            Locale.ROOT,
                            "{\"workers\":%d,\"bytes\":%d,\"smallSeconds\":%.5f,\"allReduceSeconds\":%.4f,\"computeSeconds\":%.4f,"
                                    + "\"stepSeconds\":%.4f,\"stepOfTwoSeconds\":%.4f}%n",
                            group.size(),
                            bytes,
                            small,
                            once,
                            computing,
                            steps[0],
                            steps[1]);
                }
            }
        }
    }

    private static double step(ProcessGroup group, Tensor gradient, double computing, int exchanges) {
        for (int i = 0; i < exchanges; i++) {
            pause(computing / exchanges);
            allReduced(group, gradient);
        }
        return group.allGather("a few numbers", new double[32])[0][0];
    }

    private static double allReduced(ProcessGroup group, Tensor gradient) {
        group.allReduce("a step", gradient);
        return 0;
    }

    private static void pause(double seconds) {
        try {
            Thread.sleep(Math.round(seconds * 1e3));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double median(int rounds, DoubleSupplier one) {
        double[] seconds = new double[rounds];
        one.getAsDouble();
        for (int i = 0; i < rounds; i++) {
            seconds[i] = one.getAsDouble();
        }
        return Median.of(seconds);
    }
}
