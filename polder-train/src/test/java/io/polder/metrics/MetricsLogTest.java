package io.polder.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import io.polder.train.StepMetrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class MetricsLogTest {
    private static final int STEPS_PER_EPOCH = 7;
    private static final int EPOCHS = 5;
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = folder.resolve("metrics.jsonl");
    }

    @Test
    void aLineIsTheJsonThatThePackagePromises() throws IOException {
        var clock = Clock.fixed(Instant.ofEpochMilli(1_763_200_000_123L), ZoneOffset.UTC);
        try (var log = MetricsLog.create(file, 1, MetricsLogTest::fail, clock)) {
            log.onStep(new StepMetrics(0, 0, 2.5, 1.25, 1.5, 20, 0.05, figures(0.75, 0.1, 0.8), 900));
            log.onEpoch(new EpochMetrics(1, 1, 2.5, Map.of("error", 0.75), 1.25, 20, 0.05, 910, 2.5, Optional.empty()));
            log.onEpoch(new EpochMetrics(
                    2,
                    1,
                    2.5,
                    Map.of("error", 0.75),
                    1.25,
                    20,
                    0.05,
                    910,
                    2.5,
                    Optional.of(new Evaluation(Map.of("loss", 1.5, "error", 0.5, "top5Error", 0.25), 10_000))));
            log.event("resumed", "from \"step-1\"\nby hand");
        }
        assertThat(Files.readString(file).replaceAll("\\{\"checksum\":\"[0-9a-f]{8}\",", "{"))
                .isEqualTo("""
                        {"kind":"step","step":0,"epoch":1,"loss":2.5,"gradientNorm":1.25,"mixedNorm":1.5,\
                        "parameterNorm":20.0,"learningRate":0.05,"alpha":0.8,"error":0.75,"r":0.1,"imagesPerSecond":900.0,"time":1763200000.123}
                        {"kind":"epoch","epoch":1,"step":1,"steps":1,"loss":2.5,"error":0.75,"gradientNorm":1.25,"parameterNorm":20.0,\
                        "learningRate":0.05,"imagesPerSecond":910.0,"seconds":2.5,"time":1763200000.123}
                        {"kind":"epoch","epoch":2,"step":1,"steps":1,"loss":2.5,"error":0.75,"gradientNorm":1.25,"parameterNorm":20.0,\
                        "learningRate":0.05,"imagesPerSecond":910.0,"seconds":2.5,"testError":0.5,"testLoss":1.5,"testTop5Error":0.25,\
                        "testImages":10000,"time":1763200000.123}
                        {"kind":"event","what":"resumed","step":1,"message":"from \\"step-1\\"\\nby hand","time":1763200000.123}
                        """);
    }

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        try (var log = MetricsLog.create(file, 1, MetricsLogTest::fail)) {
            play(log, 0, 2 * STEPS_PER_EPOCH);
            log.event("checkpoint", "step-14, the best so far – größer");
        }
        MetricsHistory history = MetricsHistory.read(file);
        assertThat(history.steps()).extracting(RunRecord.Step::metrics).containsExactlyElementsOf(steps(0, 14));
        assertThat(history.epochs()).extracting(RunRecord.Epoch::metrics).containsExactly(epoch(1), epoch(2));
        assertThat(history.epochs()).extracting(RunRecord.Epoch::step).containsExactly(7L, 14L);
        assertThat(history.events())
                .extracting(RunRecord.Event::message)
                .containsExactly("step-14, the best so far – größer");
        assertThat(history.damagedLines()).isZero();
    }

    @Test
    void numbersThatAreNotFiniteAreNullAndReadAsNaN() throws IOException {
        try (var log = MetricsLog.create(file, 1, MetricsLogTest::fail)) {
            double none = Double.NaN;
            double over = Double.POSITIVE_INFINITY;
            log.onStep(new StepMetrics(0, 0, none, over, -over, none, none, figures(none, over, none), none));
        }
        JsonNode line = JSON.readTree(file.toFile());
        assertThat(line.get("loss").isNull()).isTrue();
        StepMetrics read = MetricsHistory.read(file).steps().get(0).metrics();
        assertThat(List.of(read.loss(), read.figure("error"), read.figure("r"), read.referenceNorm()))
                .containsOnly(Double.NaN);
    }

    @Test
    void everyNthStepIsWrittenAndEachEpoch() throws IOException {
        try (var log = MetricsLog.create(file, 10, MetricsLogTest::fail)) {
            play(log, 0, 35);
        }
        MetricsHistory history = MetricsHistory.read(file);
        assertThat(history.steps()).extracting(s -> s.metrics().step()).containsExactly(0L, 10L, 20L, 30L);
        assertThat(history.epochs()).hasSize(5);
        assertThat(MetricsLog.everyFor(5)).isEqualTo(1);
        assertThat(MetricsLog.everyFor(31)).isEqualTo(2);
        assertThat(MetricsLog.everyFor(196)).isEqualTo(10);
        assertThatThrownBy(() -> MetricsLog.create(folder.resolve("x"), 0, MetricsLogTest::fail))
                .hasMessage("every is 0: it must be at least 1");
    }

    /** Killed at a random byte, resumed from a random checkpoint before it: again and again, with a printed seed. */
    @Test
    void anInterruptedAndResumedRunEndsWithTheRecordsOfAnUninterruptedOne() throws IOException {
        int steps = EPOCHS * STEPS_PER_EPOCH;
        Path whole = folder.resolve("whole.jsonl");
        try (var log = MetricsLog.create(whole, 2, MetricsLogTest::fail)) {
            play(log, 0, steps);
        }
        long seed = System.nanoTime();
        var random = new SplittableRandom(seed);
        for (int round = 0; round < 20; round++) {
            Files.deleteIfExists(file);
            try (var log = MetricsLog.create(file, 2, MetricsLogTest::fail)) {
                play(log, 0, random.nextInt(steps + 1));
            }
            for (int kill = 0; kill < 3; kill++) {
                tear(random);
                int done = lastStepIn(file) + 1;
                int checkpoint = done == 0 ? 0 : random.nextInt(done + 1);
                boolean atAnEnd = checkpoint % STEPS_PER_EPOCH == 0;
                // At the end of an epoch a checkpoint may come before its line, or after it.
                int epochs = checkpoint / STEPS_PER_EPOCH
                        - (atAnEnd
                                        && checkpoint > 0
                                        && (random.nextBoolean() || !hasEpoch(checkpoint / STEPS_PER_EPOCH))
                                ? 1
                                : 0);
                try (var log = MetricsLog.resume(file, 2, checkpoint, epochs, MetricsLogTest::fail)) {
                    if (epochs < checkpoint / STEPS_PER_EPOCH) {
                        log.onEpoch(epoch(epochs + 1));
                    }
                    play(log, checkpoint, kill == 2 ? steps : checkpoint + random.nextInt(steps - checkpoint + 1));
                }
            }
            assertThat(withoutTime(file)).as("seed " + seed).isEqualTo(withoutTime(whole));
        }
    }

    @Test
    void resumingKeepsEventsAndLinesOfLaterVersionsAndDropsDamage() throws IOException {
        try (var log = MetricsLog.create(file, 1, MetricsLogTest::fail)) {
            play(log, 0, 3);
            log.event("diverged", "at step 3");
        }
        Files.writeString(
                file,
                "{\"kind\":\"photograph\",\"of\":[1,{\"a\":2}]}\nnot json\n" + "x".repeat(100_000)
                        + "\n{\"kind\":\"ste",
                StandardOpenOption.APPEND);
        assertThat(MetricsHistory.read(file).damagedLines()).isEqualTo(2);
        List<String> warnings = new ArrayList<>();
        try (var log = MetricsLog.resume(file, 1, 1, 0, warnings::add)) {
            log.event("resumed", "from step 1");
        }
        assertThat(warnings).containsExactly(file + " had damaged lines, which are left out: 2");
        MetricsHistory history = MetricsHistory.read(file);
        assertThat(history.damagedLines()).isZero();
        assertThat(history.steps()).hasSize(1);
        assertThat(history.events()).extracting(RunRecord.Event::what).containsExactly("diverged", "resumed");
        assertThat(history.events()).extracting(RunRecord.Event::step).containsExactly(3L, 1L);
        assertThat(Files.readString(file)).contains("photograph").hasLineCount(4);
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void resumingWithoutALogBeginsOneAndCreatingNeverOverwritesOne() throws IOException {
        MetricsLog.resume(file, 1, 5, 0, MetricsLogTest::fail).close();
        assertThat(file).isEmptyFile();
        assertThatThrownBy(() -> MetricsLog.create(file, 1, MetricsLogTest::fail))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void noByteOfALineCanChangeUnnoticed() throws IOException {
        try (var log = MetricsLog.create(file, 1, MetricsLogTest::fail)) {
            log.onEpoch(epoch(2));
        }
        byte[] whole = Files.readAllBytes(file);
        for (int i = 0; i < whole.length - 1; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 1;
            Files.write(file, damaged);
            MetricsHistory history = MetricsHistory.read(file);
            assertThat(history.epochs()).as("byte " + i).isEmpty();
            assertThat(history.damagedLines()).as("byte " + i).isPositive();
        }
    }

    @Test
    void epochsThatAreGoneAreToldWhenTheRunGoesOn() throws IOException {
        try (var log = MetricsLog.create(file, 1, MetricsLogTest::fail)) {
            play(log, 0, 3 * STEPS_PER_EPOCH);
        }
        Files.writeString(file, Files.readString(file).replace("\"epoch\":2,\"step\":14", "\"epoch\":2,\"step\":15"));
        List<String> warnings = new ArrayList<>();
        MetricsLog.resume(file, 1, 3 * STEPS_PER_EPOCH, 3, warnings::add).close();
        assertThat(warnings)
                .containsExactly(
                        file + " had damaged lines, which are left out: 1",
                        file + " lacks 1 of the 3 epochs that were done: its curves will have a gap");
        warnings.clear();
        Files.delete(file);
        MetricsLog.resume(file, 1, 3 * STEPS_PER_EPOCH, 3, warnings::add).close();
        assertThat(warnings)
                .containsExactly(file + " lacks 3 of the 3 epochs that were done: its curves will have a gap");
    }

    /** The device is a disk that is always full. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void aFullDiskIsWarnedOfOnceAndDoesNotStopTheRun() throws IOException {
        List<String> warnings = new ArrayList<>();
        Path full = Path.of("/dev/full");
        try (var log = MetricsLog.append(full, 1, 0, warnings::add, Clock.systemUTC())) {
            play(log, 0, 20);
        }
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).startsWith("cannot write to " + full).contains("make room on the disk");
    }

    /** An interrupt is how a run is asked to stop: the step it is in, and what comes after, must still be recorded. */
    @Test
    void aThreadThatWasInterruptedWritesAndReadsAllTheSame() throws IOException {
        try (var log = MetricsLog.create(file, 1, MetricsLogTest::fail)) {
            Thread.currentThread().interrupt();
            play(log, 0, 2);
            log.sync();
            assertThat(MetricsHistory.read(file).steps()).hasSize(2);
        }
        MetricsLog.resume(file, 1, 1, 0, MetricsLogTest::fail).close();
        assertThat(MetricsHistory.read(file).steps()).hasSize(1);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aFileThatIsNotThereIsARunThatHasRecordedNothing() throws IOException {
        assertThat(MetricsHistory.read(file)).isEqualTo(new MetricsHistory(List.of(), List.of(), List.of(), 0));
    }

    @Test
    void aHostileFileIsReadInBoundedMemory() throws IOException {
        Files.writeString(file, "{\"kind\":\"event\"," + "\"a\":[".repeat(5000) + "\n[]\n\"x\"\n{\"kind\":3}\n{}\n");
        Files.write(file, new byte[3 << 20], StandardOpenOption.APPEND);
        Files.writeString(file, "\n{\"kind\":\"step\",\"step\":1e9,\"epoch\":1}\n", StandardOpenOption.APPEND);
        Files.writeString(file, "{\"kind\":\"step\",\"step\":1,\"epoch\":99999999999}\n", StandardOpenOption.APPEND);
        try (var log = MetricsLog.append(file, 1, 0, MetricsLogTest::fail, Clock.systemUTC())) {
            play(log, 0, 1);
        }
        MetricsHistory history = MetricsHistory.read(file);
        assertThat(history.damagedLines()).isEqualTo(8);
        assertThat(history.steps()).extracting(RunRecord.Step::metrics).containsExactly(step(0));
    }

    @Test
    void aVeryLongHistoryIsThinnedEvenlyAndKeepsItsLastStep() throws IOException {
        int count = MetricsHistory.MOST + 3;
        var lines = new StringBuilder();
        for (int i = 0; i < count; i++) {
            lines.append("{\"kind\":\"step\",\"step\":").append(i).append(",\"epoch\":1}\n");
        }
        Files.writeString(file, lines);
        var steps = MetricsHistory.read(file).steps();
        assertThat(steps).hasSizeBetween(MetricsHistory.MOST / 2, MetricsHistory.MOST + 1);
        assertThat(steps.get(steps.size() - 1).metrics().step()).isEqualTo(count - 1);
    }

    @Test
    void thinningKeepsMultiplesOfAPowerOfTwoAndTheLast() {
        var thinned = new Thinned<Integer>(4);
        assertThat(thinned.list()).isEmpty();
        List<List<Integer>> lists = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            thinned.add(i);
            lists.add(thinned.list());
        }
        assertThat(lists.get(0)).containsExactly(0);
        assertThat(lists.get(3)).containsExactly(0, 1, 2, 3);
        assertThat(lists.get(4)).containsExactly(0, 2, 4);
        assertThat(lists.get(5)).containsExactly(0, 2, 4, 5);
        assertThat(lists.get(8)).containsExactly(0, 4, 8);
        assertThat(lists.get(10)).containsExactly(0, 4, 8, 10);
    }

    @Test
    void theTailReturnsWhatIsNewAndStartsAgainWhenTheFileWasRewritten() throws IOException {
        var tail = new MetricsTail(file);
        assertThat(tail.poll()).isEqualTo(new MetricsTail.Update(false, List.of(), 0, false));
        try (var log = MetricsLog.create(file, 1, MetricsLogTest::fail)) {
            play(log, 0, 3);
            assertThat(tail.poll().records()).hasSize(3);
            assertThat(tail.poll().records()).isEmpty();
            play(log, 3, 5);
            assertThat(tail.poll()).matches(update -> update.records().size() == 2 && !update.restarted());
            Files.writeString(file, "{\"kind\":\"event\",", StandardOpenOption.APPEND);
            assertThat(tail.poll().records()).isEmpty();
        }
        // Longer than it was when it was last read: its size alone does not tell.
        try (var log = MetricsLog.resume(file, 1, 2, 0, MetricsLogTest::fail)) {
            play(log, 2, 20);
        }
        var update = tail.poll();
        assertThat(update.restarted()).isTrue();
        assertThat(update.records()).hasSize(20 + 2);
        Files.delete(file);
        assertThat(tail.poll().restarted()).isTrue();
    }

    private static void fail(String warning) {
        throw new AssertionError(warning);
    }

    /** Steps from one to another, with the epochs that end among them. */
    private static void play(MetricsLog log, int from, int to) {
        for (StepMetrics step : steps(from, to)) {
            log.onStep(step);
            if ((step.step() + 1) % STEPS_PER_EPOCH == 0) {
                log.onEpoch(epoch(step.epoch() + 1));
            }
        }
    }

    private static Map<String, Double> figures(double error, double r, double alpha) {
        return Map.of("error", error, "r", r, "alpha", alpha);
    }

    private static List<StepMetrics> steps(int from, int to) {
        List<StepMetrics> steps = new ArrayList<>();
        for (int i = from; i < to; i++) {
            steps.add(step(i));
        }
        return steps;
    }

    private static StepMetrics step(int i) {
        return new StepMetrics(
                i, i / STEPS_PER_EPOCH, 1.0 / (i + 1), Math.sqrt(i), 2, 3 + i / 7.0, 0.05, figures(0.5, 0.1, 0.8), 900);
    }

    private static EpochMetrics epoch(int epoch) {
        return new EpochMetrics(
                epoch,
                STEPS_PER_EPOCH,
                1.0 / epoch,
                Map.of("error", 0.25),
                1,
                20,
                0.05,
                900,
                2,
                epoch % 2 == 0
                        ? Optional.of(new Evaluation(Map.of("loss", 1.0, "error", 0.5 / epoch, "top5Error", 0.1), 50))
                        : Optional.empty());
    }

    /** What a kill leaves: the last line, or a piece of it, is missing. */
    private void tear(SplittableRandom random) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int left = Math.max(0, bytes.length - random.nextInt(200));
        Files.write(file, Arrays.copyOf(bytes, left));
    }

    private static int lastStepIn(Path file) throws IOException {
        var steps = MetricsHistory.read(file).steps();
        return steps.isEmpty()
                ? -1
                : (int) steps.get(steps.size() - 1).metrics().step();
    }

    private boolean hasEpoch(int epoch) throws IOException {
        return MetricsHistory.read(file).epochs().stream()
                .anyMatch(e -> e.metrics().epoch() == epoch);
    }

    private static List<String> withoutTime(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line : Files.readString(file, StandardCharsets.UTF_8).split("\n")) {
            ObjectNode object = (ObjectNode) JSON.readTree(line);
            object.remove(List.of("checksum", "time", "imagesPerSecond", "seconds"));
            lines.add(object.toString());
        }
        return lines;
    }
}
