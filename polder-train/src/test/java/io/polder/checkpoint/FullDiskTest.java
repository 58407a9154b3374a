package io.polder.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** On a real file system of 1 MB, which only the process under test can see. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux has private mounts")
class FullDiskTest {
    @TempDir
    private Path folder;

    @Test
    void aFullDiskIsNamedAndTheNextSaveThatFitsSucceeds() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(exitCode(onSmallDisk(disk, List.of("true"))) == 0, "this machine lets nobody mount a file system");
        Process process = ChildJvm.start(onSmallDisk(disk, ChildJvm.command(FillsTheDisk.class, disk)));
        try (var output = process.inputReader()) {
            assertThat(output.lines())
                    .containsExactly(
                            "cannot save step 2 in " + disk + ": cannot write " + disk.resolve(".draft/large")
                                    + " (No space left on device): make room or choose another place;"
                                    + " the checkpoints of before are untouched",
                            "newest: 1",
                            "newest: 3");
        }
        assertThat(process.waitFor()).isZero();
    }

    private static List<String> onSmallDisk(Path disk, List<String> command) {
        List<String> all = new ArrayList<>(List.of(
                "unshare",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o size=1m none \"$0\" && exec \"$@\""));
        all.add(disk.toString());
        all.addAll(command);
        return all;
    }

    private static int exitCode(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return 1; // there is no such program
        }
    }
}
