package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user meets it: a process, its output, its exit code, and what it leaves on the disk. */
class CompareCommandTest {
    @TempDir
    private Path directory;

    private Path data;
    private Path out;

    @BeforeEach
    void writeData() throws IOException {
        data = Files.createDirectory(directory.resolve("data"));
        out = directory.resolve("made by the command").resolve("out");
        writeSplit("train", 96);
        writeSplit("t10k", 40);
    }

    @Test
    void comparesThreeMethodsAndWritesTheReport() throws Exception {
        var outcome = compare("--seeds", "2", "--epochs", "2");
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        assertThat(outcome.output())
                .contains(
                        "Standard training",
                        "SAM",
                        "r = 0.2",
                        "Gradient-norm penalty",
                        "r = 0.4, α = 0.6",
                        "Over 2 seeds")
                .contains("Report: " + out.resolve("report.html"));
        // Not a terminal: lines, without escapes.
        assertThat(outcome.errors())
                .contains("SAM, seed 2: epoch 2/2, test error")
                .doesNotContain("\u001b");

        JsonNode results =
                new ObjectMapper().readTree(out.resolve("results.json").toFile());
        assertThat(results.get("trials")).hasSize(6);
        assertThat(results.get("command").asText()).startsWith("./polder compare --data");
        String report = Files.readString(out.resolve("report.html"));
        assertThat(report).contains("Three ways to train on data", "libtorch 2.10", "<svg");
        try (var files = Files.list(out)) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void sameSeedsGiveTheSameResults() throws Exception {
        compare("--seeds", "1", "--epochs", "2");
        String first = withoutTimes(out.resolve("results.json"));
        compare("--seeds", "1", "--epochs", "2");
        assertThat(withoutTimes(out.resolve("results.json"))).isEqualTo(first);
    }

    @Test
    void wrongNumbersAreOneSentenceAndExitCode2() throws Exception {
        assertRefused(2, "the penalty's r is -0.5: it must be a finite number of at least 0", "--r", "-0.5");
        assertRefused(2, "the penalty's alpha is NaN: it must be a finite number", "--alpha", "NaN");
        assertRefused(2, "SAM's r is -1.0: it must be a finite number of at least 0", "--sam-r", "-1");
        assertRefused(2, "seeds is 0: it must be at least 1", "--seeds", "0");
        assertRefused(2, "epochs is -2: it must be at least 1", "--epochs", "-2");
        assertRefused(2, "'many' is not an int", "--seeds", "many");
        assertRefused(2, "'--sead'", "--sead", "3");
    }

    @Test
    void imagesCutShortAreNamed() throws Exception {
        Path images = data.resolve("train-images-idx3-ubyte");
        byte[] whole = Files.readAllBytes(images);
        Files.write(images, Arrays.copyOf(whole, whole.length - 100));
        assertRefused(1, images.toString());
    }

    @Test
    void wrongMagicNumberIsNamed() throws Exception {
        Path labels = data.resolve("t10k-labels-idx1-ubyte");
        Files.write(labels, "these are not labels".getBytes());
        assertRefused(1, labels.toString());
    }

    @Test
    void promiseOf2To31ImagesIsNotBelieved() throws Exception {
        Path images = data.resolve("train-images-idx3-ubyte");
        Files.write(images, header(0x803, 0x80000000, 28, 28));
        assertRefused(1, images.toString());
        Files.write(images, header(0x803, 0x7fffffff, 0x7fffffff, 0x7fffffff));
        assertRefused(1, images.toString());
    }

    @Test
    void imagesAndLabelsOfDifferentCountsAreRefused() throws Exception {
        writeLabels("train", 95);
        assertRefused(1, "95");
    }

    @Test
    void emptyDataSetIsRefused() throws Exception {
        writeSplit("train", 0);
        assertRefused(1, "train-images-idx3-ubyte");
    }

    @Test
    void trainingAndTestImagesMustAgree() throws Exception {
        var labels = Files.readAllBytes(data.resolve("t10k-labels-idx1-ubyte"));
        labels[8] = 9;
        Files.write(data.resolve("t10k-labels-idx1-ubyte"), labels);
        assertRefused(1, "they must agree");
    }

    @Test
    void missingFilesAreNamed() throws Exception {
        Files.delete(data.resolve("t10k-images-idx3-ubyte"));
        assertRefused(1, "t10k-images-idx3-ubyte");
    }

    @Test
    void outputDirectoryThatCannotBeWrittenIsRefusedBeforeTraining() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "in the way");
        out = file.resolve("out");
        assertRefused(1, "cannot write to the directory " + out);
        assertThat(file).hasContent("in the way");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux has private mounts")
    void aDiskThatIsFullIsToldBeforeTraining() throws Exception {
        out = Files.createDirectory(directory.resolve("disk"));
        var outcome =
                onSmallDisk("head -c 2M /dev/zero >\"$0/large\" 2>/dev/null; ").outcome();
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .isEqualTo("polder: cannot write to the directory " + out
                        + " (No space left on device): choose another\n");
        assertThat(outcome.output()).isEmpty();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux has private mounts")
    void aDiskThatFillsUpDuringTrainingDoesNotCostTheTable() throws Exception {
        out = Files.createDirectory(directory.resolve("disk"));
        var polder = onSmallDisk("", "--epochs", "60");
        polder.awaitErrors("epoch ");
        Path seenByIt = Path.of("/proc/" + polder.process().pid() + "/root" + out);
        assertThatThrownBy(() -> Files.write(seenByIt.resolve("large"), new byte[1 << 21]))
                .hasMessage("No space left on device");
        var outcome = polder.outcome();
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.output()).contains("Gradient-norm penalty  r = 0.4").doesNotContain("Report:");
        assertThat(outcome.errors().lines().reduce((before, last) -> last))
                .hasValue("polder: cannot write " + out.resolve("results.json")
                        + " (No space left on device): make room or choose another place");
    }

