package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.study.search.Studies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command as a user meets it: its output, its exit code, and what it leaves on the disk. */
class CompareCommandTest {
    /** Holds the checkpoints of a few trials, in bytes. */
    private static final int DISK = 32 << 20;

    private static final String[] SMALL = {"--seeds", "2", "--epochs", "2"};

    @TempDir
    private static Path shared;

    /** What {@link #SMALL} came to, by a process of its own, in a directory that is a link to {@code real}. */
    private static PolderProcess.Outcome compared;

    private static Path results;

    @TempDir
    private Path directory;

    private Path data;
    private Path out;

    @BeforeAll
    static void compareOnce() throws Exception {
        Path data = writeData(shared);
        Files.createDirectory(shared.resolve("real"));
        results = Files.createSymbolicLink(shared.resolve("link"), shared.resolve("real"));
        compared = PolderProcess.run(shared, arguments(data, results, SMALL));
    }

    @BeforeEach
    void writeData() throws IOException {
        data = writeData(directory);
        out = directory.resolve("made by the command").resolve("out");
    }

    private static Path writeData(Path directory) throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        writeSplit(data, "train", 96);
        writeSplit(data, "t10k", 40);
        return data;
    }

    @Test
    void comparesThreeMethodsAndWritesTheReport() throws Exception {
        assertThat(compared.exitCode()).as(compared.errors()).isZero();
        assertThat(compared.output())
                .contains("Standard  ", "SAM", "r = 0.2", "Gradient-norm penalty", "r = 0.4, α = 0.6", "(2 seeds)")
                .contains("Report: " + results.resolve("report.html"));
        // Not a terminal: lines, without escapes.
        assertThat(compared.errors())
                .contains("[6/6] ", " SAM, r = 0.2, seed 2: test error ")
                .doesNotContain("\u001b");

        assertThat(json(results).get("rows")).hasSize(3).allSatisfy(row -> {
            assertThat(row.get("outcomes")).hasSize(2);
            assertThat(row.at("/outcomes/0/curve")).hasSize(2);
        });
        String report = Files.readString(results.resolve("report.html"));
        assertThat(report).contains("Three ways to train on data", "libtorch 2.10", "<svg");
        assertThat(compared.output())
                .contains(PolderProcess.here("report", results.toString()).output());
    }

    @Test
    void outputDirectoryMayBeALink() {
        assertThat(shared.resolve("real").resolve("report.html")).exists();
    }

    @Test
    void withoutOptionsItIsTheBuiltInStudy() {
        var command = new CompareCommand();
        new CommandLine(command).parseArgs();
        assertThat(command.study()).isEqualTo(Studies.read("compare"));
    }

    @Test
    @Tag("slow")
    void sameSeedsGiveTheSameResultsAlsoWhereOtherOptionsWereTriedBefore() throws Exception {
        compare("--seeds", "1", "--epochs", "1", "--sam-r", "0.5");
        compare("--seeds", "1", "--epochs", "2");
        for (int row = 0; row < 3; row++) {
            String first = "/rows/" + row + "/outcomes/0";
            assertThat(withoutTimes(json(out).at(first).toString()))
                    .contains("\"curve\"")
                    .isEqualTo(withoutTimes(json(results).at(first).toString()));
        }
    }

    @Test
    @Tag("slow")
    void whatWasStoppedIsGoneOnWithByTheSameCommand() throws Exception {
        var polder = PolderProcess.start(directory, List.of(), arguments(data, out, SMALL));
        polder.awaitErrors("[1/6]");
        polder.process().destroy();
        var stopped = polder.outcome();
        assertThat(stopped.exitCode()).isEqualTo(128 + 15);
        assertThat(stopped.errors()).contains("Stopped; the trials are saved. Go on with: ./polder compare --data ");
        assertThat(out.resolve("results.json")).doesNotExist();
        var finished = compare(SMALL);
        assertThat(finished.exitCode()).as(finished.errors()).isZero();
        assertThat(finished.errors()).contains(" of 6 trials are in the store already.");
        assertThat(withoutTimes(json(out).toString()))
                .isEqualTo(withoutTimes(json(results).toString()));
    }

    @Test
    void wrongNumbersAreOneSentenceAndExitCode2() throws Exception {
        assertRefused(2, "the penalty's r is -0.5: it must be a finite number of at least 0", "--r", "-0.5");
        assertRefused(2, "the penalty's alpha is NaN: it must be a finite number", "--alpha", "NaN");
        assertRefused(2, "SAM's r is -1.0: it must be a finite number of at least 0", "--sam-r", "-1");
        assertRefused(2, "seeds is 0: it must be at least 1", "--seeds", "0");
        assertRefused(2, "epochs is -2: it must be at least 1", "--epochs", "-2");
        assertRefused(2, "'many' is not an int", "--seeds", "many");
        assertRefused(2, "there is no option --sead: did you mean --seeds?", "--sead", "3");
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
        writeLabels(data, "train", 95);
        assertRefused(1, "95");
    }

    @Test
    void emptyDataSetIsRefused() throws Exception {
        writeSplit(data, "train", 0);
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
        var outcome = onSmallDisk("head -c " + DISK + " /dev/zero >\"$0/large\" 2>/dev/null; ")
                .outcome();
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .isEqualTo("polder: cannot write to the directory " + out
                        + " (No space left on device): choose another\n");
        assertThat(outcome.output()).isEmpty();
    }

    @Test
    @Tag("slow")
    @EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux has private mounts")
    void aDiskThatFillsUpDuringTrainingStopsIt() throws Exception {
        out = Files.createDirectory(directory.resolve("disk"));
        var polder = onSmallDisk("", "--epochs", "200");
        polder.awaitErrors("[1/3]");
        Path seenByIt = Path.of("/proc/" + polder.process().pid() + "/root" + out);
        assertThatThrownBy(() -> Files.write(seenByIt.resolve("large"), new byte[DISK]))
                .hasMessage("No space left on device");
        var outcome = polder.outcome();
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.output()).isEmpty();
        assertThat(outcome.errors().lines().toList())
                .last()
                .asString()
                .startsWith("polder: the study has stopped, as a trial cannot be saved: ")
                .endsWith("; the same command goes on with what is saved");
    }

    @Test
    void aReportThatCannotBeWrittenDoesNotCostTheTable() throws Exception {
        Files.createDirectories(out.resolve("report.html").resolve("in the way"));
        Files.createSymbolicLink(out.resolve("trials"), results.resolve("trials"));
        var outcome = compare(SMALL);
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.output()).contains("Gradient-norm penalty  r = 0.4").doesNotContain("Report:");
        assertThat(outcome.errors().lines().toList())
                .last()
                .asString()
                .startsWith("polder: cannot write " + out.resolve("report.html"));
    }

    /** Compares into a small file system of its own. */
    private PolderProcess onSmallDisk(String before, String... options) throws Exception {
        List<String> mounting = List.of("unshare", "--map-root-user", "--mount", "sh", "-c");
        String mount = "mount -t tmpfs -o size=" + DISK + " none \"$0\" && { " + before + "exec \"$@\"; }";
        var trying = new ArrayList<>(mounting);
        trying.addAll(List.of(mount, out.toString(), "true"));
        assumeTrue(new ProcessBuilder(trying).start().waitFor() == 0, "this machine lets nobody mount a file system");
        var prefix = new ArrayList<>(mounting);
        prefix.addAll(List.of(mount, out.toString()));
        var arguments = new ArrayList<>(List.of(arguments(data, out, "--seeds", "1")));
        arguments.addAll(List.of(options));
        return PolderProcess.start(directory, prefix, List.of(), arguments.toArray(String[]::new));
    }

    @Test
    void helpAndVersionDoNotTouchTheEngine() throws Exception {
        Path errors = directory.resolve("errors.txt");
        Process questions = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load:stderr",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Questions.class.getName())
                .redirectError(errors.toFile())
                .start();
        String answers = new String(questions.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(questions.waitFor()).as(answers).isZero();
        assertThat(errors).content().contains("io.polder.cli.PredictCommand").doesNotContain("org.bytedeco");
        assertThat(PolderProcess.here("--version").output())
                .startsWith("polder 0.")
                .doesNotContain("${");
    }

    /** Asks all of them in one process, which fails if one has no answer. */
    public static final class Questions {
        public static void main(String[] arguments) {
            for (String question : List.of(
                    "--help",
                    "--version",
                    "compare --help",
                    "train --help",
                    "resume --help",
                    "evaluate --help",
                    "export --help",
                    "predict --help")) {
                var outcome = PolderProcess.here(question.split(" "));
                System.out.println(question + ": " + outcome);
                if (outcome.exitCode() != 0 || outcome.output().isBlank()) {
                    System.exit(1);
                }
            }
        }
    }

    /** One sentence on standard error, the given exit code, and nothing left behind. */
    private void assertRefused(int exitCode, String expected, String... options) {
        var outcome = compare(options);
        assertThat(outcome.exitCode()).as(outcome.errors()).isEqualTo(exitCode);
        assertThat(outcome.errors()).contains(expected).startsWith("polder: ");
        assertThat(outcome.errors().lines()).hasSize(1);
        assertThat(outcome.output()).isEmpty();
        assertThat(directory.resolve("made by the command")).doesNotExist();
    }

    private PolderProcess.Outcome compare(String... options) {
        return PolderProcess.here(arguments(data, out, options));
    }

    private static String[] arguments(Path data, Path out, String... options) {
        var arguments = new ArrayList<>(List.of("compare", "--data", data.toString(), "--out", out.toString()));
        arguments.addAll(List.of(options));
        return arguments.toArray(String[]::new);
    }

    private static JsonNode json(Path results) throws IOException {
        return new ObjectMapper().readTree(results.resolve("results.json").toFile());
    }

    private static String withoutTimes(String json) {
        return json.replaceAll("\"(started|seconds|imagesPerSecond|attempts)\":[^,}]+", "");
    }

    /** Eight grey levels in noise, one a class. */
    private static void writeSplit(Path data, String split, int count) throws IOException {
        var random = new SplittableRandom(count);
        byte[] pixels = new byte[count * 64];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) ((i / 64) % 8 * 30 + random.nextInt(20));
        }
        Files.write(data.resolve(split + "-images-idx3-ubyte"), concatenated(header(0x803, count, 8, 8), pixels));
        writeLabels(data, split, count);
    }

    private static void writeLabels(Path data, String split, int count) throws IOException {
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
