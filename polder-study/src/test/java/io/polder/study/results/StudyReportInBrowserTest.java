package io.polder.study.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.polder.study.Browser;
import io.polder.study.PageChecks;
import io.polder.study.Screen;
import io.polder.study.trial.TrialOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A study's report as a reader meets it. Leaves what was seen in {@code target/screenshots}. */
class StudyReportInBrowserTest {
    private static final String ROWS = "document.querySelectorAll('#list tbody tr:not(.detail)')";

    @TempDir
    static Path folder;

    @AutoClose
    private static Browser browser;

    private static Path report;

    @BeforeAll
    static void openBrowser() throws Exception {
        browser = Browser.start();
        report = folder.resolve("report.html");
        StudyReport.write(StudySamples.whole(), report);
    }

    @ParameterizedTest
    @EnumSource
    void theReportIsWholeOnEveryScreen(Screen screen) throws Exception {
        browser.use(screen);
        browser.open(report);
        browser.evaluate("document.querySelector('#list tbody button').click() ?? true");
        browser.screenshot("study-" + screen);

        assertThat(number("document.querySelectorAll('.study tbody tr').length"))
                .isEqualTo(8);
        assertThat(number("document.querySelectorAll('figure.chart[id]').length"))
                .isEqualTo(8);
        assertThat(number("document.querySelectorAll('.stage').length")).isEqualTo(6);
        PageChecks.assertLegible(browser, screen);
        PageChecks.assertSelfContained(browser, report);
    }

    @Test
    void aHeadingSortsAndSortsTheOtherWay() throws Exception {
        open();
        sortBy("Error, %");
        List<Double> errors = numbers("Error, %");
        assertThat(errors).hasSizeGreaterThan(50).isSorted();
        assertThat(browser.evaluate("document.querySelector('#list [aria-sort]').textContent")
                        .textValue())
                .isEqualTo("Error, %");
        sortBy("Error, %");
        assertThat(numbers("Error, %")).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        // Diverged trials have no error: last in either order.
        assertThat(browser.evaluate(ROWS + "[" + ROWS + ".length - 1].textContent")
                        .textValue())
                .contains("–");
        PageChecks.assertSelfContained(browser, report);
    }

    @Test
    void wordsAndChoicesFilter() throws Exception {
        open();
        int all = number(ROWS + ".length");
        assertThat(all).isEqualTo(StudySamples.whole().outcomes().size());
        type("filter", "cutout sam table");
        assertThat(number(ROWS + ".length")).isEqualTo(5);
        assertThat(text("count")).isEqualTo("5 of " + all + " trials");
        type("status", "1");
        assertThat(number(ROWS + ".length")).isEqualTo(1);
        type("filter", "");
        type("status", "2");
        assertThat(number(ROWS + ".length")).isEqualTo(1);
        type("status", "");
        type("split", "1");
        assertThat(number(ROWS + ".length")).isEqualTo(32);
        type("filter", "nothing-is-called-so");
        assertThat(number(ROWS + ".length")).isZero();
        PageChecks.assertSelfContained(browser, report);
    }

    @Test
    void aTrialOpensToItsRecipeAndCurvesAndClosesAgain() throws Exception {
        open();
        type("filter", "cutout sam table seed 3");
        TrialOutcome diverged = StudySamples.whole().rows().get(4).outcomes().get(3);
        assertThat(number("document.querySelectorAll('.detail').length")).isZero();
        browser.evaluate("document.querySelector('#list tbody button').click() ?? true");
        assertThat(browser.evaluate("document.querySelector('.detail pre').textContent + '\\n'")
                        .textValue())
                .isEqualTo(diverged.recipe());
        assertThat(browser.evaluate("document.querySelector('.detail .reason').textContent")
                        .textValue())
                .isEqualTo("diverged: " + diverged.reason());
        assertThat(number("document.querySelectorAll('.detail svg polyline').length"))
                .isEqualTo(2);
        browser.evaluate("document.querySelector('#list tbody button').click() ?? true");
        assertThat(number("document.querySelectorAll('.detail').length")).isZero();
        PageChecks.assertSelfContained(browser, report);
    }

