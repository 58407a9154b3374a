package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.study.search.Studies;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class StudyCommandTest {
    /** A recipe that is valid, as it would be with one replica, and is not trained. */
    private static final String REFUSED =
            " scheme.syncPerturbation is true and the first gradient is that of a part of the batch only:"
                    + " leave out ascentShare and perturbationExamples, or syncPerturbation";

    @TempDir
    Path folder;

    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    private int run(String... arguments) {
        return Main.run(new PrintWriter(output, true), new PrintWriter(errors, true), arguments);
    }

    @Test
    void withoutANameItListsTheBuiltInStudies() {
        assertThat(run("study")).isZero();
        assertThat(output.toString().lines().filter(line -> line.matches("[a-z0-9-]+  .*")))
                .hasSize(Studies.names().size());
        assertThat(output.toString()).startsWith("smoke ");
    }

    @Test
    void aNameThatIsNearlyOneIsOffered() {
        assertThat(run("study", "smok")).isEqualTo(1);
        assertThat(errors.toString()).contains("did you mean smoke?");
    }

    @Test
    void everyMistakeOfAFileIsTold() throws IOException {
        Path file = folder.resolve("study.yaml");
        Files.writeString(file, "name: x\nbase: quick-fashion\nseeds: 0\nretries: -1\n");
        assertThat(run("study", file.toString())).isEqualTo(2);
        assertThat(errors.toString().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).startsWith("polder: " + file + ":"));
    }

    @Test
    void whatIsMissingIsToldBeforeAnythingIsTrained() throws IOException {
        Path out = folder.resolve("out");
        assertThat(run("study", "cifar10", "--data", folder.resolve("nowhere").toString(), "--out", out.toString()))
                .isEqualTo(1);
        assertThat(errors.toString()).contains("nowhere is not there");
        assertThat(run("study", "smoke", "--executor", "spork", "--out", out.toString()))
                .isEqualTo(2);
        assertThat(errors.toString()).contains("--executor is spork");
        assertThat(run("study", "smoke", "--jobs", "0", "--out", out.toString()))
                .isEqualTo(2);
        assertThat(errors.toString()).contains("--jobs is 0");
        assertThat(run("study", "smoke", "--device", "gpu", "--out", out.toString()))
                .isEqualTo(2);
        assertThat(errors.toString()).contains("device is \"gpu\": it must be auto, cpu, cuda or cuda:N");
        assertThat(run("study", "smoke", "--store", "hdfs://host/trials", "--out", out.toString()))
                .isEqualTo(2);
        assertThat(errors.toString()).contains("--store is hdfs://host/trials: only nodes of --executor spark");
        assertThat(run("study", "smoke", "--data", folder.toString(), "--out", out.toString()))
                .isEqualTo(1);
        assertThat(errors.toString()).contains("fashion-mnist-2000 comes with Polder, and " + folder + " was given");
        assertThat(run("study", "cifar10", "--data", "s3a://bucket/images", "--out", out.toString()))
                .isEqualTo(2);
        assertThat(errors.toString()).contains("--data is s3a://bucket/images: only nodes");
        assertThat(run("study", "smoke", "--store", "hdfs://host/a b", "--out", out.toString()))
                .isEqualTo(2);
        assertThat(errors.toString()).contains("'hdfs://host/a b' is no URI");
        Path file = folder.resolve("study.yaml");
        Files.writeString(file, "name: x\nbase: quick-fashion\nset: { model.name: resnet-smal }\n");
        assertThat(run("study", file.toString(), "--out", out.toString())).isEqualTo(1);
        assertThat(errors.toString()).contains("resnet-smal");
        assertThat(out).doesNotExist();
    }

    @Test
    void aStudyRunsToItsTableAndItsReportAndIsNotRunAgain() throws IOException {
        Path file = folder.resolve("study.yaml");
        Files.writeString(
                file,
                "name: x\nbase: quick-fashion\nset: { epochs: 1, data.images: 128 }\nmethods: [standard]\nseeds: 1\n");
        Path out = folder.resolve("out");
        assertThat(run("study", file.toString(), "--out", out.toString()))
                .as(errors.toString())
                .isZero();
        assertThat(output.toString()).contains("Standard").contains("Report: " + out.resolve("report.html"));
        assertThat(out.resolve("report.html")).exists();
        assertThat(errors.toString()).contains("[1/1] Standard, seed 1: test error");
        assertThat(run("study", file.toString(), "--out", out.toString())).isZero();
        assertThat(errors.toString()).contains("1 of 1 trials are in the store already.");
    }

    @Test
    void forProgramsItPrintsALineForEachTrialAndOneForTheStudy() throws IOException {
        Path file = folder.resolve("study.yaml");
        Files.writeString(
                file,
                "name: x\nbase: quick-fashion\nset: { epochs: 1, data.images: 128 }\nmethods: [standard]\nseeds: 2\n");
        Path out = folder.resolve("out");
        assertThat(run("study", file.toString(), "--out", out.toString(), "--json"))
                .as(errors.toString())
                .isZero();
        List<JsonNode> lines = new ArrayList<>();
        for (String line : output.toString().lines().toList()) {
            lines.add(new ObjectMapper().readTree(line));
        }
        assertThat(lines).extracting(line -> line.get("kind").textValue()).containsExactly("trial", "trial", "study");
        assertThat(lines.get(1).get("ended").asInt()).isEqualTo(2);
        JsonNode study = lines.get(2);
        double mean = (lines.get(0).get("error").asDouble()
                        + lines.get(1).get("error").asDouble())
                / 2;
        assertThat(study.at("/rows/0/error/mean").asDouble()).isCloseTo(mean, within(1e-12));
        assertThat(study.get("report").textValue())
                .isEqualTo(out.resolve("report.html").toString());
        assertThat(errors.toString()).as("what people are told").contains("[2/2] Standard, seed ");
    }

    /** The error of what was learned is known: dark and light pictures, whose test classes are right, exchanged, and half of each. */
    @Test
    @Tag("slow")
    void otherImagesUnderAnotherOrTheSameNameGiveTheirOwnTableInOneStore() throws IOException {
        Path file = folder.resolve("study.yaml");
        Files.writeString(file, """
                name: x
                base: quick-fashion
                set: { model.name: resnet-small, model.classes: 2, data.name: image-folder, data.augment: none, data.batch: 4, epochs: 4 }
                methods: [standard]
                seeds: 1
                """);
        Path right = folder.resolve("right");
        Path exchanged = folder.resolve("exchanged");
        for (Path images : List.of(right, exchanged)) {
            draw(images.resolve("train/dark"), 20, 0);
            draw(images.resolve("train/light"), 20, 255);
        }
        draw(right.resolve("test/dark"), 4, 0);
        draw(right.resolve("test/light"), 4, 255);
        draw(exchanged.resolve("test/dark"), 4, 255);
        draw(exchanged.resolve("test/light"), 4, 0);

        assertThat(errorOn(right, file)).isEqualTo("0.00");
        assertThat(errorOn(exchanged, file)).isEqualTo("100.00");
        draw(right.resolve("test/dark"), 2, 255);
        draw(right.resolve("test/light"), 2, 0);
        assertThat(errorOn(right, file)).isEqualTo("50.00");
        assertThat(errorOn(exchanged, file)).isEqualTo("100.00");
        assertThat(errors.toString()).contains("1 of 1 trials are in the store already.");
    }

    /** As the table shows it. */
    private String errorOn(Path images, Path study) {
        output.getBuffer().setLength(0);
        Path out = folder.resolve("out");
        assertThat(run("study", study.toString(), "--data", images.toString(), "--out", out.toString()))
                .as(errors.toString())
                .isZero();
        var row = Pattern.compile("(?m)^ *Standard\\D+\\d+\\s+([\\d.]+) ").matcher(output.toString());
        assertThat(row.find()).as(output.toString()).isTrue();
        return row.group(1);
    }

    private static void draw(Path directory, int count, int level) throws IOException {
        Files.createDirectories(directory);
        for (int i = 0; i < count; i++) {
            var picture = new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB);
            for (int at = 0; at < 256; at++) {
                picture.setRGB(at % 16, at / 16, level << 16 | level << 8 | level);
            }
            ImageIO.write(picture, "png", directory.resolve(i + ".png").toFile());
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux has private mounts")
    void aDiskThatIsFullAtTheEndDoesNotCostTheTable() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        List<String> mounting = List.of(
                "unshare",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o size=1m none \"$0\" && exec \"$@\"",
                disk.toString());
        var trying = new ArrayList<>(mounting);
        trying.add("true");
        assumeTrue(new ProcessBuilder(trying).start().waitFor() == 0, "this machine lets nobody mount a file system");
        Path store = folder.resolve("store");
        var polder = PolderProcess.start(
                folder,
                mounting,
                List.of(),
                "study",
                oneTrial(folder.resolve("study.yaml")).toString(),
                "--out",
                disk.toString(),
                "--store",
                store.toString());
        await(store, polder);
        Path seenByIt = Path.of("/proc/" + polder.process().pid() + "/root" + disk);
        assertThatThrownBy(() -> Files.write(seenByIt.resolve("large"), new byte[1 << 21]))
                .hasMessage("No space left on device");
        var outcome = polder.outcome();
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.output()).contains("Standard").doesNotContain("Report:");
        assertThat(outcome.errors().lines().toList())
                .last()
                .asString()
                .startsWith("polder: cannot write " + disk)
                .contains("No space left on device");
    }

    /** Until its first trial has begun, or it has ended. */
    private static void await(Path store, PolderProcess polder) throws Exception {
        while (polder.process().isAlive() && !Files.isDirectory(store.resolve("trials"))) {
            Thread.sleep(20);
        }
    }

    private static Path oneTrial(Path file) throws IOException {
        return Files.writeString(
                file,
                "name: x\nbase: quick-fashion\nset: { epochs: 1, data.images: 128 }\nmethods: [standard]\nseeds: 1\n");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "signals are Linux's")
    void afterCtrlCTheCommandToGoOnWithCanBePasted() throws Exception {
        Path out = folder.resolve("my $HOME's studies");
        List<String> words =
                List.of("study", oneTrial(folder.resolve("my study.yaml")).toString(), "--out", out.toString());
        var polder = PolderProcess.start(folder, List.of(), words.toArray(String[]::new));
        await(out, polder);
        new ProcessBuilder("kill", "-INT", Long.toString(polder.process().pid()))
                .start()
                .waitFor();
        var outcome = polder.outcome();
        assertThat(outcome.exitCode()).isEqualTo(130);
        String hint = outcome.errors()
                .lines()
                .filter(line -> line.startsWith("Stopped; the trials are saved. Go on with: ./polder "))
                .findFirst()
                .orElseThrow(() -> new AssertionError(outcome.errors()));
        Process shell = new ProcessBuilder("sh", "-c", "printf '%s\\n' " + hint.substring(hint.indexOf("./polder") + 9))
                .start();
        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
                .containsExactlyElementsOf(words);
    }

    @Test
    void aStudyOfWhichEveryTrialFailsSaysWhyAndFails() throws IOException {
        Path file = folder.resolve("study.yaml");
        Files.writeString(
                file,
                "name: x\nbase: quick-fashion\nset: { epochs: 1, data.images: 128, replicas: 2, scheme.syncPerturbation: true,"
                        + " scheme.ascentShare: 0.5 }\nseeds: 1\n"
                        + "search: { kind: greedy, r: [0.1, 0.2] }\nmethods: [sam]\n");
        assertThat(run("study", file.toString(), "--out", folder.resolve("out").toString()))
                .isEqualTo(1);
        assertThat(errors.toString().lines().toList())
                .last()
                .asString()
                .isEqualTo("polder: the study has stopped, as all 2 trials of stage 2: α = 1, r failed:"
                        + REFUSED
                        + "; the same command tries them again");
    }

    @Test
    void aStudyOfWhichSomeTrialsFailPrintsItsTableAndFails() throws IOException {
        Path file = folder.resolve("study.yaml");
        Files.writeString(
                file,
                "name: x\nbase: quick-fashion\nset: { epochs: 1, data.images: 128 }\nseeds: 1\n"
                        + "methods: [standard, { method: sam, set: { replicas: 2, scheme.syncPerturbation: true, scheme.ascentShare: 0.5 } }]\n");
        Path out = folder.resolve("out");
        assertThat(run("study", file.toString(), "--out", out.toString())).isEqualTo(1);
        assertThat(output.toString()).contains("Standard", "1 failed", "Report: " + out.resolve("report.html"));
        assertThat(errors.toString().lines().toList())
                .last()
                .asString()
                .isEqualTo("polder: 1 of 2 trials failed, and the table is without them:"
                        + REFUSED
                        + "; the same command tries them again");
    }
}
