package io.polder.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledSaveTest {
    private static final long SEED = 6;
    private static final int KILLS = 20;
    /** Some two or three saves, so that every part of one is met. */
    private static final int LONGEST_WAIT_MILLISECONDS = 60;

    @TempDir
    private Path folder;

    @Test
    void aProcessKilledAtAnyMomentLosesNothingItHasAnnounced() throws Exception {
        Path checkpoints = folder.resolve("checkpoints");
        var random = new Random(SEED);
        long announced = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            Process process = ChildJvm.start(SavesForEver.class, checkpoints);
            try (BufferedReader output = process.inputReader()) {
                long first = Long.parseLong(output.readLine());
                assertThat(first).as("it went on after %s", announced).isGreaterThan(announced);
                Thread.sleep(random.nextInt(LONGEST_WAIT_MILLISECONDS));
                process.toHandle().destroyForcibly(); // unlike the process's own, it leaves us the rest of the output
                announced = output.lines().mapToLong(Long::parseLong).max().orElse(first);
            } finally {
                process.destroyForcibly();
            }
            Checkpoint newest = Samples.newest(checkpoints);
            assertThat(newest.step()).as("kill %s", kill).isBetween(announced, announced + 1);
            Samples.assertIsOf(newest.step(), SavesForEver.BYTES, newest);
            if (announced > 3) {
                Checkpoint best = new CheckpointStore(checkpoints, SavesForEver.KEEP)
                        .best(complaint -> {
                            throw new AssertionError(complaint);
                        })
                        .orElseThrow();
                assertThat(best.step() % 3).isZero();
                assertThat(best.step()).isBetween(announced - 3, announced + 1);
            }
        }
    }
}
