package io.polder.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.fuzz.Fuzz;
import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import io.polder.train.StepMetrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A damaged {@code metrics.jsonl}: lines that are whole are read, the others are counted, and a run goes on from it all the same. */
@Tag("slow")
class MetricsFuzzTest {
    @TempDir
    private Path directory;

    @Test
    void readers() throws Exception {
        Path file = directory.resolve("metrics.jsonl");
        Fuzz.of("metrics.jsonl", seed()).refusedBy().run(bytes -> {
            var history = MetricsHistory.read(Files.write(file, bytes));
            long lines = 1
                    + new String(bytes, StandardCharsets.ISO_8859_1)
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            assertThat(history.steps().size()
                            + history.epochs().size()
                            + history.events().size()
                            + history.damagedLines())
                    .isLessThanOrEqualTo((int) lines);
            return history;
        });
    }

    /** Half of it, all of it, something else: whoever follows ends where one who reads it anew begins. */
    @Test
    void followers() throws Exception {
        Path file = directory.resolve("metrics.jsonl");
        byte[] good = seed();
        Fuzz.of("metrics.jsonl that grows", good).refusedBy().run(bytes -> {
            var follower = new MetricsFollower(file, 1000);
            Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
            follower.poll();
            Files.write(file, bytes);
            follower.poll();
            Files.write(file, good);
            follower.poll();
            Files.write(file, bytes);
            follower.poll();
            follower.history();
            Files.delete(file);
            follower.poll();
            assertThat(follower.history().steps()).isEmpty();
            return "";
        });
    }

    /** After a resume there is nothing damaged and nothing of what will be done again. */
    @Test
    void resumes() throws Exception {
        Path file = directory.resolve("metrics.jsonl");
        Fuzz.of("metrics.jsonl of a resumed run", seed()).refusedBy().run(bytes -> {
            Files.write(file, bytes);
            try (var log = MetricsLog.resume(file, 1, 3, 1, warning -> {})) {
                log.event("resumed", "");
            }
            var history = MetricsHistory.read(file);
            assertThat(history.damagedLines()).isZero();
            assertThat(history.steps()).allMatch(step -> step.metrics().step() < 3);
            assertThat(history.epochs()).allMatch(epoch -> epoch.metrics().epoch() <= 1);
            assertThat(history.events()).isNotEmpty();
            return "";
        });
    }

    /** Its own files are not read again but for their names. */
    @Test
    void namesOfEventFiles() throws Exception {
        byte[][] seeds = {
            "events.out.tfevents.1763200000.polder".getBytes(StandardCharsets.UTF_8),
            "events.out.tfevents.9999999998.polder".getBytes(StandardCharsets.UTF_8)
        };
        Fuzz.of("name of an event file", seeds).oneCaseOf(6).refusedBy().run(bytes -> {
            String name = new String(bytes, StandardCharsets.UTF_8).replaceAll("[/\\p{Cntrl}]", "");
            Path other = directory.resolve(name.isEmpty() ? "a" : name.substring(0, Math.min(60, name.length())));
            if (Files.exists(other)) {
                return "a name of no file";
            }
            Files.createFile(other);
            TensorBoardEvents.resume(directory, 1, 3, warning -> {}).close();
            try (var files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            return "";
        });
    }

    private byte[] seed() throws IOException {
        Path file = directory.resolve("seed");
        try (var log = MetricsLog.create(file, 1, warning -> {})) {
            for (int step = 0; step < 6; step++) {
                log.onStep(new StepMetrics(
                        step, step / 3, 2.3, 1.2, 1.4, 20.1, 0.1, Map.of("error", 0.9, "r", 0.1, "alpha", 0.8), 900));
                if (step % 3 == 2) {
                    var test = Optional.of(new Evaluation(Map.of("loss", 1.8, "error", 0.6, "top5Error", 0.1), 10_000));
                    log.onEpoch(
                            new EpochMetrics(1 + step / 3, 3, 1.9, Map.of("error", 0.7), 1.1, 20, 0.1, 910, 2.2, test));
                }
            }
            log.event("stopped", "after step 6");
        }
        byte[] bytes = Files.readAllBytes(file);
        Files.delete(file);
        return bytes;
    }
}
