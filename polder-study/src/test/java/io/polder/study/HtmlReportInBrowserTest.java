package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The report as a reader meets it. Leaves what was seen in {@code target/screenshots}. */
class HtmlReportInBrowserTest {
    @TempDir
    static Path folder;

    @AutoClose
    private static Browser browser;

    private static Path report;

    @BeforeAll
    static void openBrowser() throws Exception {
        browser = Browser.start();
        report = folder.resolve("report.html");
        HtmlReport.write(Samples.study(), report);
    }

    @ParameterizedTest
    @EnumSource
    void theReportIsLegibleAndWhole(Screen screen) throws Exception {
        browser.use(screen);
        browser.open(report);
        browser.screenshot(screen.toString());

        PageChecks.assertAllColumnsInSight(browser);
        assertThat(browser.evaluate("document.querySelectorAll('.outcome td').length")
                        .intValue())
                .isEqualTo(9);
        assertThat(browser.evaluate("document.querySelectorAll('polyline').length")
                        .intValue())
                .isEqualTo(6);
        assertThat(browser.evaluate(PageChecks.UNSEEN)).isEmpty();
        PageChecks.assertLegible(browser, screen);
        PageChecks.assertSelfContained(browser, report);
    }

    @Test
    void thePointerReadsOffAnEpochAndLeavesNoTrace() throws Exception {
        browser.use(Screen.DESKTOP_LIGHT);
        browser.open(report);
        String legend = "document.querySelector('figcaption').innerText";
        String atTheEnd = browser.evaluate(legend).textValue();
        browser.pointAtFirstEpoch("svg");
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
        browser.use(Screen.PHONE_LIGHT);
        browser.open(empty);
        browser.screenshot("empty");
        assertThat(browser.evaluate("document.querySelector('svg').textContent").textValue())
                .contains("Nothing was recorded");
        PageChecks.assertLegible(browser, Screen.PHONE_LIGHT);
    }
}
