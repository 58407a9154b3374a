package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** However a command fails: a sentence and an exit code, and Java's own words only if asked for. */
class MainTest {
    @TempDir
    private Path directory;

    @Test
    void aHeapThatIsTooSmallIsASentence() throws Exception {
        for (String split : List.of("train", "t10k")) {
            writeIdx(split + "-images-idx3-ubyte", 3, 1 << 28);
            writeIdx(split + "-labels-idx1-ubyte", 1, 1 << 18);
        }
        var outcome = run(List.of("-Xmx40m"), "compare", "--data", directory.toString(), "--out", out());
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .isEqualTo(
                        "polder: there is not enough memory (OutOfMemoryError: Java heap space): close other programs,"
                                + " ask for less at a time, or let Java have more by POLDER_JAVA_OPTIONS=-Xmx4g\n");
    }

    @Test
    void anEngineThatIsNotForThisMachineIsASentenceAndWithDebugAStack() throws Exception {
        List<String> elsewhere = List.of("-Dorg.bytedeco.javacpp.platform=linux-riscv64");
        var outcome = run(elsewhere, "train", "quick-fashion", "--out", out());
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .startsWith("polder: a part of Polder or of its engine cannot be loaded (")
                .hasLineCount(1);
        assertThat(run(elsewhere, "train", "quick-fashion", "--out", out(), "--debug")
                        .errors())
                .startsWith("polder: a part of Polder or of its engine cannot be loaded (")
                .contains("\n\tat ");
    }

    /** As by a Java that was started under the locale C, without the launcher. */
    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere names of files do not depend on the locale")
    void aNameThatTheLocaleCannotSayIsASentence() throws Exception {
        String sentence = " cannot be a path here (Malformed input or input contains unmappable characters):"
                + " for names beyond ASCII set a locale in UTF-8, such as LC_ALL=C.UTF-8";
        var recipe = underLocaleC("train", "données/é.yaml");
        assertThat(recipe.exitCode()).isEqualTo(1);
        assertThat(recipe.errors()).startsWith("polder: '").contains(sentence).hasLineCount(1);
        for (List<String> arguments :
                List.of(List.of("watch", "données"), List.of("study", "smoke", "--data", "données"))) {
            var option = underLocaleC(arguments.toArray(String[]::new));
            assertThat(option.exitCode()).isEqualTo(2);
            assertThat(option.errors())
                    .startsWith("polder: Invalid value for ")
                    .contains(sentence)
                    .doesNotContain("Exception")
                    .hasLineCount(1);
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux has a device that is always full")
    void whatCannotBePrintedIsAFailure() throws Exception {
        var full = after("exec \"$@\" >/dev/full", "recipes");
        assertThat(full.exitCode()).isEqualTo(1);
        assertThat(full.errors())
                .isEqualTo(
                        "polder: cannot write to standard output (No space left on device): what was printed is lost\n");
        var enough = after("{ \"$@\"; echo \"exit $?\" >&2; } | head -n 1", "recipes");
        assertThat(enough.errors()).isEqualTo("exit 0\n");
        assertThat(enough.output()).hasLineCount(1);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "other systems lack the device")
    void aFileWithoutEndIsRefused() throws Exception {
        for (String command : List.of("train", "study")) {
            var outcome = run(List.of(), command, "/dev/zero");
            assertThat(outcome.errors()).startsWith("polder: /dev/zero").hasLineCount(1);
            assertThat(outcome.errors()).doesNotContain("memory");
        }
    }

    @Test
    void aNameMayBeginWithAnAt() throws Exception {
        Path study = Files.writeString(directory.resolve("@study"), "--version\n");
        assertThat(run(List.of(), "@" + study).errors()).contains("Unmatched argument at index 0: '@" + study + "'");
    }

    private PolderProcess.Outcome after(String script, String... arguments) throws Exception {
        return PolderProcess.start(directory, List.of("sh", "-c", script, "sh"), List.of(), arguments)
                .outcome();
    }

    @Test
    void everyErrorOfJavaHasItsSentence() {
        for (var entry : Map.of(
                        new OutOfMemoryError("Java heap space"), "there is not enough memory (",
                        new StackOverflowError(), "what was given is nested too deeply (StackOverflowError): ",
                        new UnsatisfiedLinkError("no jnitorch in java.library.path: /usr\nmore"),
                                "a part of Polder or of its engine cannot be loaded (UnsatisfiedLinkError: no jnitorch",
                        new NoClassDefFoundError("io/polder/Gone"),
                                "a part of Polder or of its engine cannot be loaded (",
                        new ExceptionInInitializerError(new IOException("x")),
                                "a part of Polder or of its engine cannot be loaded (",
                        new InternalError("a fault occurred in an unsafe memory access operation"),
                                "Java failed (InternalError: a fault occurred in",
                        new AssertionError("never"), "Polder failed (AssertionError: never): ")
                .entrySet()) {
            assertThat(Main.sentence(entry.getKey()))
                    .startsWith(entry.getValue())
                    .hasLineCount(1);
        }
    }

    /** Wherever it says so: in an evaluation, a prediction or while a network is built. */
    @Test
    void memoryThatTheEngineLacksIsASentence() {
        Throwable e = catchThrowable(() -> torch.empty(1L << 46));
        assertThat(Main.sentence(e))
                .isEqualTo("there is not enough memory for what was wanted, which asked for 281474976710656 bytes more:"
                        + " close other programs, or ask for a smaller network, or smaller or fewer images at a time");
    }

    private String out() {
        return directory.resolve("out").toString();
    }

    private PolderProcess.Outcome run(List<String> options, String... arguments) throws Exception {
        return PolderProcess.start(directory, options, arguments).outcome();
    }

    private PolderProcess.Outcome underLocaleC(String... arguments) throws Exception {
        return PolderProcess.start(directory, List.of("env", "LC_ALL=C"), List.of(), arguments)
                .outcome();
    }

    /** Of zeros that take no room on the disk. */
    private void writeIdx(String name, int dimensions, int bytes) throws IOException {
        var header = ByteBuffer.allocate(4 + 4 * dimensions).putInt(0x800 + dimensions);
        header.putInt(dimensions == 1 ? bytes : bytes / 1024);
        for (int i = 1; i < dimensions; i++) {
            header.putInt(32);
        }
        Path file = Files.write(directory.resolve(name), header.array());
        try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(header.capacity() + (long) bytes);
        }
    }
}
