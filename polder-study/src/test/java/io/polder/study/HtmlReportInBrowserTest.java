package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The report as a reader meets it. Leaves what was seen in {@code target/screenshots}. */
class HtmlReportInBrowserTest {
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
        HtmlReport.write(Samples.study(), report);
    }

    @AfterAll
    static void closeBrowser() throws Exception {
        if (browser != null) {
            browser.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "phone-light, 360, 740, light",
        "phone-dark, 360, 740, dark",
        "desktop-light, 1200, 900, light",
        "desktop-dark, 1200, 900, dark"
    })
    void theReportIsLegibleAndWhole(String name, int width, int height, String scheme) throws Exception {
        browser.resize(width, height, name.startsWith("phone"));
        browser.preferColourScheme(scheme);
        browser.open(report);
        browser.screenshot(Path.of("target", "screenshots", name + ".png"));

        assertThat(browser.evaluate("innerWidth").intValue()).isEqualTo(width);
        assertThat(browser.evaluate("document.documentElement.scrollWidth").intValue())
                .isLessThanOrEqualTo(width);
        assertThat(browser.evaluate("(e => e.scrollWidth - e.clientWidth)(document.querySelector('.scroll'))")
                        .intValue())
                .as("columns of the outcome out of sight")
                .isZero();
        assertThat(browser.evaluate("document.querySelectorAll('.outcome td').length")
                        .intValue())
                .isEqualTo(9);
        assertThat(browser.evaluate("document.querySelectorAll('polyline').length")
                        .intValue())
                .isEqualTo(6);
        assertThat(browser.evaluate(PageChecks.UNSEEN)).isEmpty();
        assertThat(browser.evaluate(PageChecks.COLOURS + "luminance(getComputedStyle(document.body).backgroundColor)")
                        .doubleValue())
                .isBetween(scheme.equals("dark") ? 0 : 0.8, scheme.equals("dark") ? 0.05 : 1);
        assertThat(browser.evaluate(PageChecks.COLOURS + PageChecks.FAINT_TEXT)).isEmpty();
        assertThat(browser.evaluate(PageChecks.COLOURS + PageChecks.FAINT_CURVES))
                .isEmpty();

        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.requestedAddresses())
                .filteredOn(address -> !address.startsWith("data:"))
                .containsOnly(report.toUri().toString());
    }

    @Test
    void thePointerReadsOffAnEpochAndLeavesNoTrace() throws Exception {
        browser.resize(1200, 900, false);
        browser.open(report);
        browser.evaluate("document.querySelector('svg').scrollIntoView() ?? true");
        String legend = "document.querySelector('figcaption').innerText";
        String atTheEnd = browser.evaluate(legend).textValue();
        JsonNode box = browser.evaluate(
                "(b => [b.left, b.top, b.width])(document.querySelector('svg').getBoundingClientRect())");

        // The plot's left edge is the first epoch.
        browser.movePointer(
                box.get(0).doubleValue() + 0.11 * box.get(2).doubleValue(),
                box.get(1).doubleValue() + 80);
        assertThat(atTheEnd).contains("Epoch 25");
        assertThat(browser.evaluate(legend).textValue()).contains("Epoch 1\n").isNotEqualTo(atTheEnd);
        assertThat(browser.evaluate("getComputedStyle(document.querySelector('.rule')).visibility")
                        .textValue())
                .isEqualTo("visible");

        browser.movePointer(1, 1);
        assertThat(browser.evaluate(legend).textValue()).isEqualTo(atTheEnd);
    }

    @Test
    void aReportWithoutEpochsIsStillAPage() throws Exception {
        Path empty = folder.resolve("empty.html");
        HtmlReport.write(
                Samples.comparison(List.of(Samples.SAM), List.of(new TrialRecord("sam", 1, List.of(), 0, 0))), empty);
        browser.resize(360, 740, true);
        browser.open(empty);
        browser.screenshot(Path.of("target", "screenshots", "empty.png"));
        assertThat(browser.evaluate("document.querySelector('svg').textContent").textValue())
                .contains("Nothing was recorded");
        assertThat(browser.evaluate("document.documentElement.scrollWidth").intValue())
                .isLessThanOrEqualTo(360);
        assertThat(browser.complaints()).isEmpty();
    }
}
