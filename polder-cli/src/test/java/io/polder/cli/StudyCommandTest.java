package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.study.search.Studies;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyCommandTest {
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
        assertThat(output.toString().lines().filter(line -> line.contains("  ")))
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
    void aStudyOfWhichEveryTrialFailsSaysWhyAndFails() throws IOException {
        Path file = folder.resolve("study.yaml");
        Files.writeString(
                file,
                "name: x\nbase: quick-fashion\nset: { epochs: 1, data.images: 128, replicas: 2 }\nseeds: 1\n"
                        + "search: { kind: greedy, r: [0.1, 0.2] }\nmethods: [sam]\n");
        assertThat(run("study", file.toString(), "--out", folder.resolve("out").toString()))
                .isEqualTo(1);
        assertThat(errors.toString().lines().toList())
                .last()
                .asString()
                .isEqualTo("polder: the study has stopped, as all 2 trials of stage 2: α = 1, r failed: replicas is 2:"
                        + " this version trains one replica, so it must be 1; the same command tries them again");
    }

    @Test
    void aStudyOfWhichSomeTrialsFailPrintsItsTableAndFails() throws IOException {
        Path file = folder.resolve("study.yaml");
        Files.writeString(
                file,
                "name: x\nbase: quick-fashion\nset: { epochs: 1, data.images: 128 }\nseeds: 1\n"
                        + "methods: [standard, { method: sam, set: { replicas: 2 } }]\n");
        Path out = folder.resolve("out");
        assertThat(run("study", file.toString(), "--out", out.toString())).isEqualTo(1);
        assertThat(output.toString()).contains("Standard", "1 failed", "Report: " + out.resolve("report.html"));
        assertThat(errors.toString().lines().toList())
                .last()
                .asString()
                .isEqualTo(
                        "polder: 1 of 2 trials failed, and the table is without them: replicas is 2: this version trains"
                                + " one replica, so it must be 1; the same command tries them again");
    }
}
