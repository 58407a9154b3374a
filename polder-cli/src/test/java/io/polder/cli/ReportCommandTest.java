package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.recipe.EvaluateOn;
import io.polder.study.search.Planner;
import io.polder.study.search.Study;
import io.polder.study.search.StudyDirectory;
import io.polder.study.search.StudyFile;
import io.polder.study.search.Trial;
import io.polder.study.trial.EpochPoint;
import io.polder.study.trial.OutcomeJson;
import io.polder.study.trial.TrialOutcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on a store of outcomes that nobody trained. */
class ReportCommandTest {
    private static final String STUDY = """
            name: sample
            title: A sample of a study
            base: quick-fashion
            set: { data.validation: 400 }
            search: { kind: greedy, r: [0.1, 0.2, 0.4], alpha: [0.4, 0.6, 0.8] }
            seeds: 3
            """;

    @TempDir
    private Path folder;

    private StudyDirectory study;
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @BeforeEach
    void beginAStudy() throws IOException {
        Study sample = StudyFile.read(STUDY, "sample.yaml", folder);
        study = StudyDirectory.create(folder.resolve("study"), sample, folder.resolve("study"), Optional.empty());
    }

    @Test
    void aStudyThatHasJustBegunHasATableWithoutNumbers() {
        assertThat(report()).isZero();
        assertThat(output.toString())
                .startsWith("A sample of a study\n")
                .contains("Standard", "SAM", "Gradient-norm penalty", "3 to come")
                .contains("Nothing can be compared yet")
                .contains("The study goes on: 0 of about");
    }

    @Test
    void midwayTheSearchIsTold() throws IOException {
        trainOnce();
        assertThat(report()).isZero();
        assertThat(output.toString()).contains("The study goes on").contains("stage 2: α = 1, r (3 candidates");
    }

    @Test
    void aCompleteStudySaysWhatItFound() throws IOException {
        trainAll();
        assertThat(report()).isZero();
        assertThat(output.toString())
                .contains(
                        "Difference in test error, points (3 seeds)",
                        "stage 3: α (3 candidates, on the validation split): chose")
                .doesNotContain("goes on", "to come");
    }

    @Test
    void everyFormatGoesToTheScreenOrIntoAFile() throws IOException {
        trainAll();
        assertThat(report("--format", "markdown")).isZero();
        assertThat(output.toString()).contains("| Method | Settings |");
        Path latex = folder.resolve("new/table.tex");
        assertThat(report("--format", "latex", "--out", latex.toString())).isZero();
        assertThat(latex).content().contains("\\toprule");
        output.getBuffer().setLength(0);
        assertThat(report("--format", "csv")).isZero();
        assertThat(output.toString().lines()).hasSize(4).first().asString().startsWith("variant,method,");
    }

    @Test
    void jsonHasTheTableTheComparisonsAndTheSearchAsFractions() throws IOException {
        trainAll();
        assertThat(report("--json")).isZero();
        JsonNode told = new ObjectMapper().readTree(output.toString());
        assertThat(told.get("complete").booleanValue()).isTrue();
        assertThat(told.get("judge").textValue()).isEqualTo("error");
        assertThat(told.get("rows")).hasSize(3);
        var standard = study.result().rows().get(0);
        assertThat(told.at("/rows/0/error/mean").asDouble())
                .isCloseTo(
                        standard.done().stream()
                                .mapToDouble(TrialOutcome::last)
                                .average()
                                .orElseThrow(),
                        within(1e-12));
        assertThat(told.at("/rows/0/done").asInt()).isEqualTo(3);
        assertThat(told.get("comparisons")).hasSize(3);
        assertThat(told.at("/comparisons/0/against/method").textValue()).isEqualTo("standard");
        assertThat(told.at("/comparisons/0/difference").asDouble()).isNegative();
        assertThat(told.at("/comparisons/0/pSignedRanks").isNull())
                .as("of three seeds")
                .isTrue();
        assertThat(told.get("stages")).hasSize(study.result().stages().size());
        String first = output.toString();
        output.getBuffer().setLength(0);
        assertThat(report("--format", "json")).isZero();
        assertThat(output.toString()).isEqualTo(first);
        assertThat(report("--json", "--format", "csv")).isEqualTo(Main.WRONG_USE);
        assertThat(errors.toString()).contains("--json and --format csv contradict each other");
    }

