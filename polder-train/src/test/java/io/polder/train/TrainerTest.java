package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.data.ImagesInMemory;
import io.polder.data.Normalization;
import io.polder.data.augment.Augmentation;
import io.polder.data.augment.PadCropFlip;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.loss.PassOptions;
import io.polder.models.ResidualNetwork;
import io.polder.nn.BatchNorm2d;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.schedule.Schedule;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class TrainerTest {
    private static final Pattern RANGE = Pattern.compile("([0-9a-f]+)-[0-9a-f]+ ");
    private static final ImagesInMemory DATA = Quarters.images(200, 1);

    @Test
    void f12SameSeedGivesTheSameBitsWithOneAndWithThreeLoaderThreads() throws IOException {
        var scheme = GradientScheme.gradientNormPenalty(0.1, 0.7);
        var augmentation = new PadCropFlip(1, PadCropFlip.Padding.ZERO, true);
        List<StepMetrics> one = new ArrayList<>();
        List<StepMetrics> again = new ArrayList<>();
        List<StepMetrics> three = new ArrayList<>();
        List<StepMetrics> otherSeed = new ArrayList<>();
        double first = train(2, scheme, augmentation, 5, 1, one);
        assertThat(train(2, scheme, augmentation, 5, 1, again)).isEqualTo(first);
        assertThat(train(2, scheme, augmentation, 5, 3, three)).isEqualTo(first);
        train(2, scheme, augmentation, 6, 1, otherSeed);

        assertThat(one).hasSize(2 * 13);
        assertThat(withoutSpeed(again)).isEqualTo(withoutSpeed(one));
        assertThat(withoutSpeed(three)).isEqualTo(withoutSpeed(one));
        assertThat(withoutSpeed(otherSeed)).isNotEqualTo(withoutSpeed(one));
    }

    @Test
    void everySchemeLearnsAnEasyTask() throws IOException {
        for (var scheme : List.of(
                GradientScheme.standard(), GradientScheme.sam(0.05), GradientScheme.gradientNormPenalty(0.05, 0.7))) {
            assertThat(train(8, scheme, Augmentation.NONE, 1, 1, new ArrayList<>()))
                    .isLessThan(0.1);
        }
    }

    @Test
    void metricsOfAStepAreAllThere() throws IOException {
        List<StepMetrics> steps = new ArrayList<>();
        train(1, GradientScheme.gradientNormPenalty(0.1, 0.7), Augmentation.NONE, 1, 1, steps);
        for (int i = 0; i < steps.size(); i++) {
            var step = steps.get(i);
            assertThat(step.step()).isEqualTo(i);
            assertThat(step.loss()).isPositive();
            assertThat(step.figure("error")).isBetween(0.0, 1.0);
            assertThat(step.referenceNorm()).isPositive();
            assertThat(step.norm()).isPositive().isNotEqualTo(step.referenceNorm());
            assertThat(step.parameterNorm()).isPositive();
            assertThat(step.figure("r")).isEqualTo(0.1);
            assertThat(step.figure("alpha")).isEqualTo(0.7);
            assertThat(step.learningRate()).isEqualTo(Schedule.cosine(0.1, 13).at(i));
            assertThat(step.imagesPerSecond()).isPositive();
        }
    }

    @Test
    void interruptEndsTheRunAndLeavesNoLoaderThread() throws InterruptedException {
        Throwable[] thrown = new Throwable[1];
        var training = new CountDownLatch(1);
        var thread = new Thread(() -> {
            try {
                train(100_000, GradientScheme.standard(), Augmentation.NONE, 1, 2, new TrainingListener() {
                    @Override
                    public void onStep(StepMetrics metrics) {
                        training.countDown();
                    }
                });
            } catch (Throwable e) {
                thrown[0] = e;
            }
        });
        thread.start();
        training.await();
        thread.interrupt();
        thread.join(120_000); // so long only if it hangs
        assertThat(thrown[0]).isInstanceOf(CancellationException.class);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(t -> t.getName().startsWith("polder-loader"));
    }

    /**
     * What Java holds is counted, and must be the same after every step. What the engine might keep without a handle is seen in the
     * resident memory only: one activation a step, 16×8×8×8 floats, would be 98 MB over 3000 steps.
     */
    @Test
    @Tag("slow")
    @EnabledOnOs(OS.LINUX)
    void nativeMemoryStaysFlatOver3000Steps() throws IOException, InterruptedException {
        collectWhatOtherTestsLeft();
        long[] kilobytes = new long[2];
        Set<Long> pointers = new TreeSet<>();
        Set<Long> bytes = new TreeSet<>();
        var watch = new TrainingListener() {
            @Override
            public void onStep(StepMetrics metrics) {
                if (metrics.step() > 500) {
                    pointers.add(Pointer.totalCount());
                    bytes.add(Pointer.totalBytes());
                }
                if (metrics.step() == 500) {
                    kilobytes[0] = residentOutsideTheHeap();
                } else if (metrics.step() == 3499) {
                    kilobytes[1] = residentOutsideTheHeap();
                }
            }
        };
        train(270, GradientScheme.gradientNormPenalty(0.1, 0.7), Augmentation.NONE, 1, 1, watch);
        assertThat(kilobytes[0]).isPositive();
        assertThat(pointers).as("counts of live pointers").hasSize(1);
        assertThat(bytes).as("bytes behind them").hasSize(1);
        // Compiled code still grows a little.
        assertThat(kilobytes[1] - kilobytes[0]).isLessThan(30_000);
    }

    /** Else the count falls when the collector comes upon it: tests of this process may hold tensors outside of scopes. */
    private static void collectWhatOtherTestsLeft() throws InterruptedException {
        long before;
        do {
            before = Pointer.totalCount();
            System.gc();
            Thread.sleep(500); // JavaCPP's own thread frees what was found
        } while (Pointer.totalCount() != before);
    }

    /** 2⁴⁸ bytes: more than a process can address. */
    @Test
    void aStepWithoutRoomIsOneSentenceWithTheWayOutAndLeavesTheNetwork() throws IOException {
        var streams = new RandomStreams(1);
        try (var run = Scope.open();
                var train = new Loader(DATA, LoaderOptions.training(16, Augmentation.NONE), streams);
                var test = new Loader(DATA, LoaderOptions.evaluation(50), streams)) {
            var norm = new BatchNorm2d(1);
            var network = new Network() {
                @Override
                public Tensor forward(Tensor images, Forward forward) {
                    Tensor x = norm.forward(images, forward);
                    return forward.pass() == Pass.PERTURBED
                            ? torch.empty(1L << 46)
                            : x.mean(2, 3).expand(16, 4);
                }
            };
            network.register_module("norm", norm);
            var data = TrainingData.ofImages(train, test, Normalization.of(DATA));
            try (var trainer =
                    new Trainer(network, plan(1, GradientScheme.sam(0.1), 13), data, Device.CPU, streams, List.of())) {
                assertThatThrownBy(trainer::run)
                        .isInstanceOf(NotEnoughMemoryException.class)
                        .hasMessageContaining(
                                "not enough memory for step 0, which asked for 281474976710656 bytes more")
                        .hasMessageContaining("microBatch")
                        .hasMessageNotContaining("\n");
            }
            assertThat(network.buffersByName().get("norm.running_var").item_double())
                    .isEqualTo(1);
        }
    }

    @Test
    void planWithoutEpochsIsRefused() {
        assertThatThrownBy(() -> plan(0, GradientScheme.standard(), 1))
                .hasMessage("epochs is 0: it must be at least 1");
        assertThatThrownBy(() -> PassOptions.l2(Double.NaN)).hasMessageContaining("l2 is NaN");
    }

    private static double train(
            int epochs,
            GradientScheme scheme,
            Augmentation augmentation,
            long seed,
            int threads,
            List<StepMetrics> steps)
            throws IOException {
        return train(epochs, scheme, augmentation, seed, threads, new TrainingListener() {
            @Override
            public void onStep(StepMetrics metrics) {
                steps.add(metrics);
            }
        });
    }

    private static double train(
            int epochs,
            GradientScheme scheme,
            Augmentation augmentation,
            long seed,
            int threads,
            TrainingListener listener)
            throws IOException {
        var streams = new RandomStreams(seed);
        try (var run = Scope.open();
                var train = new Loader(
                        DATA, LoaderOptions.training(16, augmentation).withThreads(threads), streams);
                var test = new Loader(Quarters.images(50, 2), LoaderOptions.evaluation(50), streams)) {
            var network = new ResidualNetwork(1, List.of(8, 16), 1, Quarters.CLASSES, streams);
            var plan = plan(epochs, scheme, train.batchesPerEpoch());
            try (var trainer = new Trainer(
                    network,
                    plan,
                    TrainingData.ofImages(train, test, Normalization.of(DATA)),
                    Device.CPU,
                    streams,
                    List.of(listener))) {
                return trainer.run().test().orElseThrow().figure(Classification.ERROR);
            }
        }
    }

    private static TrainingPlan plan(int epochs, GradientScheme scheme, int batchesPerEpoch) {
        return new TrainingPlan(
                epochs,
                100,
                () -> scheme,
                new Classification(0),
                PassOptions.l2(1e-3),
                () -> new Sgd(0.9, true),
                Schedule.cosine(0.1, (long) Math.max(1, epochs) * batchesPerEpoch),
                ClipByGlobalNorm.NEVER);
    }

    private static List<StepMetrics> withoutSpeed(List<StepMetrics> steps) {
        return steps.stream().map(Quarters::withoutSpeed).toList();
    }

    /** In kilobytes. Java's heap is where 32-bit references reach, below 2³⁶; it touches new pages whatever is trained. */
    private static long residentOutsideTheHeap() {
        long resident = 0;
        boolean outside = false;
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
                var range = RANGE.matcher(line);
                if (range.lookingAt()) {
                    outside = Long.parseUnsignedLong(range.group(1), 16) >= 1L << 36;
                } else if (outside && line.startsWith("Rss:")) {
                    resident += Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return resident;
    }
}
