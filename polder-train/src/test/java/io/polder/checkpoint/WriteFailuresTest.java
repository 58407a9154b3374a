package io.polder.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each operation on files fails in turn. */
class WriteFailuresTest {
    private static final int BYTES = 500;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void aSaveThatFailsAnywhereLeavesTheCheckpointBeforeItAndCanBeRepeated(FailingDisk.Mode mode) throws IOException {
        int failures = 0;
        for (int n = 1; ; n++) {
            Path directory = prepared("save" + n);
            var disk = new FailingDisk(n, mode);
            Optional<String> failure =
                    failureOf(() -> save(new CheckpointStore(directory, 1, checkpoint -> {}, disk), 3));
            if (!disk.hasFailed()) {
                break;
            }
            Checkpoint newest = Samples.newest(directory);
            String what = "operation " + n + ": " + failure.orElse("no failure");
            if (mode == FailingDisk.Mode.FOREVER) {
                // The disk is gone, so nothing could be taken back; what is there must be whole all the same.
                assertThat(newest.step()).as(what).isBetween(2L, 3L);
            } else if (failure.isPresent() && failure.get().startsWith("cannot save step 3 in " + directory)) {
                assertThat(newest.step()).as(what).isEqualTo(2);
                assertThat(directory.resolve(".draft")).doesNotExist();
            } else {
                assertThat(newest.step()).as(what).isEqualTo(3);
                failure.ifPresent(message ->
                        assertThat(message).startsWith("step 3 is saved in " + newest + ", but older checkpoints"));
            }
            failure.ifPresent(message -> assertThat(message).contains(": " + directory.getParent(), "injected"));
            Samples.assertIsOf(newest.step(), BYTES, newest);
            assertIsBest(1, directory);
            for (String name : names(directory)) {
                if (name.startsWith("step-")) {
                    assertThat(names(directory.resolve(name)))
                            .as(what + " of " + name)
                            .hasSize(3);
                }
            }
            failures += failure.isPresent() ? 1 : 0;

            save(store(directory, 1), 4);
            Samples.assertIsOf(4, BYTES, Samples.newest(directory));
            assertIsBest(1, directory);
            assertThat(names(directory)).hasSize(3).noneMatch(name -> name.startsWith("."));
        }
        assertThat(failures).as("operations of a save").isGreaterThan(25);
    }

    @ParameterizedTest
    @EnumSource
    void aMarkThatFailsLeavesOneBestAndCanBeRepeated(FailingDisk.Mode mode) throws IOException {
        int failures = 0;
        for (int n = 1; ; n++) {
            Path directory = prepared("mark" + n);
            var disk = new FailingDisk(n, mode);
            Optional<String> failure =
                    failureOf(() -> new CheckpointStore(directory, 1, checkpoint -> {}, disk).markBest(2));
            if (!disk.hasFailed()) {
                assertIsBest(2, directory);
                break;
            }
            failure.ifPresent(message -> assertThat(message).contains("injected"));
            Checkpoint best = store(directory, 1).best(WriteFailuresTest::fail).orElseThrow();
            assertThat(best.step()).isBetween(failure.isPresent() ? 1L : 2L, 2L);
            failures += failure.isPresent() ? 1 : 0;
            store(directory, 1).markBest(2);
            save(store(directory, 1), 3);
            save(store(directory, 1), 4);
            assertIsBest(2, directory);
            assertThat(names(directory)).hasSize(3);
        }
        assertThat(failures).isGreaterThan(6);
    }

    /** A disk that cannot read is like one that has damaged what it cannot read. */
    @Test
    void aReadThatFailsIsNamedAndTheOneBeforeUsed() throws IOException {
        Path directory = folder.resolve("read");
        save(store(directory, 2), 1);
        save(store(directory, 2), 2);
        int passedOver = 0;
        for (int n = 1; ; n++) {
            var disk = new FailingDisk(n, FailingDisk.Mode.ONCE);
            List<String> complaints = new ArrayList<>();
            Checkpoint[] found = new Checkpoint[1];
            Optional<String> failure =
                    failureOf(() -> found[0] = new CheckpointStore(directory, 2, checkpoint -> {}, disk)
                            .newest(complaints::add)
                            .orElseThrow());
            if (!disk.hasFailed()) {
                break;
            }
            if (failure.isPresent()) {
                assertThat(failure.get()).contains(directory.toString()); // it could not even be listed
            } else {
                Samples.assertIsOf(1, BYTES, found[0]);
                assertThat(complaints)
                        .singleElement()
                        .asString()
                        .contains("save-2", "is damaged and not used", "injected");
                passedOver++;
            }
        }
        assertThat(passedOver).isGreaterThan(5);
    }

