package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.study.page.Html;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run's report as a reader meets it. Leaves what was seen in {@code target/screenshots}. */
class RunReportInBrowserTest {
    @TempDir
    static Path folder;

    @AutoClose
    private static Browser browser;

    private static Path report;

    @BeforeAll
    static void openBrowser() throws Exception {
        browser = Browser.start();
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

    @ParameterizedTest
    @EnumSource
    void theReportIsLegibleAndWhole(Screen screen) throws Exception {
        browser.use(screen);
        browser.open(report);
        browser.screenshot("run-" + screen);

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
        PageChecks.assertLegible(browser, screen);
        PageChecks.assertSelfContained(browser, report);
    }

    /** Everything from a run is escaped; and if it were not, it would be text, not a program. */
    @Test
    void scriptOrStyleThatGotIntoAReportIsNotRun() throws Exception {
        String smuggled = """
                <script>window.foreign = 1;</script>
                <p id="one" style="display: none" onclick="window.foreign = 2">one</p>
                <style>#one { display: none; }</style>
                """;
        Path page = Files.writeString(folder.resolve("smuggled.html"), Html.report("Title", "Lead", smuggled));
        browser.use(Screen.DESKTOP_LIGHT);
        browser.open(page);
        browser.evaluate("(document.querySelector('#one').click(), 0)");
        assertThat(browser.evaluate("window.foreign === undefined").booleanValue())
                .isTrue();
        assertThat(browser.evaluate("getComputedStyle(document.querySelector('#one')).display")
                        .textValue())
                .isEqualTo("block");
        assertThat(browser.evaluate("typeof readOff").textValue())
                .as("the page's own")
                .isEqualTo("function");
    }

    /** Curves of steps and of epochs have points at different places. */
    @Test
    void thePointerReadsOffEachCurveWhereItIsNearest() throws Exception {
        browser.use(Screen.DESKTOP_LIGHT);
        browser.open(report);
        String legend = "document.querySelector('figcaption').innerText";
        String atTheEnd = browser.evaluate(legend).textValue();
        browser.pointAtFirstEpoch("svg");
        assertThat(atTheEnd).startsWith("Epoch 25.5");
        String firstTest = browser.evaluate("document.querySelectorAll('li[data-x]')[1].dataset.values.split(' ')[0]")
                .textValue();
        assertThat(browser.evaluate(legend).textValue()).startsWith("Epoch 0.").contains("Test\n" + firstTest);
        browser.movePointer(1, 1);
        assertThat(browser.evaluate(legend).textValue()).isEqualTo(atTheEnd);
    }
}
