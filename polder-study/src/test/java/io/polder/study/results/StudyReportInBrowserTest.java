package io.polder.study.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.polder.study.Browser;
import io.polder.study.trial.TrialOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A study's report as a reader meets it. Leaves what was seen in {@code target/screenshots}. */
class StudyReportInBrowserTest {
    private static final String ROWS = "document.querySelectorAll('#list tbody tr:not(.detail)')";

    @TempDir
    static Path folder;

    private static Browser browser;
    private static Path report;

    @BeforeAll
    static void openBrowser() throws Exception {
        Optional<Browser> found = Browser.start();
        assumeTrue(found.isPresent(), "No Chromium on the path; on Debian: apt install chromium");
        browser = found.get();
        report = folder.resolve("report.html");
        StudyReport.write(StudySamples.whole(), report);
    }

    @AfterAll
    static void closeBrowser() throws Exception {
        if (browser != null) {
            browser.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "phone, 360, 740, light",
        "phone, 360, 740, dark",
        "desktop, 1200, 900, light",
        "desktop, 1200, 900, dark"
    })
    void theReportIsWholeOnEveryScreen(String screen, int width, int height, String scheme) throws Exception {
        browser.resize(width, height, screen.equals("phone"));
        browser.preferColourScheme(scheme);
        browser.open(report);
        browser.evaluate("document.querySelector('#list tbody button').click() ?? true");
        browser.screenshot(Path.of("target", "screenshots", "study-" + screen + "-" + scheme + ".png"));

        assertThat(browser.evaluate("document.documentElement.scrollWidth").intValue())
                .isLessThanOrEqualTo(width);
        assertThat(number("document.querySelectorAll('.study tbody tr').length"))
                .isEqualTo(8);
        assertThat(number("document.querySelectorAll('figure.chart[id]').length"))
                .isEqualTo(8);
        assertThat(number("document.querySelectorAll('.stage').length")).isEqualTo(6);
        assertThat(browser.evaluate(COLOURS + "luminance(getComputedStyle(document.body).backgroundColor)")
                        .doubleValue())
                .isBetween(scheme.equals("dark") ? 0 : 0.8, scheme.equals("dark") ? 0.05 : 1);
        assertThat(browser.evaluate(COLOURS + FAINT_TEXT)).isEmpty();
        assertThat(browser.evaluate(COLOURS + FAINT_CURVES)).isEmpty();
        nothingWasFetchedAndNothingComplained(report);
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
        nothingWasFetchedAndNothingComplained(report);
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
        nothingWasFetchedAndNothingComplained(report);
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
        nothingWasFetchedAndNothingComplained(report);
    }

    @Test
    void thePointerReadsOffAnEpoch() throws Exception {
        open();
        String legend = "document.querySelector('#error-basic figcaption').innerText";
        String atTheEnd = browser.evaluate(legend).textValue();
        browser.evaluate("document.querySelector('#error-basic').scrollIntoView() ?? true");
        JsonNode box = browser.evaluate(
                "(b => [b.left, b.top, b.width])(document.querySelector('#error-basic svg').getBoundingClientRect())");
        browser.movePointer(
                box.get(0).doubleValue() + 0.11 * box.get(2).doubleValue(),
                box.get(1).doubleValue() + 80);
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
        nothingWasFetchedAndNothingComplained(file);
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
        nothingWasFetchedAndNothingComplained(file);
    }

    private static void open() throws Exception {
        browser.resize(1200, 900, false);
        browser.preferColourScheme("light");
        browser.open(report);
    }

    private static void nothingWasFetchedAndNothingComplained(Path page) {
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.requestedAddresses())
                .filteredOn(address -> !address.startsWith("data:"))
                .allSatisfy(
                        address -> assertThat(address).startsWith(folder.toUri().toString()))
                .contains(page.toUri().toString());
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

    /** WCAG's relative luminance and contrast, of colours as the page computes them. */
    private static final String COLOURS = """
            var luminance = colour => colour.match(/[\\d.]+/g).slice(0, 3)
                .map(c => c / 255)
                .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            var ground = e => e && getComputedStyle(e).backgroundColor === "rgba(0, 0, 0, 0)"
                ? ground(e.parentElement) : getComputedStyle(e).backgroundColor;
            var contrast = (colour, e) => {
              const [dark, light] = [luminance(colour), luminance(ground(e))].sort((a, b) => a - b);
              return (light + 0.05) / (dark + 0.05);
            };
            """;

    private static final String FAINT_TEXT = """
            [...document.querySelectorAll("main *")]
                .filter(e => [...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim()))
                .filter(e => contrast(getComputedStyle(e)[e.matches("text") ? "fill" : "color"], e) < 4.5)
                .map(e => e.outerHTML)
            """;

    private static final String FAINT_CURVES = """
            [...document.querySelectorAll("polyline")]
                .filter(e => contrast(getComputedStyle(e).stroke, e) < 3)
                .map(e => e.getAttribute("class"))
            """;
}
