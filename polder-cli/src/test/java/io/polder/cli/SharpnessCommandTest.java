package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Measuring trained networks from the command line. */
class SharpnessCommandTest {
    @TempDir
    private static Path directory;

    private static Path one;
    private static Path other;

    @BeforeAll
    static void train() throws Exception {
        Path recipe = Files.writeString(directory.resolve("tiny.yaml"), """
                name: tiny
                epochs: 2
                model: { name: resnet-small }
                data: { name: fashion-mnist-2000, augment: none, batch: 16, images: 64, evaluateOn: validation, validation: 40 }
                scheme: { name: gradient-norm-penalty, r: 0.1, alpha: 0.8 }
                optimizer: { name: sgd, l2: 1.0e-3 }
                learningRate: { schedule: constant, base: 0.02 }
                """);
        one = directory.resolve("one");
        other = directory.resolve("other");
        assertThat(polder("train", recipe.toString(), "--out", one.toString(), "--threads", "1").code)
                .isZero();
        assertThat(polder("train", recipe.toString(), "--out", other.toString(), "--threads", "1", "-s", "seed=1").code)
                .isZero();
    }

    private record Outcome(int code, String output, String errors) {}

    private static Outcome polder(String... arguments) {
        var output = new StringWriter();
        var errors = new StringWriter();
        int code = Main.run(new PrintWriter(output), new PrintWriter(errors), arguments);
        return new Outcome(code, output.toString(), errors.toString());
    }