    /** It is the older ones that are in the way, not the save. */
    @Test
    void aSaveIsASaveThoughOlderOnesCannotBeDeleted() throws IOException {
        Path directory = prepared("undeletable");
        Disk disk = new FailingDisk() {
            @Override
            public void delete(Path path) throws IOException {
                if (path.getParent().endsWith(".discarded")) {
                    throw new FileSystemException(path.toString(), null, "an injected failure");
                }
                super.delete(path);
            }
        };
        List<String> complaints = new ArrayList<>();
        new CheckpointStore(directory, 1, checkpoint -> {}, disk).save(3, Samples.of(3, BYTES), complaints::add);
        assertThat(complaints)
                .singleElement()
                .asString()
                .startsWith("step 3 is saved in " + directory + "/step-000000003-save-3, but older checkpoints");
        Samples.assertIsOf(3, BYTES, Samples.newest(directory));
    }

    @Test
    void aDamagedMarkIsNoneAndOldOnesAreDeletedAsEver() throws IOException {
        Path directory = prepared("damaged mark");
        Path mark = directory.resolve("best.txt");
        Files.writeString(mark, "nonsense");
        save(store(directory, 1), 3);
        assertThat(names(directory)).containsExactlyInAnyOrder("best.txt", "step-000000003-save-3");
        store(directory, 1).markBest(3);
        save(store(directory, 1), 4);
        assertThat(names(directory)).hasSize(3);
        assertIsBest(3, directory);
    }

    @Test
    void aDamagedMarkIsMadeAnewAndAGoodOneIsLeftAlone() throws IOException {
        Path directory = prepared("mended mark");
        Path mark = directory.resolve("best.txt");
        String good = Files.readString(mark);
        store(directory, 1).mendBest(2, WriteFailuresTest::fail);
        assertThat(mark).hasContent(good);
        for (String damaged : List.of(
                "nonsense",
                good.replace("save-1", "save-2"),
                good.replace("000000001-save-1", "000000002-save-2"),
                "")) {
            Files.writeString(mark, damaged);
            List<String> complaints = new ArrayList<>();
            store(directory, 1).mendBest(7, complaints::add);
            assertThat(mark).as("there is no step 7 to mark").hasContent(damaged);
            store(directory, 1).mendBest(1, complaints::add);
            assertThat(mark).hasContent(good);
            assertThat(complaints)
                    .hasSize(2)
                    .allMatch(sentence -> sentence.startsWith(mark + " is damaged and not used: "));
        }
        Files.delete(mark);
        store(directory, 1).mendBest(1, WriteFailuresTest::fail);
        assertIsBest(1, directory);
    }

    /** Step 1, which is the best, and step 2. */
    private Path prepared(String name) throws IOException {
        Path directory = folder.resolve(name).resolve("checkpoints");
        var store = store(directory, 1);
        save(store, 1);
        store.markBest(1);
        save(store, 2);
        // A best of before and a draft of before, so that the operations which delete them have something to do.
        Path draft = Files.createDirectory(directory.resolve(".draft"));
        Files.writeString(draft.resolve("leftover"), "of a crash");
        return directory;
    }

    private static CheckpointStore store(Path directory, int keep) {
        return new CheckpointStore(directory, keep, checkpoint -> {}, new FailingDisk());
    }

    private static void save(CheckpointStore store, long step) throws IOException {
        store.save(step, Samples.of(step, BYTES));
    }

    private static void assertIsBest(long step, Path directory) throws IOException {
        Samples.assertIsOf(
                step, BYTES, store(directory, 1).best(WriteFailuresTest::fail).orElseThrow());
    }

    private static void fail(String complaint) {
        throw new AssertionError(complaint);
    }

    private interface Action {
        void run() throws IOException;
    }

    private static Optional<String> failureOf(Action action) {
        try {
            action.run();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static List<String> names(Path directory) throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.map(path -> path.getFileName().toString()).toList();
        }
    }
}
