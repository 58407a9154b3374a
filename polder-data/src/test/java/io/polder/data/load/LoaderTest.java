package io.polder.data.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.polder.data.Batch;
import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.ImagesInMemory;
import io.polder.data.augment.Augmentation;
import io.polder.data.augment.BatchAugmentation;
import io.polder.data.augment.CutMix;
import io.polder.data.augment.EitherOf;
import io.polder.data.augment.Mixup;
import io.polder.data.augment.PadCropFlip;
import io.polder.data.augment.PadCropFlip.Padding;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The timeout is for a loader that hangs; no test measures time. */
@Timeout(value = 600, threadMode = SEPARATE_THREAD)
final class LoaderTest {
    private static final ImageShape SHAPE = new ImageShape(3, 6, 5);
    private static final int CLASSES = 7;
    private static final RandomStreams STREAMS = new RandomStreams(42);
    private static final Augmentation AUGMENTATION = new PadCropFlip(2, Padding.REFLECT, true);
    private static final BatchAugmentation MIXING = new EitherOf(new CutMix(1), 0.5, new Mixup(0.4), 0.3);

    /** What a batch held, copied: the batch itself does not last. */
    private record Seen(List<Byte> pixels, List<Float> targets) {
        static Seen of(Batch batch) {
            List<Byte> pixels = new ArrayList<>();
            for (var buffer = batch.pixels(); buffer.hasRemaining(); ) {
                pixels.add(buffer.get());
            }
            List<Float> targets = new ArrayList<>();
            for (var buffer = batch.targets(); buffer.hasRemaining(); ) {
                targets.add(buffer.get());
            }
            assertThat(pixels).hasSize(batch.size() * batch.shape().bytes());
            assertThat(targets).hasSize(batch.size() * batch.classes());
            return new Seen(pixels, targets);
        }
    }

    /** A hook before each read; the first byte of an image is its index, the others random. */
    private interface BeforeRead {
        void read(int index) throws IOException;
    }

    private record Images(ImagesInMemory images, BeforeRead before) implements ImageSource {
        static Images of(int size, BeforeRead before) {
            byte[] pixels = new byte[size * SHAPE.bytes()];
            new SplittableRandom(size).nextBytes(pixels);
            for (int i = 0; i < size; i++) {
                pixels[i * SHAPE.bytes()] = (byte) i;
            }
            int[] labels = IntStream.range(0, size).map(i -> i % CLASSES).toArray();
            return new Images(new ImagesInMemory(SHAPE, CLASSES, pixels, labels), before);
        }

        @Override
        public int size() {
            return images.size();
        }

        @Override
        public ImageShape shape() {
            return images.shape();
        }

        @Override
        public int classes() {
            return images.classes();
        }

        @Override
        public int label(int index) {
            return images.label(index);
        }

        @Override
        public void read(int index, byte[] destination) throws IOException {
            before.read(index);
            images.read(index, destination);
        }
    }

    /** A hundred images that nobody can read before they are released. */
    private static final class BlockedSource {
        final CountDownLatch release = new CountDownLatch(1);
        final AtomicInteger reads = new AtomicInteger();
        final ImageSource images = Images.of(100, index -> {
            reads.incrementAndGet();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new AssertionError("a worker was interrupted", e);
            }
        });

