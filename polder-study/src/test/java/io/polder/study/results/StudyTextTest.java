package io.polder.study.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.study.trial.TrialOutcome;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyTextTest {
    /** Nothing a user may call a study or a variant is markup anywhere. */
    private static final String NASTY = "100 % \\evil{x} $a_b^c$ #1 & <b>|*`~[y]\"' -- é 中 😀 ±";

    @Test
    void theTextTableIsInThePapersForm() {
        assertThat(StudyText.text(StudySamples.whole()).lines().limit(17))
                .containsExactly(
                        "WRN-16-2 on 10,000 images of CIFAR-10",
                        "",
                        "                                                 Gradient",
                        "  Method                 Seeds  Test error, %        norm   Cost     Paper, %",
                        "Basic",
                        "  Standard               5       10.09 ± 0.20       0.230  1.00×  3.53 ± 0.10",
                        "    learning rate = 0.1",
                        "  SAM                    5        8.77 ± 0.40       0.138  2.00×  2.78 ± 0.07",
                        "    r = 0.1",
                        "  Gradient-norm penalty  5        8.35 ± 0.20 *     0.138  2.00×  2.52 ± 0.09",
                        "    r = 0.1, α = 0.7",
                        "Cutout",
                        "  Standard               5        8.85 ± 0.24 *     0.230  1.00×  2.81 ± 0.07",
                        "    learning rate = 0.1",
                        "  SAM                    4        9.26 ± 0.31       0.138  2.00×  2.43 ± 0.13",
                        "    r = 0.1; 1 diverged",
                        "  Gradient-norm penalty  4        9.02 ± 0.20       0.138  1.95×  2.16 ± 0.11");
    }

    @Test
    void aTableThatFitsHasSettingsBesideTheMethod() {
        assertThat(StudyText.text(StudySamples.three(
                                new double[] {18, 17.5}, new double[] {16, 16.5}, new double[] {15, 16}))
                        .lines()
                        .filter(line -> line.startsWith("Method") || line.startsWith("SAM")))
                .first()
                .asString()
                .startsWith("Method                 Settings");
    }

    /** What a user calls things may be longer than a line; the rest is made to fit. */
    @Test
    void nothingIsWiderThanATerminal() {
        for (StudyResult result : List.of(
                StudySamples.whole(),
                StudySamples.sweep(),
                StudySamples.three(new double[] {18}, new double[] {16}, new double[] {15}),
                StudySamples.three(new double[] {10, 11}, new double[] {5, Double.NaN}, new double[] {9, 8}))) {
            assertThat(StudyText.text(result).lines())
                    .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(80));
        }
    }

    @Test
    void aClaimIsALineWithItsSign() {
        assertThat(StudyText.text(StudySamples.whole()).lines())
                .containsSubsequence(
                        "Basic",
                        "Difference in test error, points (5 seeds)     95 % interval        p",
                        "−1.32  SAM against standard                    [−2.02, −0.62]  0.0314  lower",
                        "−1.74  gradient-norm penalty against standard  [−2.12, −1.37]  0.0012  lower",
                        "−0.42  gradient-norm penalty against SAM       [−1.09, 0.25]   0.4724  no claim");
        assertThat(oneLine(StudyText.text(StudySamples.three(new double[] {18}, new double[] {16}, new double[] {15}))))
                .contains("−2.00 SAM against standard – – no claim", "One seed cannot tell a difference from noise.");
    }

    @Test
    void aRowThatLostATrialIsNeverTheBest() {
        StudyResult result = StudySamples.three(
                new double[] {10, 11}, new double[] {5, Double.NaN}, new double[] {Double.NaN, Double.NaN});
        assertThat(RowSummary.of(result)).extracting(RowSummary::best).containsExactly(true, false, false);
        assertThat(StudyText.text(result)).contains("2 diverged", "diverged  ", "3 trials diverged");
    }

    @Test
    void thePaperIsShownOnlyWhereTheStudyNamesIt() {
        assertThat(StudyText.text(StudySamples.whole()))
                .contains("Paper: as published")
                .contains("Here: 20 epochs of quick-sample.");
        assertThat(StudyText.text(StudySamples.sweep())).doesNotContain("Paper");
    }

    @Test
    void theStagesAreToldWithWhatTheyChoseOn() {
        assertThat(oneLine(StudyText.text(StudySamples.whole())))
                .contains(
                        "Basic, stage 2: α = 1, r (5 candidates, on the validation split): chose r = 0.1 with 9.10 %.");
    }

    @Test
    void whatAllTrialsRanOnIsSaidOnce() {
        assertThat(oneLine(StudyText.text(StudySamples.whole())))
                .contains("Trained on " + StudySamples.MACHINE + ".")
                .doesNotContain("Not all trials");
    }

    /** Of the rows it makes their cost doubtful, too. */
    @Test
    void aTrialThatRanOnSomethingElseIsTold() {
        String other = "AMD EPYC, 2 threads, Polder 2";
        StudyResult whole = StudySamples.whole();
        List<ResultRow> rows = new ArrayList<>(whole.rows());
        List<TrialOutcome> outcomes = new ArrayList<>(rows.get(0).outcomes());
        outcomes.set(0, StudySamples.on(other, outcomes.get(0)));
        rows.set(0, StudySamples.with(rows.get(0), outcomes.size(), outcomes));
        var result = new StudyResult(whole.name(), whole.title(), rows, whole.stages(), whole.wanted());
        assertThat(oneLine(StudyText.text(result)))
                .contains("Not all trials ran on the same", "; 1 trial on " + other + ".", "ran on different machines")
                .doesNotContain("Trained on");
    }

    @Test
    void aTrialOfTheSearchThatRanOnSomethingElseIsTold() {
        String other = "AMD EPYC, 2 threads, Polder 2";
        StudyResult whole = StudySamples.whole();
        List<SearchStage> stages = new ArrayList<>(whole.stages());
        SearchStage first = stages.get(0);
        List<Candidate> candidates = new ArrayList<>(first.candidates());
        Candidate one = candidates.get(0);
        TrialOutcome elsewhere = StudySamples.on(other, one.outcomes().get(0));
        candidates.set(0, new Candidate(one.settings(), one.seeds(), List.of(elsewhere), one.chosen()));
        stages.set(0, new SearchStage(first.variant(), first.title(), first.given(), candidates));
        var result = new StudyResult(whole.name(), whole.title(), whole.rows(), stages, whole.wanted());
        assertThat(oneLine(StudyText.text(result)))
                .contains("Not all trials ran on the same", "; 1 trial on " + other + ".")
                .doesNotContain("Trained on", "ran on different machines");
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ");
    }

    @Test
    void markdownMarksTheBestAndEscapesTheRest() {
        assertThat(StudyText.markdown(StudySamples.whole()))
                .contains("| Basic | Gradient-norm penalty | r = 0.1, α = 0.7 | 5 | **8.35 ± 0.20** |");
        String nasty = StudyText.markdown(nasty());
        assertThat(nasty.lines().filter(line -> line.startsWith("|")))
                .allSatisfy(line -> assertThat(
                                line.replaceAll("\\\\\\|", "").chars().filter(c -> c == '|'))
                        .as(line)
                        .hasSize(8));
        assertThat(nasty).doesNotContain("<b>");
    }

    @Test
    void latexSetsMeansAsThePaperDoes() {
        assertThat(StudyText.latex(StudySamples.whole()))
                .contains("\\toprule", "\\midrule", "\\bottomrule")
                .contains("\\multicolumn{7}{l}{\\textit{Cutout}} \\\\")
                .contains("Gradient-norm penalty & r = 0.1, $\\alpha$ = 0.7 & 5 & $\\mathbf{8.35_{\\pm 0.20}}$ & 0.138"
                        + " & 2.00$\\times$ & $2.52_{\\pm 0.09}$ \\\\");
    }

    @Test
    void everyCharacterThatMeansSomethingToLatexIsEscaped() {
        assertThat(Latex.escape("100 % & a_b #1 $x$ {y} ~ ^ \\ --- 中"))
                .isEqualTo(
                        "100 \\% \\& a\\_b \\#1 \\$x\\$ \\{y\\} \\textasciitilde{} \\textasciicircum{} \\textbackslash{}"
                                + " -{}-{}- {[}U+4E2D{]}");
    }

    @Test
    void latexCompilesWhereATexIsInstalled(@TempDir Path folder) throws Exception {
        Optional<Path> tex = Stream.of("pdflatex", "tectonic", "lualatex", "xelatex")
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(each -> Path.of(each, name)))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(tex.isPresent(), "No TeX on the path; on Debian: apt install texlive-latex-recommended");
        Files.writeString(folder.resolve("table.tex"), """
                \\documentclass{article}
                \\usepackage[T1]{fontenc}
                \\usepackage[utf8]{inputenc}
                \\usepackage{textcomp,booktabs}
                \\begin{document}
                %s
                %s
                \\end{document}
                """.formatted(
                        StudyText.latex(StudySamples.whole()), StudyText.latex(nasty())));
        List<String> command = tex.get().endsWith("tectonic")
                ? List.of(tex.get().toString(), "table.tex")
                : List.of(tex.get().toString(), "-interaction=nonstopmode", "-halt-on-error", "table.tex");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("output")))
                .isZero();
        assertThat(folder.resolve("table.pdf")).isNotEmptyFile();
    }

    @Test
    void csvHasOneCellForEachHeadingAndAllDigits() {
        List<String> lines = StudyText.csv(StudySamples.whole()).lines().toList();
        assertThat(lines).hasSize(7);
        assertThat(lines.get(0))
                .startsWith("variant,method,settings,seeds,done,diverged,failed,error_mean,error_deviation,");
        assertThat(lines).allSatisfy(line -> assertThat(line.split(",", -1)).hasSize(34));
        assertThat(lines.get(2)).contains(",8.766,0.4015345564,").contains(",lower,");
    }

    @Test
    void csvQuotesWhatNeedsIt() {
        assertThat(StudyText.csv(nasty())).contains("\"" + NASTY.replace("\"", "\"\"") + "\"");
    }

    private static StudyResult nasty() {
        ResultRow row = StudySamples.row(NASTY, "standard", StudySamples.settings("a|b", NASTY), "", 3, 4);
        ResultRow sam = StudySamples.row(NASTY, "sam", StudySamples.settings("scheme.r", "0.1"), "", 2, 3.5);
        return new StudyResult("nasty", NASTY, List.of(row, sam), List.of(), 4);
    }

    @Test
    void jsonHasTheFieldsOfTheRecordsAndNullForWhatIsNotFinite() throws Exception {
        StudyResult whole = StudySamples.whole();
        JsonNode json = new ObjectMapper().readTree(StudyText.json(whole));
        assertThat(json.fieldNames()).toIterable().containsExactly("name", "title", "rows", "stages", "wanted");
        JsonNode outcome = json.at("/rows/0/outcomes/0");
        TrialOutcome expected = whole.rows().get(0).outcomes().get(0);
        assertThat(outcome.fieldNames())
                .toIterable()
                .containsExactly(
                        "id",
                        "recipe",
                        "name",
                        "method",
                        "seed",
                        "status",
                        "reason",
                        "evaluatedOn",
                        "epochs",
                        "lastError",
                        "bestError",
                        "lastLoss",
                        "top5Error",
                        "gradientNorm",
                        "parameterNorm",
                        "seconds",
                        "imagesPerSecond",
                        "attempts",
                        "started",
                        "machine",
                        "curve");
        assertThat(outcome.at("/curve/0").fieldNames())
                .toIterable()
                .containsExactly(
                        "epoch",
                        "trainLoss",
                        "trainError",
                        "testLoss",
                        "testError",
                        "gradientNorm",
                        "parameterNorm",
                        "learningRate");
        assertThat(outcome.get("lastError").doubleValue()).isEqualTo(expected.last());
        assertThat(outcome.get("started").textValue())
                .isEqualTo(expected.started().toString());
        assertThat(outcome.get("curve")).hasSize(expected.curve().size());
        assertThat(whole.rows().get(4).outcomes().get(3).last()).isNaN();
        assertThat(json.at("/rows/4/outcomes/3/lastError").isNull()).isTrue();
    }
}
