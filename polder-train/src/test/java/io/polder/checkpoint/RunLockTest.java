package io.polder.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class RunLockTest {
    @TempDir
    private Path run;

    @Test
    void anotherProcessIsNamedAndItsDeathFreesTheLock() throws Exception {
        Process holder = ChildJvm.start(HoldsALock.class, run);
        try (var output = holder.inputReader()) {
            assertThat(output.readLine()).isEqualTo("taken");
            assertThatThrownBy(() -> RunLock.take(run))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching("\\Q" + run + "\\E is in use by process " + holder.pid()
                            + " on [A-Za-z0-9._-]+: wait until it ends, or choose another directory");
        } finally {
            holder.destroyForcibly().waitFor(); // SIGKILL: it cannot clean up
        }
        RunLock.take(run).close();
    }

    /** On POSIX systems the second opening of the file would free the first lock when it is closed. */
    @Test
    void thisProcessIsRefusedTooAndTheLockHoldsOn() throws Exception {
        try (var lock = RunLock.take(run)) {
            String refusal =
                    run + " is in use by this process already: wait until it ends, or choose another directory";
            assertThatThrownBy(() -> RunLock.take(run)).hasMessage(refusal);
            assertThatThrownBy(() -> RunLock.take(run.resolve("../" + run.getFileName())))
                    .hasMessageContaining("this process already");
            assertThat(answerOfAnotherProcess())
                    .startsWith(run + " is in use by process "
                            + ProcessHandle.current().pid() + " on ");
        }
        assertThat(answerOfAnotherProcess()).isEqualTo("taken");
        var again = RunLock.take(run);
        again.close();
        again.close();
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "links need privileges")
    void aLinkIsTheSameDirectory() throws IOException {
        Path link = Files.createSymbolicLink(run.resolve("link"), run);
        try (var lock = RunLock.take(link)) {
            assertThatThrownBy(() -> RunLock.take(run)).hasMessageContaining("in use by this process");
        }
    }

    @Test
    void whoeverWroteNonsenseIsNotQuoted() throws Exception {
        try (var lock = RunLock.take(run)) {
            overwriteFromAnotherProcess("process 1 on \u001b[31mhost");
            assertThat(answerOfAnotherProcess()).startsWith(run + " is in use by another process: wait");
        }
    }

    @Test
    void theTextOfADeadProcessIsNoLock() throws IOException {
        Files.writeString(
                run.resolve("lock"), "process 1 on a-much-longer-name-than-that-of-this-machine.example.org\n");
        try (var lock = RunLock.take(run)) {
            // Not read with Files: closing that channel would free the lock.
        }
        assertThat(Files.readString(run.resolve("lock")))
                .startsWith("process " + ProcessHandle.current().pid() + " on ")
                .hasLineCount(1);
    }

    @Test
    void aDirectoryThatIsNotThereIsASentence() {
        Path missing = run.resolve("missing");
        assertThatThrownBy(() -> RunLock.take(missing))
                .isInstanceOf(IOException.class)
                .hasMessage(missing + " cannot be locked (there is no such file or directory):"
                        + " choose a directory where files can be");
    }

    private String answerOfAnotherProcess() throws Exception {
        Process process = ChildJvm.start(HoldsALock.class, run);
        try (var output = process.inputReader()) {
            return output.readLine();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private void overwriteFromAnotherProcess(String text) throws Exception {
        Process process = new ProcessBuilder("tee", run.resolve("lock").toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var input = process.outputWriter()) {
            input.write(text);
        }
        assertThat(process.waitFor()).isZero();
    }
}
