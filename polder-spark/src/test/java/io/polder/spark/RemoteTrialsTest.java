package io.polder.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.recipe.Recipes;
import io.polder.study.trial.TrialCommand;
import io.polder.study.trial.TrialEnd;
import io.polder.study.trial.TrialProcess;
import io.polder.study.trial.TrialStore;
import io.polder.study.trial.TrialTask;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What real trials leave, on Hadoop's own file system of the machine; {@link StudyOnSparkTest} has HDFS. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RemoteTrialsTest {
    @TempDir
    private static Path shared;

    private static TrialStore store;
    private static String id;

    @TempDir
    private Path folder;

    private RemoteTrials trials;

    @BeforeAll
    static void train() throws Exception {
        Recipe recipe = RecipeReader.read(
                Recipes.text("quick-fashion"),
                "quick-fashion",
                List.of("epochs=1", "data.images=128", "evaluateEvery=1", "checkpoint.everySteps=1"));
        id = recipe.hash();
        store = new TrialStore(shared);
        var task = new TrialTask(id, recipe.toYaml(), shared.toString(), "", "", 1, "cpu", 1);
        try (var process = TrialProcess.start(task, TrialCommand.likeThisProcess())) {
            assertThat(process.waitFor()).isEqualTo(new TrialEnd(TrialEnd.Kind.FINISHED, ""));
        }
    }

    @BeforeEach
    void open() throws IOException {
        trials = RemoteTrials.open(folder.resolve("remote").toUri(), new Configuration());
    }

    @AfterEach
    void close() throws IOException {
        trials.close();
    }

    private static TrialArchive archive() throws IOException {
        return TrialArchive.of(store.directory(id));
    }

    @Test
    void aTrialThatHasEndedComesBackBitForBit() throws IOException {
        var other = new TrialStore(folder.resolve("other"));
        assertThat(trials.fetchEnded(id, other)).isFalse();
        trials.putEnded(id, archive());
        Files.createDirectories(other.directory(id));
        Files.writeString(other.directory(id).resolve("outcome.json"), "of a failure");
        assertThat(trials.fetchEnded(id, other)).isTrue();
        assertThat(other.outcome(id)).isEqualTo(store.outcome(id)).isPresent();
        Map<String, String> fetched = content(other.directory(id));
        assertThat(fetched.keySet()).contains("recipe.yaml", "run.json", "metrics.jsonl", "attempts", "log");
        assertThat(fetched.keySet())
                .as("an older one is of no use")
                .filteredOn(RemoteTrialsTest::isManifest)
                .hasSize(1);
        assertThat(content(store.directory(id))).containsAllEntriesOf(fetched);
        assertThat(Files.list(other.path())).as("nothing else").hasSize(1);
    }

    @Test
    void theNewestStateThatIsWholeIsTheOneToGoOnFrom() throws IOException {
        Path trial = folder.resolve("trial");
        assertThat(trials.fetchSave(id, trial)).isEmpty();
        assertThat(trial).doesNotExist();
        String name = trials.putSave(id, archive());
        Path remote = folder.resolve("remote/trials").resolve(id);
        byte[] whole = Files.readAllBytes(remote.resolve(name));
        for (int later = 1; later <= 3; later++) {
            Files.write(
                    remote.resolve("save-%09d-%016x.zip".formatted(archive().save() + later, later)),
                    Arrays.copyOf(whole, whole.length * later / 4));
        }
        assertThat(trials.fetchSave(id, trial)).contains(name);
        assertThat(content(store.directory(id))).containsAllEntriesOf(content(trial));
        Files.delete(remote.resolve(name));
        Scratch.delete(trial);
        assertThat(trials.fetchSave(id, trial))
                .as("none is whole: it begins anew")
                .isEmpty();
        assertThat(trial).doesNotExist();
    }

    @Test
    void aPartOfAnArchiveIsNeverTakenForAWholeOne() throws IOException {
        var stream = new ByteArrayOutputStream();
        archive().writeTo(stream);
        byte[] whole = stream.toByteArray();
        Path trial = folder.resolve("whole");
        TrialArchive.unpack(new ByteArrayInputStream(whole), trial);
        Map<String, String> all = content(trial);
        // Every end of a file in the archive among them, where the reader of zips sees nothing wrong.
        Set<Integer> lengths = new TreeSet<>();
        for (int i = 0; i + 4 < whole.length; i++) {
            if (whole[i] == 'P' && whole[i + 1] == 'K' && whole[i + 2] < 9) {
                lengths.addAll(List.of(i, i + 1, i + 30));
            }
        }
        for (int i = 0; i < 50; i++) {
            lengths.add((int) (whole.length * (long) i / 50));
        }
        int taken = 0;
        for (int length : lengths) {
            Path part = folder.resolve("part");
            try {
                TrialArchive.unpack(new ByteArrayInputStream(whole, 0, length), part);
                TrialArchive.requireResumable(part);
                Files.deleteIfExists(part.resolve("outcome.json"));
            } catch (IOException e) {
                Scratch.delete(part);
                continue;
            }
            taken++;
            Map<String, String> rest = content(part);
            rest.put("outcome.json", all.get("outcome.json"));
            assertThat(rest).as("%d of %d bytes", length, whole.length).isEqualTo(all);
            Scratch.delete(part);
        }
        assertThat(taken).as("those that lack only the table of contents").isBetween(1, lengths.size() / 2);
    }

    @Test
    void aNewSaveReplacesOldOnesButNotWhatAnotherNodeSavedLater() throws IOException {
        Path remote = Files.createDirectories(folder.resolve("remote/trials").resolve(id));
        long number = archive().save();
        Path old = Files.createFile(remote.resolve("save-%09d-%016x.zip".formatted(number - 1, 1)));
        Path damaged = Files.createFile(remote.resolve("save-%09d-%016x.zip".formatted(number, 2)));
        Path later = Files.createFile(remote.resolve("save-%09d-%016x.zip".formatted(number + 1, 3)));
        String name = trials.putSave(id, archive());
        trials.deleteSavesBut(Set.of(name), id);
        assertThat(old).doesNotExist();
        assertThat(damaged).doesNotExist();
        assertThat(later).exists();
        assertThat(remote.resolve(name)).exists();
        trials.putEnded(id, archive());
        assertThat(later).as("nobody needs it any more").doesNotExist();
    }

    @Test
    void whatATrialHasSavedWhenItEndsIsInTheStore() throws IOException {
        Path trial = folder.resolve("trial");
        trials.putSave(id, archive());
        Optional<String> from = trials.fetchSave(id, trial);
        Files.delete(trial.resolve("outcome.json")); // as if it had been stopped
        Scratch.delete(folder.resolve("remote/trials").resolve(id));
        var pusher = TrialPusher.start(trials, id, trial, from, TimeUnit.HOURS.toMillis(1));
        pusher.close();
        assertThat(pusher.failure()).isEmpty();
        assertThat(trials.fetchSave(id, folder.resolve("other"))).isPresent();
        assertThat(content(folder.resolve("other"))).isEqualTo(content(trial));
    }

    @Test
    void aStoreThatCannotBeReachedIsToldInASentence() {
        assertThatThrownBy(() -> RemoteTrials.open(URI.create("nosuch://host/path"), new Configuration()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the store nosuch://host/path cannot be reached (")
                .hasMessageContaining("--store");
    }

    private static boolean isManifest(String file) {
        return file.endsWith("manifest.txt");
    }

    private static Map<String, String> content(Path directory) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(
                        directory.relativize(file).toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return content;
    }
}