    @Test
    void htmlIsOnePageWithFiguresBesideIt() throws IOException {
        trainAll();
        assertThat(report("--format", "html")).isZero();
        assertThat(study.path().resolve("report.html")).content().contains("<title>A sample of a study</title>");
        assertThat(study.path().resolve("figures/error.svg")).content().contains("<svg");
        assertThat(study.path().resolve("figures/error.png")).isNotEmptyFile();
        try (Stream<Path> figures = Files.list(study.path().resolve("figures"))) {
            assertThat(figures).hasSize(8);
        }
        assertThat(output.toString())
                .isEqualTo("Report: " + study.path().resolve("report.html") + ", figures: "
                        + study.path().resolve("figures") + System.lineSeparator());
    }

    @Test
    void anOutcomeWhoseCurveIsDamagedIsNamedAndLeftOut() throws IOException {
        trainAll();
        Path damaged = study.store()
                .directory(study.result().rows().get(0).outcomes().get(0).id())
                .resolve("outcome.json");
        String text = Files.readString(damaged);
        Files.writeString(damaged, text.replaceFirst("(\"curve\":\\[\\{\"epoch\":)\\d", "$10"));
        assertThat(damaged).content().isNotEqualTo(text);
        assertThat(report("--format", "html")).isZero();
        assertThat(report()).isZero();
        assertThat(output.toString()).contains("1 to come", "The study goes on");
        assertThat(errors.toString().lines())
                .as("by each of the two")
                .hasSize(2)
                .allMatch(line ->
                        line.startsWith(damaged + " is no outcome of a trial (it does not match its checksum)"));
    }

    @Test
    void aDirectoryWithoutAStudyIsOneSentence() {
        assertThat(run("report", folder.toString())).isEqualTo(Main.FAILED);
        assertThat(errors.toString())
                .startsWith("polder: " + folder + " holds no study")
                .hasLineCount(1);
    }

    @Test
    void anUnknownFormatIsWrongUse() {
        assertThat(report("--format", "pdf")).isEqualTo(Main.WRONG_USE);
        assertThat(errors.toString()).contains("text, markdown, latex, csv, json, html");
    }

    private int report(String... options) {
        return run(Stream.concat(Stream.of("report", study.path().toString()), Stream.of(options))
                .toArray(String[]::new));
    }

    private int run(String... arguments) {
        return Main.run(new PrintWriter(output), new PrintWriter(errors), arguments);
    }

    private void trainAll() throws IOException {
        int rounds = 0;
        while (trainOnce()) {
            assertThat(++rounds).as("rounds of a search of three stages").isLessThan(10);
        }
    }

    /** Gives every trial that is wanted by now an outcome; false if all had one. */
    private boolean trainOnce() throws IOException {
        boolean any = false;
        for (Trial trial :
                new Planner(study.study()).plan(study.store()::outcome).trials()) {
            if (study.store().outcome(trial.id()).isEmpty()) {
                Path directory = study.store().directory(trial.id());
                Files.createDirectories(directory);
                OutcomeJson.write(outcome(trial), directory.resolve("outcome.json"));
                any = true;
            }
        }
        return any;
    }

    private static TrialOutcome outcome(Trial trial) {
        String scheme = trial.method().text();
        double error =
                (scheme.contains("standard") ? 0.17 : 0.155) + (trial.id().hashCode() & 0xff) / 1e5;
        boolean validation = trial.recipe().data().evaluateOn() == EvaluateOn.VALIDATION;
        return new TrialOutcome(
                trial.id(),
                trial.recipe().toYaml(),
                trial.recipe().name(),
                trial.method().text(),
                trial.recipe().seed(),
                TrialOutcome.Status.DONE,
                "",
                validation ? TrialOutcome.VALIDATION : TrialOutcome.TEST,
                2,
                null,
                Map.of("lastError", error, "bestError", error, "lastLoss", 0.5, "top5Error", 0.01),
                0.3,
                20,
                10,
                scheme.contains("standard") ? 1000 : 500,
                1,
                Instant.parse("2026-11-15T12:00:00Z"),
                "a machine",
                List.of(
                        new EpochPoint(1, 1, Map.of("error", 0.5), 1, Map.of("error", 0.4), 1, 20, 0.1),
                        new EpochPoint(2, 0.5, Map.of("error", 0.2), 0.5, Map.of("error", error), 0.3, 20, 0.01)));
    }
}
