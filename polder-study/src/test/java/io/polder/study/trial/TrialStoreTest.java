package io.polder.study.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class TrialStoreTest {
    private static final String ID = "0123456789abcdef".repeat(4);

    @TempDir
    Path folder;

    @Test
    void aTrialWithoutAnOutcomeHasNone() throws IOException {
        var store = new TrialStore(folder);
        assertThat(store.outcome(ID)).isEmpty();
        assertThat(store.outcomes()).isEmpty();
        assertThat(store.isFree(ID)).isTrue();
    }

    @Test
    void aDamagedOutcomeIsAsGoodAsNone() throws IOException {
        var store = new TrialStore(folder);
        Files.createDirectories(store.directory(ID));
        Files.writeString(store.directory(ID).resolve("outcome.json"), "{\"id\":");
        assertThat(store.outcome(ID)).isEmpty();
        assertThat(store.outcomes()).isEmpty();
        assertThat(store.complaints())
                .as("once, with the file")
                .hasSize(1)
                .allMatch(sentence ->
                        sentence.startsWith(store.directory(ID).resolve("outcome.json") + " is no outcome"));
        assertThat(store.complaints()).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    @Timeout(30)
    void nobodyWaitsForAPipeInThePlaceOfAFile() throws Exception {
        var store = new TrialStore(folder);
        Files.createDirectories(store.directory(ID));
        for (String file : List.of("outcome.json", "attempts")) {
            Path pipe = store.directory(ID).resolve(file);
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
        }
        assertThat(store.outcome(ID)).isEmpty();
        assertThat(store.complaints()).hasSize(1).allMatch(sentence -> sentence.contains("it is not a plain file"));
        List<String> complaints = new ArrayList<>();
        Attempts.add(store.directory(ID), Instant.now(), complaints::add);
        assertThat(Attempts.of(store.directory(ID), complaints::add)).isEmpty();
        assertThat(complaints).hasSize(2).allMatch(sentence -> sentence.contains("attempts"));
    }

    @Test
    void aLineOfAttemptsThatIsDamagedCostsThatLineAlone() throws IOException {
        Instant time = Instant.parse("2026-11-16T10:00:00Z");
        List<String> complaints = new ArrayList<>();
        Attempts.add(folder, time, complaints::add);
        Files.write(folder.resolve("attempts"), new byte[] {(byte) 0xff, '\n'}, StandardOpenOption.APPEND);
        Attempts.add(folder, time.plusSeconds(1), complaints::add);
        assertThat(complaints).isEmpty();
        assertThat(Attempts.of(folder, complaints::add)).containsExactly(time, time.plusSeconds(1));
        assertThat(complaints)
                .hasSize(1)
                .allMatch(sentence -> sentence.startsWith(folder.resolve("attempts") + " had lines"));
    }

    @Test
    void anOutcomeInTheWrongDirectoryIsNotTheTrials() throws IOException {
        var store = new TrialStore(folder);
        Files.createDirectories(store.directory(ID));
        OutcomeJson.write(
                OutcomeJsonTest.outcome("ab".repeat(32), TrialOutcome.Status.DONE),
                store.directory(ID).resolve("outcome.json"));
        assertThat(store.outcome(ID)).isEmpty();
        assertThat(store.complaints())
                .hasSize(1)
                .allMatch(sentence -> sentence.contains("the outcome of another trial"));
    }

    @Test
    void whatIsNoTrialIsPassedOver() throws IOException {
        var store = new TrialStore(folder);
        Files.createDirectories(store.directory(ID));
        Files.createDirectories(folder.resolve("trials/lost+found"));
        Files.writeString(folder.resolve("trials/.DS_Store"), "");
        TrialOutcome outcome = OutcomeJsonTest.outcome(ID, TrialOutcome.Status.DONE);
        OutcomeJson.write(outcome, store.directory(ID).resolve("outcome.json"));
        assertThat(store.outcomes()).containsExactly(outcome);
    }

    @Test
    void aClaimIsHadByOneAtATime() throws IOException {
        Path directory = Files.createDirectories(folder.resolve("trial"));
        Optional<TrialClaim> first = TrialClaim.take(directory);
        assertThat(first).isPresent();
        assertThat(TrialClaim.take(directory)).isEmpty();
        first.get().close();
        Optional<TrialClaim> second = TrialClaim.take(directory);
        assertThat(second).isPresent();
        second.get().close();
    }
}
