package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run's report as a reader meets it. Leaves what was seen in {@code target/screenshots}. */
class RunReportInBrowserTest {
    @TempDir
    static Path folder;

    private static Browser browser;
    private static Path report;

    @BeforeAll
    static void openBrowser() throws Exception {
        Optional<Browser> found = Browser.start();
        assumeTrue(found.isPresent(), "No Chromium on the path; on Debian: apt install chromium");
        browser = found.get();
        Path directory = folder.resolve("run");
        try (var run = SampleRun.begin(directory)) {
            run.steps(700);
        }
        try (var run = SampleRun.resume(directory, 500)) {
            run.steps(520);
        }
        Files.writeString(directory.resolve("recipe.yaml"), """
                name: wrn-16-2-cifar10
                model: { name: wrn-16-2, classes: 10 }
                scheme: { name: gradient-norm-penalty, r: 0.1, alpha: 0.8, mix: gradient, perturbation: l2, syncPerturbation: false }
                """);
        RunReport.write(directory);
        report = directory.resolve("report.html");
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
        browser.screenshot(Path.of("target", "screenshots", "run-" + name + ".png"));

        assertThat(browser.evaluate("document.documentElement.scrollWidth").intValue())
                .isLessThanOrEqualTo(width);
        assertThat(browser.evaluate("[...document.querySelectorAll('svg .title')].map(t => t.textContent).join()")
                        .textValue())
                .isEqualTo("Error, %,Loss,Gradient norm,Parameter norm,Learning rate,Radius r and share α");
        assertThat(browser.evaluate("document.querySelectorAll('polyline').length")
                        .intValue())
                .isEqualTo(3 + 2 + 2 + 1 + 1 + 2);
        assertThat(browser.evaluate("document.querySelectorAll('.events li').length")
                        .intValue())
                .isOne();
        assertThat(browser.evaluate(PageChecks.UNSEEN + ".filter(e => !e.includes('<polyline'))"))
                .isEmpty();
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

    /** Curves of steps and of epochs have points at different places. */
    @Test
    void thePointerReadsOffEachCurveWhereItIsNearest() throws Exception {
        browser.resize(1200, 900, false);
        browser.open(report);
        browser.evaluate("document.querySelector('svg').scrollIntoView() ?? true");
        String legend = "document.querySelector('figcaption').innerText";
        String atTheEnd = browser.evaluate(legend).textValue();
        JsonNode box = browser.evaluate(
                "(b => [b.left, b.top, b.width])(document.querySelector('svg').getBoundingClientRect())");
        browser.movePointer(
                box.get(0).doubleValue() + 0.11 * box.get(2).doubleValue(),
                box.get(1).doubleValue() + 80);
        assertThat(atTheEnd).startsWith("Epoch 25.5");
        String firstTest = browser.evaluate("document.querySelectorAll('li[data-x]')[1].dataset.values.split(' ')[0]")
                .textValue();
        assertThat(browser.evaluate(legend).textValue()).startsWith("Epoch 0.").contains("Test\n" + firstTest);
        browser.movePointer(1, 1);
        assertThat(browser.evaluate(legend).textValue()).isEqualTo(atTheEnd);
    }
}