    private static Outcome sharpness(Path run, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("sharpness", run.toString(), "--samples", "32", "--threads", "1"));
        arguments.addAll(Arrays.asList(more));
        return polder(arguments.toArray(String[]::new));
    }

    @Test
    void aTableSaysWhatWasMeasuredAndHow() {
        Outcome plain = sharpness(one);
        assertThat(plain.code).as(plain.errors).isZero();
        assertThat(plain.output)
                .contains("32 training images", "running statistics", "without the L2 term")
                .contains("Top eigenvalue", "Trace", "SAM sharpness, ρ = 0.1", "m-sharpness", "Adaptive", "Lipschitz")
                .contains("Validation error, %");
        assertThat(plain.errors).contains("trace of the Hessian");
        assertThat(sharpness(one, "--batch-norm", "batch", "--l2", "--measure", "gradient-norm").output)
                .contains("each batch's own statistics", "with the L2 term")
                .doesNotContain("Trace");
    }

    @Test
    void whatWasMeasuredIsKeptAndNotMeasuredAgain() throws Exception {
        String[] options = {"--measure", "trace,gradient-norm", "--json", "--seed", "3"};
        JsonNode first = new ObjectMapper().readTree(sharpness(one, options).output);
        List<Path> kept = kept("trace-");
        for (Path file : kept) {
            Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        }
        assertThat(new ObjectMapper().readTree(sharpness(one, options).output)).isEqualTo(first);
        assertThat(kept("trace-"))
                .allSatisfy(file ->
                        assertThat(Files.getLastModifiedTime(file).toMillis()).isZero());
        JsonNode network = first.get("networks").get(0);
        assertThat(network.get("images").asInt()).isEqualTo(32);
        assertThat(network.get("traceError").asDouble()).isPositive();

        Files.writeString(kept.get(0), "{\"checksum\":\"00000000\",\"figures\":{}}"); // is measured again
        assertThat(new ObjectMapper().readTree(sharpness(one, options).output)).isEqualTo(first);
    }

    private static List<Path> kept(String measure) throws Exception {
        try (Stream<Path> files = Files.list(one.resolve("sharpness"))) {
            return files.filter(file -> file.getFileName().toString().startsWith(measure))
                    .toList();
        }
    }

    @Test
    void aCheckpointOfARunCanBeMeasuredByItself() throws Exception {
        Path checkpoint;
        try (Stream<Path> files = Files.list(one.resolve("checkpoints"))) {
            checkpoint = files.filter(file -> file.getFileName().toString().startsWith("step-"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        String[] options = {"--measure", "gradient-norm", "--json"};
        JsonNode early = new ObjectMapper().readTree(sharpness(checkpoint, options).output);
        JsonNode late = new ObjectMapper().readTree(sharpness(one, options).output);
        assertThat(early.get("networks").get(0).get("step").asLong())
                .isLessThan(late.get("networks").get(0).get("step").asLong());
        assertThat(early.get("networks").get(0).get("measuredLoss"))
                .isNotEqualTo(late.get("networks").get(0).get("measuredLoss"));
    }

    @Test
    void groupsAreCompared() throws Exception {
        Outcome table = sharpness(one, "--measure", "gradient-norm", "--against", other.toString());
        assertThat(table.output).contains("Difference", "95 % interval");
        Outcome paired = sharpness(
                one,
                other.toString(),
                "--json",
                "--measure",
                "gradient-norm",
                "--against",
                other.toString(),
                one.toString());
        JsonNode difference =
                new ObjectMapper().readTree(paired.output).get("differences").get("fullGradientNorm");
        assertThat(difference.get("meanDifference").asDouble()).isZero(); // of the same seeds: pairs are made by them
    }

    @Test
    void theApproximationIsJudgedOverR() throws Exception {
        Outcome outcome = sharpness(one, "--approximation");
        assertThat(outcome.code).as(outcome.errors).isZero();
        assertThat(outcome.output)
                .contains("Near the recipe's r, which begins at 0.100, it is ", "as a share of its length");
        assertThat(one.resolve("sharpness/approximation.csv"))
                .content()
                .startsWith("r,errorSingle,errorDouble\n")
                .hasLineCount(16);
        assertThat(one.resolve("sharpness/approximation.svg")).isNotEmptyFile();
        assertThat(one.resolve("sharpness/approximation.png")).isNotEmptyFile();
    }

    @Test
    void landscapesAreDrawnAroundANetworkAndBetweenTwo() throws Exception {
        Outcome line = sharpness(one, "--landscape", "line", "--points", "5");
        assertThat(line.code).as(line.errors).isZero();
        assertThat(line.output).isEqualTo("Landscape: " + one.resolve("sharpness/landscape-line-random.html") + "\n");
        assertThat(one.resolve("sharpness/landscape-line-random.csv")).content().hasLineCount(6);

        sharpness(one, "--landscape", "plane", "--along", "eigenvectors", "--points", "5");
        assertThat(one.resolve("sharpness/landscape-plane-eigenvectors.csv"))
                .content()
                .startsWith("a,b,loss\n")
                .hasLineCount(26);
        assertThat(one.resolve("sharpness/landscape-plane-eigenvectors.html"))
                .content()
                .contains(
                        "Along the second eigenvector",
                        "<li class=\"c7\" data-series=\"loss ",
                        "the network",
                        "<polyline");
        assertThat(one.resolve("sharpness/landscape-plane-eigenvectors.png")).isNotEmptyFile();

        assertThat(one.resolve("report.html"))
                .as("all that were drawn")
                .content()
                .contains(
                        "<h2>Loss landscapes</h2>",
                        "Random direction, filter-normalised",
                        "Along the second eigenvector");
        Files.writeString(one.resolve("sharpness/landscape-line-random.json"), "{\"title\":\"x\",\"landscape\":null}");
        Files.writeString(one.resolve("sharpness/landscape-plane-random.json"), "[");

        Outcome between = sharpness(one, "--line-to", other.toString(), "--points", "5");
        assertThat(one.resolve("report.html"))
                .as("all but those whose file is damaged")
                .content()
                .contains("Along the second eigenvector", "From the first network, at 0")
                .doesNotContain("Random direction, filter-normalised");
        assertThat(between.code).as(between.errors).isZero();
        JsonNode ends = new ObjectMapper()
                .readTree(sharpness(one, other.toString(), "--json", "--measure", "gradient-norm").output)
                .get("networks");
        // Half a length beyond each end: the second and the fourth of five points are the networks themselves.
        List<String> lines = Files.readAllLines(one.resolve("sharpness/landscape-between.csv"));
        for (int end = 0; end < 2; end++) {
            String[] cells = lines.get(2 + 2 * end).split(",");
            assertThat(Double.parseDouble(cells[0])).isEqualTo(end);
            if (end == 0) { // the other was trained on other images, by its seed
                assertThat(Double.parseDouble(cells[1]))
                        .isCloseTo(ends.get(0).get("measuredLoss").asDouble(), within(1e-6));
            }
        }
    }

    @Test
    void wrongUseIsASentence() {
        assertThat(sharpness(one, "--samples", "0").code).isEqualTo(Main.WRONG_USE);
        assertThat(sharpness(one, "--rho", "-1").errors).contains("rho is -1.0: it must be");
        assertThat(sharpness(one, "--measure", "flatness").errors).contains("'flatness' is no measure");
        assertThat(sharpness(directory.resolve("nothing")).errors).contains("holds no run");
    }

    @Test
    void everyCommandOfThePageCanBeTyped() throws Exception {
        int commands = 0;
        for (String line : Files.readAllLines(Path.of("../docs/sharpness.md"))) {
            if (line.startsWith("./polder sharpness ")) {
                String[] words = line.replaceFirst(" *#.*", "").split(" +");
                new CommandLine(new SharpnessCommand())
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .parseArgs(Arrays.copyOfRange(words, 2, words.length));
                commands++;
            }
        }
        assertThat(commands).isGreaterThan(5);
    }

    @Test
    void ctrlCStopsItAndTheSameCommandGoesOn() throws Exception {
        String[] command = {
            "sharpness", other.toString(), "--measure", "gradient-norm,trace", "--samples", "64", "--batch", "1"
        };
        var polder = PolderProcess.start(directory, List.of(), command);
        polder.awaitErrors("trace of the Hessian");
        new ProcessBuilder("kill", "-INT", "" + polder.process().pid()).start().waitFor();
        var outcome = polder.outcome();
        assertThat(outcome.exitCode()).as(outcome.errors()).isEqualTo(130);
        assertThat(outcome.errors()).contains("polder: stopped; the same command goes on");
        try (Stream<Path> files = Files.list(other.resolve("sharpness"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .anyMatch(name -> name.startsWith("gradient-norm-"))
                    .noneMatch(name -> name.startsWith("trace-"));
        }
    }
}
