package io.polder.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.fuzz.Fuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged checkpoints: what was saved, or a complaint that names the file and the checkpoint before. Nothing is believed without its checksum. */
@Tag("slow")
class CheckpointFuzzTest {
    private static final int BYTES = 500;

    @TempDir
    private Path folder;

    private Path checkpoints;
    private Path newest;

    @BeforeEach
    void saveTwo() throws IOException {
        checkpoints = folder.toRealPath().resolve("checkpoints");
        var store = new CheckpointStore(checkpoints, 2);
        store.save(1, Samples.of(1, BYTES));
        newest = store.save(2, Samples.of(2, BYTES)).directory();
    }

    @Test
    void manifests() throws Exception {
        damage(Manifest.FILE);
    }

    @Test
    void filesOfACheckpoint() throws Exception {
        damage(Samples.STATE);
        damage(Samples.WEIGHTS);
    }

    private void damage(String name) throws Exception {
        Path file = newest.resolve(name);
        byte[] good = Files.readAllBytes(file);
        Fuzz.of("checkpoint's " + name, good)
                .oneCaseOf(2)
                .naming(newest)
                .sameOrRefused()
                .run(bytes -> {
                    Files.write(file, bytes);
                    List<String> complaints = new ArrayList<>();
                    Checkpoint found = new CheckpointStore(checkpoints, 2)
                            .newest(complaints::add)
                            .orElseThrow();
                    Samples.assertIsOf(found.step(), BYTES, found);
                    if (found.step() == 1) {
                        throw new IOException(String.join("\n", complaints));
                    }
                    return found.step();
                });
        Files.write(file, good);
    }

    /** Told, or the best that was marked. */
    @Test
    void marksOfTheBest() throws Exception {
        new CheckpointStore(checkpoints, 2).markBest(1);
        Path mark = checkpoints.resolve("best.txt");
        Fuzz.of("best.txt", Files.readAllBytes(mark))
                .naming(checkpoints)
                .sameOrRefused()
                .run(bytes -> {
                    Files.write(mark, bytes);
                    List<String> complaints = new ArrayList<>();
                    var best = new CheckpointStore(checkpoints, 2).best(complaints::add);
                    if (best.isEmpty()) {
                        throw new IOException(String.join("\n", complaints));
                    }
                    Samples.assertIsOf(1, BYTES, best.get());
                    return best.get().step();
                });
    }

    /** What lies beside the checkpoints, however it is called, neither hides the next one nor is taken for one. */
    @Test
    void namesOfDirectories() throws Exception {
        byte[][] seeds = {
            "step-000000002-save-2".getBytes(StandardCharsets.UTF_8),
            "step-999999999999999999-save-999999999999999999".getBytes(StandardCharsets.UTF_8),
            "best.txt".getBytes(StandardCharsets.UTF_8)
        };
        Fuzz.of("name of a checkpoint", seeds).oneCaseOf(6).refusedBy().run(bytes -> {
            Path other = beside(new String(bytes, StandardCharsets.UTF_8));
            if (other == null || Files.exists(other)) {
                return "no name of another directory";
            }
            Files.createDirectory(other);
            var store = new CheckpointStore(checkpoints, 2);
            store.save(3, Samples.of(3, BYTES));
            Checkpoint found = store.newest(complaint -> {}).orElseThrow();
            Samples.assertIsOf(3, BYTES, found);
            for (Path path : List.of(other, found.directory())) {
                for (String name : List.of(Samples.STATE, Samples.WEIGHTS, Manifest.FILE)) {
                    Files.deleteIfExists(path.resolve(name));
                }
                Files.deleteIfExists(path);
            }
            return "";
        });
    }

    private Path beside(String name) {
        try {
            Path path = checkpoints.resolve(name);
            return checkpoints.equals(path.getParent()) && name.length() < 200 && !name.startsWith(".") ? path : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** What is in the file is for people: the lock is the system's. */
    @Test
    void locks() throws Exception {
        Path lock = folder.resolve(RunLock.FILE);
        RunLock.take(folder).close();
        Fuzz.of("lock", Files.readAllBytes(lock)).refusedBy().run(bytes -> {
            Files.write(lock, bytes);
            RunLock.take(folder).close();
            assertThat(lock)
                    .content()
                    .startsWith("process " + ProcessHandle.current().pid() + " on ");
            return "";
        });
    }
}
