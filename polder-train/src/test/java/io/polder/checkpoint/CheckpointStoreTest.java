package io.polder.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointStoreTest {
    private static final int BYTES = 1000;

    @TempDir
    private Path folder;

    private final List<String> complaints = new ArrayList<>();

    @Test
    void whatWasSavedIsFound() throws IOException {
        var store = store(3);
        assertThat(store.newest(complaints::add)).isEmpty();
        assertThat(store.best(complaints::add)).isEmpty();
        assertThat(checkpoints()).as("made by the first save, not by looking").doesNotExist();

        Samples.assertIsOf(7, BYTES, store.save(7, Samples.of(7, BYTES)));
        save(store, 12);
        Samples.assertIsOf(12, BYTES, store.newest(complaints::add).orElseThrow());
        assertThat(complaints).isEmpty();
        assertThat(names()).containsExactly("step-000000007-save-1", "step-000000012-save-2");
    }

    @Test
    void theNewestBeforeAStepIsOfTheCourseThatTheRunTook() throws IOException {
        var store = store(9);
        for (long step : new long[] {100, 200, 300, 250}) {
            save(store, step);
        }
        Samples.assertIsOf(200, BYTES, store.newestBefore(250, complaints::add).orElseThrow());
        Samples.assertIsOf(250, BYTES, store.newestBefore(251, complaints::add).orElseThrow());
        assertThat(store.newestBefore(100, complaints::add)).isEmpty();
        assertThat(complaints).isEmpty();
    }

    /** The checksums: CRC-32C bit by bit from its definition, and CRC-32 by zlib, both in Python. */
    @Test
    void theManifestIsWhatTheDocumentationSays() throws IOException {
        var checkpoint = store(1).save(12345, draft -> {
            Files.writeString(draft.resolve("b.json"), "hello\n");
            Files.createFile(draft.resolve("a"));
        });
        assertThat(checkpoint.directory().resolve(Manifest.FILE))
                .hasContent("Polder checkpoint, format 1: step-000012345-save-1\n"
                        + "0 bytes, 0000000000000000: a\n"
                        + "6 bytes, 353dd8be363a3020: b.json\n"
                        + "the lines above: 091dd08c821ee4c1\n");
    }

    @Test
    void theLastFewAreKept() throws IOException {
        var store = store(2);
        for (long step = 1; step <= 5; step++) {
            save(store, step);
            assertThat(steps()).hasSize((int) Math.min(step, 2)).contains(step);
        }
        assertThat(steps()).containsExactly(4L, 5L);
    }

    @Test
    void theBestIsKeptBesideThemUntilAnotherIs() throws IOException {
        var store = store(2);
        save(store, 1);
        store.markBest(1);
        for (long step = 2; step <= 5; step++) {
            save(store, step);
        }
        assertThat(steps()).containsExactly(1L, 4L, 5L);
        Samples.assertIsOf(1, BYTES, store.best(complaints::add).orElseThrow());

        store.markBest(5);
        assertThat(steps()).as("nothing is deleted by a mark").contains(1L);
        save(store, 6);
        save(store, 7);
        save(store, 8);
        assertThat(steps()).containsExactly(5L, 7L, 8L);
        Samples.assertIsOf(5, BYTES, store(2).best(complaints::add).orElseThrow());
        assertThat(complaints).isEmpty();
    }

    @Test
    void theBestMustBeThere() throws IOException {
        var store = store(2);
        save(store, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.markBest(2))
                .withMessage("step is 2: it must be that of a checkpoint in " + checkpoints());
    }

    @Test
    void aStepSavedAgainTakesThePlaceOfTheFormer() throws IOException {
        var store = store(1);
        save(store, 5);
        store.save(5, draft -> Files.writeString(draft.resolve("other"), "text"));
        assertThat(store.newest(complaints::add).orElseThrow().files()).containsExactly("other");
        assertThat(names()).containsExactly("step-000000005-save-2");
    }

    @Test
    void aRunThatWentBackHasLeftWhatCameAfter() throws IOException {
        var store = store(3);
        for (long step : new long[] {100, 200, 300, 400}) {
            save(store, step);
        }
        store.markBest(400);
        save(store, 250);
        assertThat(steps())
                .as("300 is of the former course, 400 too, but is the best")
                .containsExactly(200L, 250L, 400L);
        Samples.assertIsOf(250, BYTES, store.newest(complaints::add).orElseThrow());
        damage("step-000000250-save-5");
        Samples.assertIsOf(200, BYTES, store.newest(complaints::add).orElseThrow());

        save(store, 400);
        Samples.assertIsOf(400, BYTES, store.best(complaints::add).orElseThrow());
        assertThat(store.best(complaints::add).orElseThrow().directory()).hasFileName("step-000000400-save-4");
    }

    @Test
    void leftoversOfACrashAreNoCheckpointsAndGoWithTheNextSave() throws IOException {
        var store = store(2);
        Path first = save(store, 1).directory();
        for (String leftover : List.of(".draft", ".discarded")) {
            Path copy = Files.createDirectory(checkpoints().resolve(leftover));
            for (String name : List.of(Samples.WEIGHTS, Manifest.FILE)) {
                Files.copy(first.resolve(name), copy.resolve(name));
            }
            Files.createDirectories(copy.resolve("deep/down"));
        }
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.createFile(elsewhere.resolve("precious"));
        Files.createSymbolicLink(checkpoints().resolve(".draft/link"), elsewhere);
        Files.createFile(checkpoints().resolve(".best.txt"));
        Files.writeString(checkpoints().resolve("notes.txt"), "somebody's own");

        Samples.assertIsOf(1, BYTES, store.newest(complaints::add).orElseThrow());
        save(store, 2);
        assertThat(names()).containsExactly("notes.txt", "step-000000001-save-1", "step-000000002-save-2");
        assertThat(elsewhere.resolve("precious")).exists();
        assertThat(complaints).isEmpty();
    }

    @Test
    void contentsThatFailLeaveTheOldAndNothingElse() throws IOException {
        var store = store(1);
        save(store, 1);
        assertThatThrownBy(() -> store.save(2, draft -> {
                    Files.writeString(draft.resolve("half"), "written");
                    throw new IOException("No space left on device");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot save step 2 in " + checkpoints()
                        + ": No space left on device: make room or choose another place; the checkpoints of before are"
                        + " untouched");
        assertThatThrownBy(() -> store.save(2, draft -> {
                    Files.writeString(draft.resolve("half"), "written");
                    throw new IllegalStateException("the device is gone");
                }))
                .hasMessage("the device is gone");
        assertThat(names()).containsExactly("step-000000001-save-1");
        Samples.assertIsOf(1, BYTES, Samples.newest(checkpoints()));
    }

    @Test
    void contentsThatNoCheckpointCanHaveAreRefused() throws IOException {
        var store = store(1);
        save(store, 1);
        assertRefused(store, draft -> {}, "a checkpoint has no files");
        assertRefused(store, draft -> Files.createDirectory(draft.resolve("sub")), "name is \"sub\"");
        assertRefused(store, draft -> Files.createFile(draft.resolve("two\nlines")), "name is \"two?lines\"");
        assertRefused(store, draft -> Files.createFile(draft.resolve(".hidden")), "name is \".hidden\"");
        assertRefused(store, draft -> Files.createFile(draft.resolve(Manifest.FILE)), "name is \"manifest.txt\"");
        assertRefused(
                store,
                draft -> Files.createSymbolicLink(draft.resolve("link"), checkpoints()),
                "name is \"link\": in a checkpoint it must be that of a plain file");
        assertRefused(
                store,
                draft -> {
                    for (int i = 0; i <= Manifest.MOST_FILES; i++) {
                        Files.createFile(draft.resolve("f" + i));
                    }
                },
                "a checkpoint has too many files");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> save(store, -1))
                .withMessageStartingWith("step is -1: it must be between 0 and ");
        assertThatIllegalArgumentException().isThrownBy(() -> store(0)).withMessage("keep is 0: it must be at least 1");
        assertThat(names()).containsExactly("step-000000001-save-1");
    }

    private static void assertRefused(CheckpointStore store, CheckpointStore.Contents contents, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.save(2, contents))
                .withMessageStartingWith(message);
    }

    /** Ctrl-C interrupts the training thread, which then saves. */
    @Test
    void anInterruptedThreadSavesAllTheSameAndStaysInterrupted() throws IOException {
        var store = store(1);
        Thread.currentThread().interrupt();
        try {
            save(store, 1);
            store.markBest(1);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        Samples.assertIsOf(1, BYTES, Samples.newest(checkpoints()));
    }

    @Test
    void aLinkToTheDirectoryWillDo() throws IOException {
        Path real = Files.createDirectory(folder.resolve("another disk"));
        Files.createSymbolicLink(checkpoints(), real);
        save(store(1), 1);
        assertThat(real.resolve("step-000000001-save-1")).isDirectory();
    }

    @Test
    void onlyItsOwnFilesAreFound() throws IOException {
        var checkpoint = save(store(1), 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> checkpoint.file("../x"))
                .withMessage("name is \"../x\": it must be that of a file of " + checkpoint.directory()
                        + ", one of [state.json, weights.safetensors]");
    }

    /** A run that goes on saves and deletes under the eyes of {@code evaluate}. */
    @Test
    void oneThatIsDeletedWhileItIsReadIsNoDamage() throws IOException {
        var writer = store(1);
        save(writer, 1);
        writer.markBest(1);
        boolean[] overtaken = new boolean[1];
        Disk slow = new FailingDisk() {
            @Override
            public InputStream open(Path file) throws IOException {
                if (file.endsWith("step-000000001-save-1/" + Samples.WEIGHTS) && !overtaken[0]) {
                    overtaken[0] = true;
                    save(writer, 2);
                    writer.markBest(2);
                    save(writer, 3);
                }
                return super.open(file);
            }
        };
        Samples.assertIsOf(
                3,
                BYTES,
                new CheckpointStore(checkpoints(), 1, checkpoint -> {}, slow)
                        .newest(complaints::add)
                        .orElseThrow());
        assertThat(overtaken[0]).isTrue();
        assertThat(complaints).isEmpty();
    }

    private CheckpointStore store(int keep) {
        return new CheckpointStore(checkpoints(), keep);
    }

    private Path checkpoints() {
        return folder.resolve("checkpoints");
    }

    private static Checkpoint save(CheckpointStore store, long step) throws IOException {
        return store.save(step, Samples.of(step, BYTES));
    }

    private void damage(String name) throws IOException {
        Files.delete(checkpoints().resolve(name).resolve(Samples.STATE));
    }

    private List<String> names() throws IOException {
        try (var entries = Files.list(checkpoints())) {
            return entries.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private List<Long> steps() throws IOException {
        return names().stream()
                .filter(name -> name.startsWith("step-"))
                .map(name -> Long.parseLong(name.substring(5, 14)))
                .toList();
    }
}