    @Test
    void thePointerReadsOffAnEpoch() throws Exception {
        open();
        String legend = "document.querySelector('#error-basic figcaption').innerText";
        String atTheEnd = browser.evaluate(legend).textValue();
        browser.pointAtFirstEpoch("#error-basic svg");
        assertThat(browser.evaluate(legend).textValue()).contains("Epoch 1\n").isNotEqualTo(atTheEnd);
        browser.movePointer(1, 1);
        assertThat(browser.evaluate(legend).textValue()).isEqualTo(atTheEnd).contains("Epoch 20");
    }

    /** Names and recipes are data: none of them can become an element or end the script they are in. */
    @Test
    void nothingAUserCallsAStudyIsMarkup() throws Exception {
        String nasty = "</script><img src=x onerror=alert(1)><!-- \" ' & %s %";
        ResultRow row = StudySamples.row(nasty, "standard", StudySamples.settings("a", nasty), "", 3, 4);
        ResultRow sam = StudySamples.row(nasty, "sam", StudySamples.settings("scheme.r", "0.1"), "", 2, 3);
        Path file = folder.resolve("nasty.html");
        StudyReport.write(new StudyResult("x", nasty, List.of(row, sam), List.of(), 4), file);
        browser.open(file);
        assertThat(browser.evaluate("document.querySelector('h1').textContent").textValue())
                .isEqualTo(nasty);
        assertThat(number("document.querySelectorAll('img').length")).isZero();
        assertThat(number(ROWS + ".length")).isEqualTo(4);
        assertThat(browser.evaluate(ROWS + "[0].cells[1].textContent").textValue())
                .isEqualTo(nasty);
        PageChecks.assertSelfContained(browser, file);
    }

    @Test
    void tenThousandTrialsStayUsable() throws Exception {
        List<ResultRow> rows = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            List<TrialOutcome> outcomes = new ArrayList<>();
            for (int seed = 0; seed < 100; seed++) {
                outcomes.add(StudySamples.outcome("row " + i, "sam", seed, 0.1 + i / 1000.0, TrialOutcome.TEST, 100));
            }
            ResultRow row =
                    StudySamples.row("", "sam", StudySamples.settings("scheme.r", String.valueOf(1000 + i)), "");
            rows.add(StudySamples.with(row, 100, outcomes));
        }
        Path file = folder.resolve("large.html");
        StudyReport.write(new StudyResult("large", "Large", rows, List.of(), 10_000), file);
        assertThat(Files.size(file)).isLessThan(12_000_000);
        browser.open(file);
        assertThat(number(ROWS + ".length")).as("rows built at first").isEqualTo(100);
        assertThat(text("count")).isEqualTo("10000 trials");
        browser.evaluate("document.getElementById('more').click() ?? true");
        assertThat(number(ROWS + ".length")).isEqualTo(500);
        type("filter", "seed 99");
        sortBy("Error, %");
        assertThat(numbers("Error, %")).hasSize(100).isSorted();
        browser.evaluate("document.querySelector('#list tbody button').click() ?? true");
        assertThat(number("document.querySelectorAll('.detail svg polyline').length"))
                .isEqualTo(2);
        PageChecks.assertSelfContained(browser, file);
    }

    private static void open() throws Exception {
        browser.use(Screen.DESKTOP_LIGHT);
        browser.open(report);
    }

    private static void sortBy(String heading) throws Exception {
        browser.evaluate("[...document.querySelectorAll('#list thead button')].find(b => b.textContent === '" + heading
                + "').click() ?? true");
    }

    private static void type(String field, String text) throws Exception {
        browser.evaluate("(e => { e.value = '" + text + "'; e.dispatchEvent(new Event('input')); return true; })"
                + "(document.getElementById('" + field + "'))");
    }

    private static String text(String id) throws Exception {
        return browser.evaluate("document.getElementById('" + id + "').textContent")
                .textValue();
    }

    private static int number(String expression) throws Exception {
        return browser.evaluate(expression).intValue();
    }

    /** A column's numbers as shown, without those that are unknown. */
    private static List<Double> numbers(String heading) throws Exception {
        JsonNode values =
                browser.evaluate("(c => [..." + ROWS + "].map(r => r.cells[c].textContent).filter(t => t !== '–')"
                        + ".map(Number))([...document.querySelectorAll('#list thead button')].findIndex(b => b.textContent === '"
                        + heading + "'))");
        return StreamSupport.stream(values.spliterator(), false)
                .map(JsonNode::doubleValue)
                .toList();
    }
}
