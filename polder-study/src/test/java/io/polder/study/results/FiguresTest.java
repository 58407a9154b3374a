package io.polder.study.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.study.page.Chart;
import io.polder.study.page.ChartFiles;
import io.polder.study.page.ChartHtml;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresTest {
    @Test
    void eachVariantHasItsFourFigures() {
        assertThat(StudyCharts.of(StudySamples.whole()))
                .extracting(Chart::name)
                .containsExactly(
                        "error-alpha-basic",
                        "error-basic",
                        "gradient-norm-basic",
                        "cost-basic",
                        "error-alpha-cutout",
                        "error-cutout",
                        "gradient-norm-cutout",
                        "cost-cutout");
    }

    @Test
    void aSweepHasALineForEachRadiusFromStandardTrainingToSam() {
        Chart alpha = StudyCharts.of(StudySamples.sweep()).get(0);
        assertThat(alpha.title()).isEqualTo("Test error against α");
        assertThat(alpha.series()).extracting(Chart.Series::label).containsExactly("r = 0.05", "r = 0.1");
        assertThat(alpha.series())
                .allSatisfy(series -> assertThat(series.points())
                        .extracting(Chart.Point::x)
                        .containsExactly(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0));
        Chart.Point sam = alpha.series().get(1).points().get(10);
        Spread errors = RowSummary.of(StudySamples.sweep()).get(20).judged();
        assertThat(sam.mean()).isEqualTo(100 * errors.mean());
    }

    @Test
    void withoutASweepTheSearchIsShownAndCalledValidation() {
        Chart alpha = StudyCharts.of(StudySamples.whole()).get(0);
        assertThat(alpha.y()).isEqualTo("Validation error, %");
        assertThat(alpha.series())
                .singleElement()
                .satisfies(series -> assertThat(series.points()).hasSize(9));
    }

    /** Two lines through each other's points would show a shape that neither has. */
    @Test
    void sweepsThatDifferInAnotherSettingHaveLinesOfTheirOwn() {
        List<ResultRow> rows = new ArrayList<>();
        rows.add(StudySamples.row("", "standard", StudySamples.settings(), "", 9, 9));
        rows.add(StudySamples.row("", "sam", StudySamples.settings("scheme.r", "0.1"), "", 8, 8));
        for (String mix : List.of("gradient", "direction")) {
            for (String alpha : List.of("0.4", "0.6", "0.8")) {
                rows.add(StudySamples.row(
                        "",
                        "gradient-norm-penalty",
                        StudySamples.settings("scheme.mix", mix, "scheme.r", "0.1", "scheme.alpha", alpha),
                        "",
                        7,
                        7));
            }
        }
        Chart alpha =
                StudyCharts.of(new StudyResult("x", "x", rows, List.of(), 16)).get(0);
        assertThat(alpha.series())
                .extracting(Chart.Series::label)
                .containsExactly("r = 0.1, scheme.mix = direction", "r = 0.1, scheme.mix = gradient");
        assertThat(alpha.series())
                .allSatisfy(series -> assertThat(series.points())
                        .extracting(Chart.Point::x)
                        .containsExactly(0.0, 0.4, 0.6, 0.8, 1.0));
    }

    @Test
    void searchesOfSeveralEntriesHaveLinesOfTheirOwn() {
        SearchStage plain = StudySamples.whole().stages().get(2);
        var direction = new SearchStage(
                plain.variant(), plain.title(), StudySamples.settings("scheme.mix", "direction"), plain.candidates());
        StudyResult whole = StudySamples.whole();
        Chart alpha = StudyCharts.of(new StudyResult("x", "x", whole.rows(), List.of(plain, direction), 62))
                .get(0);
        assertThat(alpha.series())
                .extracting(Chart.Series::label)
                .containsExactly("r = 0.1", "r = 0.1, scheme.mix = direction");
        assertThat(alpha.series())
                .allSatisfy(series -> assertThat(series.points()).hasSize(9));
    }

    /** Two seeds at 2 % and 4 %: the mean is 3 % and the band reaches from one to the other. */
    @Test
    void theBandReachesFromTheLowestSeedToTheHighest() {
        Chart error =
                StudyCharts.of(StudySamples.three(new double[] {2, 4}, new double[] {1, 1}, new double[] {1, 2}))
                        .stream()
                        .filter(chart -> chart.name().equals("error"))
                        .findFirst()
                        .orElseThrow();
        List<Chart.Point> points = error.series().get(0).points();
        assertThat(points.get(points.size() - 1)).isEqualTo(new Chart.Point(20, 2, 3, 4));
    }

    @Test
    void figuresAreWellFormedSvgAndPngOfTwiceTheSize(@TempDir Path folder) throws Exception {
        List<Path> files = ChartFiles.write(StudyCharts.of(StudySamples.sweep()), folder);
        assertThat(files).hasSize(8).allSatisfy(file -> assertThat(file).exists());
        for (Path file : files) {
            if (file.toString().endsWith(".svg")) {
                var factory = DocumentBuilderFactory.newInstance();
                factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
                var svg = factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
                assertThat(svg.getTagName()).isEqualTo("svg");
                assertThat(svg.getElementsByTagName("path").getLength()).isGreaterThan(10);
                assertThat(Files.readString(file)).doesNotContain("NaN");
            } else {
                BufferedImage image = ImageIO.read(file.toFile());
                assertThat(image.getWidth()).isEqualTo(1440);
                long coloured = IntStream.range(0, image.getWidth())
                        .filter(x -> image.getRGB(x, image.getHeight() / 2) != 0xffffffff)
                        .count();
                assertThat(coloured).isPositive();
            }
        }
    }

    /** The paper's set B: every α has its curve, those that diverged too, as far as they went. */
    @Test
    void setBShowsEveryAlpha() {
        List<ResultRow> rows = new ArrayList<>();
        for (String alpha : List.of("-0.5", "-0.2", "-0.1", "0.8", "1.1", "1.2", "1.3", "1.5", "2.0")) {
            double error = alpha.startsWith("-") ? Double.NaN : 9;
            rows.add(StudySamples.row(
                    "", "gradient-norm-penalty", StudySamples.settings("scheme.alpha", alpha), "", error, error));
        }
        StudyResult result = new StudyResult("b", "Set B", rows, List.of(), 18);
        Chart norm = StudyCharts.of(result).stream()
                .filter(chart -> chart.name().equals("gradient-norm"))
                .findFirst()
                .orElseThrow();
        assertThat(norm.series()).hasSize(9);
        assertThat(norm.series().get(0).label()).isEqualTo("Gradient-norm penalty, α = −0.5");
        assertThat(norm.series().get(0).points()).hasSize(3);
        assertThat(ChartHtml.of(norm)).contains("class=\"line c0 dotted\"");
    }

    @Test
    void namesOfFilesAreSafeAndDistinct() {
        StudyResult result = new StudyResult(
                "x",
                "x",
                List.of(
                        StudySamples.row("../A b", "standard", StudySamples.settings(), "", 3, 4),
                        StudySamples.row("a/B", "standard", StudySamples.settings(), "", 3, 4)),
                List.of(),
                4);
        assertThat(StudyCharts.of(result))
                .extracting(Chart::name)
                .containsExactly("error-a-b", "gradient-norm-a-b", "error-a-b-2", "gradient-norm-a-b-2");
    }

    @Test
    void aStudyWithoutOutcomesHasNoFigures() {
        ResultRow row = StudySamples.row("", "sam", StudySamples.settings(), "", 3);
        StudyResult empty = new StudyResult("x", "x", List.of(StudySamples.with(row, 1, List.of())), List.of(), 1);
        assertThat(StudyCharts.of(empty)).isEmpty();
        assertThat(StudyReport.html(empty, List.of())).contains("<table", "1 to come");
    }
}
