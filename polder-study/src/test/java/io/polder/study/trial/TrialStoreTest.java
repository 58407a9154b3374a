package io.polder.study.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
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
    }

    @Test
    void anOutcomeInTheWrongDirectoryIsNotTheTrials() throws IOException {
        var store = new TrialStore(folder);
        Files.createDirectories(store.directory(ID));
        OutcomeJson.write(
                OutcomeJsonTest.outcome("ab".repeat(32), TrialOutcome.Status.DONE),
                store.directory(ID).resolve("outcome.json"));
        assertThat(store.outcome(ID)).isEmpty();
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
