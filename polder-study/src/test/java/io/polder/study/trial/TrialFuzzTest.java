package io.polder.study.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.fuzz.Fuzz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged files of a trial. What decides a table is as it was written or not there; what is a record only stops nothing. */
@Tag("slow")
class TrialFuzzTest {
    private static final String ID = "ab".repeat(32);

    @TempDir
    private Path folder;

    private Path trial;

    @BeforeEach
    void make() throws IOException {
        trial = Files.createDirectories(TrialStore.directory(folder, ID));
    }

    @Test
    void outcomesInAStore() throws Exception {
        Path file = trial.resolve(TrialStore.OUTCOME);
        OutcomeJson.write(OutcomeJsonTest.outcome(ID, TrialOutcome.Status.DONE), file);
        Fuzz.of("outcome.json in a store", Files.readAllBytes(file))
                .sameOrRefused()
                .naming(file)
                .run(bytes -> {
                    Files.write(file, bytes);
                    Optional<TrialOutcome> outcome = new TrialStore(folder).outcome(ID);
                    // None: the trial is run again.
                    return whole(outcome.orElseThrow(() -> new IOException(file + " is none")));
                });
    }

    @Test
    void outcomesByThemselves() throws Exception {
        Path file = trial.resolve(TrialStore.OUTCOME);
        OutcomeJson.write(OutcomeJsonTest.outcome(ID, TrialOutcome.Status.DIVERGED), file);
        Fuzz.of("outcome.json", Files.readAllBytes(file))
                .sameOrRefused()
                .naming(file)
                .run(bytes -> whole(OutcomeJson.read(Files.write(file, bytes))));
    }

    /** Curves are read when they are looked at. */
    private static List<Object> whole(TrialOutcome outcome) {
        return List.of(outcome, new ArrayList<>(outcome.curve()));
    }

    @Test
    void attempts() throws Exception {
        Attempts.add(trial, Instant.parse("2026-11-16T00:00:00.123Z"), sentence -> {});
        Attempts.add(trial, Instant.parse("2026-11-16T01:00:00Z"), sentence -> {});
        Path file = trial.resolve("attempts");
        Fuzz.of("attempts", Files.readAllBytes(file)).refusedBy().run(bytes -> {
            Files.write(file, bytes);
            return Attempts.of(trial, sentence -> {});
        });
    }

    /** What is in the file means nothing: the lock is the system's. */
    @Test
    void claims() throws Exception {
        TrialClaim.take(trial).orElseThrow().close();
        Path file = trial.resolve("claim");
        Fuzz.of("claim", new byte[] {1, 2, 3}).oneCaseOf(6).refusedBy().run(bytes -> {
            Files.write(file, bytes);
            try (var claim = TrialClaim.take(trial).orElseThrow()) {
                assertThat(TrialClaim.take(trial)).isEmpty();
            }
            return "";
        });
    }
}