    /** Compares into a file system of 1 MB of its own. */
    private PolderProcess onSmallDisk(String before, String... options) throws Exception {
        List<String> mounting = List.of("unshare", "--map-root-user", "--mount", "sh", "-c");
        String mount = "mount -t tmpfs -o size=1m none \"$0\" && { " + before + "exec \"$@\"; }";
        var trying = new ArrayList<>(mounting);
        trying.addAll(List.of(mount, out.toString(), "true"));
        assumeTrue(new ProcessBuilder(trying).start().waitFor() == 0, "this machine lets nobody mount a file system");
        var prefix = new ArrayList<>(mounting);
        prefix.addAll(List.of(mount, out.toString()));
        var arguments = new ArrayList<>(List.of("compare", "--data", data.toString(), "--out", out.toString()));
        arguments.addAll(List.of("--seeds", "1"));
        arguments.addAll(List.of(options));
        return PolderProcess.start(directory, prefix, List.of(), arguments.toArray(String[]::new));
    }

    @Test
    void outputDirectoryMayBeALink() throws Exception {
        Path real = Files.createDirectory(directory.resolve("real"));
        out = Files.createSymbolicLink(directory.resolve("link"), real);
        assertThat(compare("--seeds", "1", "--epochs", "1").exitCode()).isZero();
        assertThat(real.resolve("report.html")).exists();
    }

    @Test
    void stoppedRunLeavesNothingBehind() throws Exception {
        var polder = start("compare", "--data", data.toString(), "--out", out.toString(), "--epochs", "100000");
        polder.awaitErrors("epoch ");
        assertThat(out).isDirectory();
        polder.process().destroy();
        assertThat(polder.outcome().exitCode()).isEqualTo(128 + 15);
        assertThat(out.getParent()).doesNotExist();
    }

    @Test
    void helpAndVersionDoNotTouchTheEngine() throws Exception {
        for (List<String> question : List.of(
                List.of("--help"),
                List.of("--version"),
                List.of("compare", "--help"),
                List.of("train", "--help"),
                List.of("resume", "--help"),
                List.of("evaluate", "--help"),
                List.of("export", "--help"),
                List.of("predict", "--help"))) {
            var outcome = run(question.toArray(String[]::new));
            assertThat(outcome.exitCode()).isZero();
            assertThat(outcome.output()).isNotBlank();
            assertThat(outcome.errors()).as("classes loaded").doesNotContain("org.bytedeco");
        }
        assertThat(run("--version").output()).startsWith("polder 0.").doesNotContain("${");
    }

    /** One sentence on standard error, the given exit code, and nothing left behind. */
    private void assertRefused(int exitCode, String expected, String... options) throws Exception {
        var outcome = compare(options);
        assertThat(outcome.exitCode()).as(outcome.errors()).isEqualTo(exitCode);
        assertThat(outcome.errors()).contains(expected).startsWith("polder: ");
        assertThat(outcome.errors().lines()).hasSize(1);
        assertThat(outcome.output()).isEmpty();
        assertThat(directory.resolve("made by the command")).doesNotExist();
    }

    private PolderProcess.Outcome compare(String... options) throws Exception {
        var arguments = new ArrayList<>(List.of("compare", "--data", data.toString(), "--out", out.toString()));
        arguments.addAll(List.of(options));
        return run(arguments.toArray(String[]::new));
    }

    private PolderProcess.Outcome run(String... arguments) throws Exception {
        return start(arguments).outcome();
    }

    private PolderProcess start(String... arguments) throws IOException {
        boolean question = arguments[0].startsWith("--") || List.of(arguments).contains("--help");
        return PolderProcess.start(directory, question ? List.of("-Xlog:class+load:stderr") : List.of(), arguments);
    }

    private String withoutTimes(Path results) throws IOException {
        return Files.readString(results)
                .replaceAll("\"(started|seconds|trainSeconds|imagesPerSecond)\" : [^,\\n]+", "");
    }

    /** Eight grey levels in noise, one a class. */
    private void writeSplit(String split, int count) throws IOException {
        var random = new SplittableRandom(count);
        byte[] pixels = new byte[count * 64];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) ((i / 64) % 8 * 30 + random.nextInt(20));
        }
        Files.write(data.resolve(split + "-images-idx3-ubyte"), concatenated(header(0x803, count, 8, 8), pixels));
        writeLabels(split, count);
    }

    private void writeLabels(String split, int count) throws IOException {
        byte[] labels = new byte[count];
        for (int i = 0; i < count; i++) {
            labels[i] = (byte) (i % 8);
        }
        Files.write(data.resolve(split + "-labels-idx1-ubyte"), concatenated(header(0x801, count), labels));
    }

    private static byte[] header(int... numbers) {
        var bytes = ByteBuffer.allocate(4 * numbers.length);
        for (int number : numbers) {
            bytes.putInt(number);
        }
        return bytes.array();
    }

    private static byte[] concatenated(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }
}