        void awaitRead() throws InterruptedException {
            while (reads.get() == 0) {
                Thread.sleep(1);
            }
        }
    }

    /** Something done on a thread of its own. */
    private static final class Started<T> {
        final FutureTask<T> task;
        final Thread thread;

        Started(Callable<T> call) {
            task = new FutureTask<>(call);
            thread = new Thread(task);
            thread.start();
        }

        /** Whether it came to wait for something, rather than to its end. */
        boolean isWaiting() throws InterruptedException {
            while (thread.getState() != Thread.State.WAITING && thread.isAlive()) {
                Thread.sleep(1);
            }
            return thread.isAlive();
        }

        T get() throws Exception {
            return task.get();
        }
    }

    @AfterEach
    void noTestLeavesAWorker() {
        assertThat(workers()).isEmpty();
    }

    @Test
    void sameBitsWithOneAndThreeThreads() {
        var options = LoaderOptions.training(8, AUGMENTATION);
        List<Seen> one = see(options.withThreads(1), 0, 0);
        assertThat(see(options.withThreads(3), 0, 0)).isEqualTo(one);
        assertThat(see(options.withThreads(3), 1, 0)).as("another epoch").isNotEqualTo(one);
    }

    @Test
    void sameBitsWhateverEpochsCameBefore() {
        var options = LoaderOptions.training(8, AUGMENTATION);
        try (var loader = new Loader(images(100), options, STREAMS)) {
            see(loader, 0, 0);
            see(loader, 1, 0);
            assertThat(see(loader, 5, 0)).isEqualTo(see(options, 5, 0));
        }
    }

    @Test
    void anImageDoesNotDependOnItsBatch() {
        assertThat(pixels(LoaderOptions.training(8, AUGMENTATION)))
                .isEqualTo(pixels(LoaderOptions.training(3, AUGMENTATION)));
    }

    @Test
    void startingInTheMiddleGivesTheRestOfTheEpoch() {
        var options = LoaderOptions.training(8, AUGMENTATION);
        List<Seen> whole = see(options, 3, 0);
        assertThat(whole).hasSize(13);
        for (int first = 0; first <= 13; first++) {
            assertThat(see(options, 3, first)).isEqualTo(whole.subList(first, 13));
        }
    }

    @Test
    void mixedBatchesDependOnNeitherTheThreadsNorWhereTheEpochStarts() {
        // The last batch has a single image.
        var options = LoaderOptions.training(9, AUGMENTATION).withMixing(MIXING);
        List<Seen> whole = see(options.withThreads(1), 3, 0);
        assertThat(whole).hasSize(12).isNotEqualTo(see(LoaderOptions.training(9, AUGMENTATION), 3, 0));
        assertThat(see(options.withThreads(3), 3, 0)).isEqualTo(whole);
        assertThat(see(options.withThreads(3), 4, 0)).as("another epoch").isNotEqualTo(whole);
        for (int first = 0; first <= 12; first++) {
            assertThat(see(options, 3, first)).isEqualTo(whole.subList(first, 12));
        }
    }

    @Test
    void mixingGetsTheBatchAsItWouldHaveBeenServed() {
        var options = LoaderOptions.training(8, AUGMENTATION).withThreads(1);
        List<Seen> mixed = new ArrayList<>();
        List<Long> draws = new ArrayList<>();
        see(
                options.withMixing((batch, random) -> {
                    mixed.add(Seen.of(batch));
                    draws.add(random.nextLong());
                }),
                0,
                0);
        assertThat(mixed).isEqualTo(see(options, 0, 0));
        assertThat(draws).doesNotHaveDuplicates();
        for (int number = 0; number < draws.size(); number++) {
            assertThat(draws.get(number))
                    .isEqualTo(STREAMS.random("mix", 0, number).nextLong());
        }
    }

    @Test
    void optionsKeepTheirMixing() {
        assertThat(LoaderOptions.training(8, AUGMENTATION).mixing()).isSameAs(BatchAugmentation.NONE);
        assertThat(LoaderOptions.evaluation(8).mixing()).isSameAs(BatchAugmentation.NONE);
        assertThat(LoaderOptions.training(8, AUGMENTATION)
                        .withMixing(MIXING)
                        .withThreads(5)
                        .mixing())
                .isSameAs(MIXING);
    }

    @Test
    void everyImageIsSeenOnceAnEpoch() {
        for (int batch : new int[] {1, 7, 99, 100, 1000}) {
            var options = LoaderOptions.training(batch, Augmentation.NONE);
            List<Integer> order = order(options, 0);
            assertThat(order).doesNotHaveDuplicates().hasSize(100);
            assertThat(order).isNotEqualTo(IntStream.range(0, 100).boxed().toList());
            assertThat(order).isNotEqualTo(order(options, 1));
        }
    }

    @Test
    void everyOrderOfThreeIsShuffledEquallyOften() {
        int[] times = new int[27];
        try (var loader = new Loader(images(3), LoaderOptions.training(1, Augmentation.NONE), STREAMS)) {
            for (int epoch = 0; epoch < 2000; epoch++) {
                List<Integer> order = order(loader, epoch);
                times[order.get(0) * 9 + order.get(1) * 3 + order.get(2)]++;
            }
        }
        // 333 expected of each, standard deviation 17.
        assertThat(IntStream.of(times).filter(n -> n > 0).boxed()).hasSize(6).allMatch(n -> n > 250 && n < 416);
    }

    @Test
    void evaluationKeepsTheSourcesOrderAndBytes() {
        var options = LoaderOptions.evaluation(8);
        assertThat(order(options, 9)).isEqualTo(IntStream.range(0, 100).boxed().toList());
        assertThat(see(options, 0, 0)).isEqualTo(see(options, 1, 0));
    }

    @Test
    void theLastBatchIsWhatIsLeft() {
        try (var loader = new Loader(images(100), LoaderOptions.evaluation(8), STREAMS);
                var batches = loader.epoch(0)) {
            assertThat(loader.batchesPerEpoch()).isEqualTo(13);
            assertThat(loader.images()).isEqualTo(100);
            List<Integer> sizes = new ArrayList<>();
            batches.forEach(batch -> sizes.add(batch.size()));
            assertThat(sizes).hasSize(13).endsWith(8, 4);
        }
    }

    @Test
    void targetsAreOneHotRowsOfTheLabels() {
        try (var loader = new Loader(images(20), LoaderOptions.training(4, Augmentation.NONE), STREAMS)) {
            // Twice, so that every row is written over another.
            see(loader, 0, 0);
            try (var batches = loader.epoch(1)) {
                for (Batch batch : batches) {
                    for (int i = 0; i < batch.size(); i++) {
                        float[] row = new float[CLASSES];
                        batch.targets().get(i * CLASSES, row);
                        float[] expected = new float[CLASSES];
                        expected[batch.pixels().get(i * SHAPE.bytes()) % CLASSES] = 1;
                        assertThat(row).isEqualTo(expected);
                    }
                }
            }
        }
    }

    @Test
    void theEngineCanReadBothBuffersInPlace() {
        try (var loader = new Loader(images(20), LoaderOptions.training(8, AUGMENTATION), STREAMS);
                var batches = loader.epoch(0)) {
            for (Batch batch : batches) {
                assertThat(batch.pixels().isDirect()).isTrue();
                assertThat(batch.targets().isDirect()).isTrue();
                assertThat(batch.targets().order()).isEqualTo(ByteOrder.nativeOrder());
            }
        }
    }

    @Test
    void theBatchInHandIsLeftAlone() throws InterruptedException {
        var reads = new AtomicInteger();
        var source = Images.of(100, index -> reads.incrementAndGet());
        var options = LoaderOptions.training(4, AUGMENTATION).withThreads(2);
        try (var loader = new Loader(source, options, STREAMS);
                var batches = loader.epoch(0)) {
            Iterator<Batch> iterator = batches.iterator();
            for (int taken = 1; taken <= 10; taken++) {
                Batch batch = iterator.next();
                Seen seen = Seen.of(batch);
                awaitIdleWorkers();
                assertThat(Seen.of(batch)).isEqualTo(seen);
                assertThat(reads).as("three batches ahead").hasValue((taken + 3) * 4);
            }
        }
    }

    @Test
    void workerFailureReachesTheLoopWithTheFilesName() {
        var fault = new IOException("cats/17.png is cut short: fetch it again.");
        for (int threads = 1; threads <= 3; threads++) {
            var source = Images.of(100, index -> {
                if (index >= 17) {
                    throw fault;
                }
            });
            try (var loader = new Loader(source, LoaderOptions.evaluation(4).withThreads(threads), STREAMS);
                    var batches = loader.epoch(0)) {
                Iterator<Batch> iterator = batches.iterator();
                for (int whole = 0; whole < 4; whole++) {
                    assertThat(iterator.next().pixels().get(0)).isEqualTo((byte) (4 * whole));
                }
                assertThatExceptionOfType(UncheckedIOException.class)
                        .isThrownBy(iterator::next)
                        .withMessage(fault.getMessage())
                        .withCause(fault);
                assertThat(workers()).isEmpty();
                assertThatIllegalStateException().isThrownBy(iterator::next).withMessage("epoch 0 is closed");
            }
        }
    }

    @Test
    void anUncheckedFailureArrivesAsItself() {
        for (Throwable failure : List.of(new IllegalArgumentException("bad pad"), new AssertionError("bad engine"))) {
            Augmentation failing = (image, shape, random) -> {
                if (failure instanceof Error e) {
                    throw e;
                }
                throw (RuntimeException) failure;
            };
            try (var loader = new Loader(images(100), LoaderOptions.training(4, failing), STREAMS)) {
                assertThatThrownBy(() -> see(loader, 0, 0)).isSameAs(failure);
                assertThatThrownBy(() -> see(loader, 1, 0))
                        .as("the loader goes on")
                        .isSameAs(failure);
            }
        }
    }

    @Test
    void closingMidEpochLeavesNoThreadRunning() {
        var loader =
                new Loader(images(100), LoaderOptions.training(4, AUGMENTATION).withThreads(3), STREAMS);
        Iterator<Batch> iterator = loader.epoch(0).iterator();
        iterator.next();
        assertThat(workers()).hasSize(3).allMatch(Thread::isDaemon);
        loader.close();
        assertThat(workers()).isEmpty();
        assertThatIllegalStateException().isThrownBy(iterator::next).withMessage("epoch 0 is closed");
        assertThatIllegalStateException().isThrownBy(iterator::hasNext).withMessage("epoch 0 is closed");
        assertThatIllegalStateException().isThrownBy(() -> loader.epoch(1)).withMessage("the loader is closed");
        loader.close();
    }

    @Test
    void anEpochClosedMidWayMakesRoomForTheNext() {
        var options = LoaderOptions.training(4, AUGMENTATION).withThreads(3);
        List<Seen> whole = see(options, 7, 0);
        try (var loader = new Loader(images(100), options, STREAMS)) {
            for (int taken = 0; taken < 10; taken++) {
                try (var batches = loader.epoch(taken)) {
                    Iterator<Batch> iterator = batches.iterator();
                    for (int i = 0; i < taken; i++) {
                        iterator.next();
                    }
                }
                assertThat(see(loader, 7, 0)).isEqualTo(whole);
            }
        }
    }

    @Test
    void closingWaitsForTheImageInHandAndStartsNoOther() throws Exception {
        var source = new BlockedSource();
        var loader = new Loader(source.images, LoaderOptions.evaluation(50).withThreads(1), STREAMS);
        Iterator<Batch> iterator = loader.epoch(0).iterator();
        var loop = new Started<>(iterator::next);
        source.awaitRead();
        assertThat(loop.isWaiting()).isTrue();
        var closing = new Started<>(() -> {
            // Interrupted, it waits nevertheless: the engine must not find a worker in its buffers.
            Thread.currentThread().interrupt();
            loader.close();
            assertThat(workers()).isEmpty();
            return Thread.currentThread().isInterrupted();
        });
        assertThatThrownBy(loop::get).hasRootCauseMessage("epoch 0 is closed");
        assertThat(closing.isWaiting()).isTrue();
        source.release.countDown();
        assertThat(closing.get()).as("the flag is left set").isTrue();
        assertThat(source.reads).hasValue(1);
    }

    @Test
    void aNewEpochWaitsForTheWorkersOfTheOneBeingClosed() throws Exception {
        var source = new BlockedSource();
        try (var loader = new Loader(source.images, LoaderOptions.evaluation(50), STREAMS)) {
            Epoch first = loader.epoch(0);
            source.awaitRead();
            var closing = new Started<>(() -> {
                first.close();
                return true;
            });
            assertThat(closing.isWaiting()).isTrue();
            var opening = new Started<>(() -> loader.epoch(1));
            assertThat(opening.isWaiting()).isTrue();
            source.release.countDown();
            assertThat(closing.get()).isTrue();
            assertThat(opening.get()).hasSize(2);
        }
    }

    @Test
    void interruptingTheLoopThrowsWhileItWaits() throws Exception {
        var source = new BlockedSource();
        try (var loader = new Loader(source.images, LoaderOptions.evaluation(4), STREAMS);
                var batches = loader.epoch(2)) {
            Iterator<Batch> iterator = batches.iterator();
            var loop = new Started<>(() -> {
                assertThatExceptionOfType(CancellationException.class)
                        .isThrownBy(iterator::next)
                        .withMessage("interrupted before batch 0 of epoch 2");
                return Thread.currentThread().isInterrupted();
            });
            assertThat(loop.isWaiting()).isTrue();
            loop.thread.interrupt();
            assertThat(loop.get()).as("the flag is left set").isTrue();
            source.release.countDown();
        }
    }

    @Test
    void interruptingTheLoopThrowsThoughABatchIsReady() throws InterruptedException {
        try (var loader = new Loader(images(100), LoaderOptions.evaluation(4), STREAMS);
                var batches = loader.epoch(0)) {
            Iterator<Batch> iterator = batches.iterator();
            awaitIdleWorkers();
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(CancellationException.class).isThrownBy(iterator::next);
        }
        assertThat(Thread.interrupted()).as("closing left the flag set").isTrue();
    }

    @Test
    void oneEpochIsOpenAtATime() {
        try (var loader = new Loader(images(10), LoaderOptions.evaluation(4), STREAMS)) {
            try (var batches = loader.epoch(0)) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> loader.epoch(1))
                        .withMessageStartingWith("the loader has an open epoch");
                assertThat(batches).hasSize(3);
            }
            assertThat(see(loader, 1, 0)).hasSize(3);
        }
    }

    @Test
    void anEpochIsIteratedOnceAndEnds() {
        try (var loader = new Loader(images(10), LoaderOptions.evaluation(4), STREAMS);
                var batches = loader.epoch(0, 2)) {
            Iterator<Batch> iterator = batches.iterator();
            iterator.next();
            assertThat(iterator.hasNext()).isFalse();
            assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(iterator::next);
            assertThatIllegalStateException().isThrownBy(batches::iterator);
        }
    }

    @Test
    void optionsOutOfRangeAreRefusedByNameValueAndRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoaderOptions.evaluation(0))
                .withMessage("batch is 0: it must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoaderOptions.evaluation(1).withThreads(257))
                .withMessage("threads is 257: it must be 1 to 256");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Loader(images(0), LoaderOptions.evaluation(1), STREAMS))
                .withMessage("the source has no images: it must have at least 1");
        try (var loader = new Loader(images(10), LoaderOptions.evaluation(4), STREAMS)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> loader.epoch(0, 4))
                    .withMessage("firstBatch is 4: it must be 0 to 3");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> loader.epoch(-1))
                    .withMessage("epoch is -1: it must be at least 0");
        }
    }

    @Test
    void aBatchTooLargeForOneBufferIsRefused() {
        var images = new ImagesInMemory(new ImageShape(1, 1, 1), 1 << 28, new byte[8], new int[8]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Loader(images, LoaderOptions.evaluation(8), STREAMS))
                .withMessageContaining("it must be at most 1 for images of");
    }

    private static ImageSource images(int size) {
        return Images.of(size, index -> {});
    }

    private static List<Seen> see(LoaderOptions options, int epoch, int firstBatch) {
        try (var loader = new Loader(images(100), options, STREAMS)) {
            return see(loader, epoch, firstBatch);
        }
    }

    private static List<Seen> see(Loader loader, int epoch, int firstBatch) {
        List<Seen> seen = new ArrayList<>();
        try (var batches = loader.epoch(epoch, firstBatch)) {
            batches.forEach(batch -> seen.add(Seen.of(batch)));
        }
        return seen;
    }

    private static List<Byte> pixels(LoaderOptions options) {
        return see(options, 0, 0).stream()
                .flatMap(batch -> batch.pixels().stream())
                .toList();
    }

    private static List<Integer> order(LoaderOptions options, int epoch) {
        try (var loader = new Loader(images(100), options, STREAMS)) {
            return order(loader, epoch);
        }
    }

    /** The images' indices, which are their first bytes. */
    private static List<Integer> order(Loader loader, int epoch) {
        List<Integer> order = new ArrayList<>();
        for (Seen batch : see(loader, epoch, 0)) {
            for (int i = 0; i < batch.pixels().size(); i += SHAPE.bytes()) {
                order.add((int) batch.pixels().get(i));
            }
        }
        return order;
    }

    private static List<Thread> workers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("polder-loader-"))
                .toList();
    }

    /** Until the workers wait for room or are done; the tests' sources never wait here. */
    private static void awaitIdleWorkers() throws InterruptedException {
        while (!workers().stream().allMatch(worker -> worker.getState() == Thread.State.WAITING)) {
            Thread.sleep(1);
        }
    }
}
