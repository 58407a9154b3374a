package io.polder.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.study.Browser;
import io.polder.study.PageChecks;
import io.polder.study.SampleRun;
import io.polder.study.Screen;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The page as somebody meets it who watches a run. Leaves what was seen in {@code target/screenshots}. */
class WatchInBrowserTest {
    /** Where the run is, by the axis of the chart of errors. */
    private static final String EPOCH =
            "Number(document.querySelector('.chart svg')?.dataset.range.split(' ')[1] ?? 0)";

    private static final String STATE = "(document.querySelector('.state')?.textContent ?? '')";

    @TempDir
    private Path folder;

    @AutoClose
    private static Browser browser;

    private WatchServer server;

    @BeforeAll
    static void openBrowser() throws Exception {
        browser = Browser.start();
    }

    @BeforeEach
    void startServer() throws Exception {
        server = WatchServer.start(List.of(folder), 0);
    }

    /** The page first: it would complain that its server is gone. */
    @AfterEach
    void closeServer() throws Exception {
        browser.open(URI.create("about:blank"));
        server.close();
    }

    @Test
    void aCurveGrowsWhileTheRunGoesOn() throws Exception {
        browser.use(Screen.DESKTOP_LIGHT);
        browser.open(server.address());
        await("document.querySelector('#note').textContent === 'No run has begun in " + folder + " yet.'");

        Path directory = folder.resolve("run-1");
        try (var run = SampleRun.begin(directory)) {
            // Each part once the page has seen the one before: on busy cores it may be seconds behind.
            run.steps(60);
            await(EPOCH + " > 1");
            double early = browser.evaluate(EPOCH).doubleValue();
            int points = browser.evaluate(POINTS).intValue();
            run.steps(200);
            await(EPOCH + " > " + (early + 3));
            assertThat(browser.evaluate(POINTS).intValue()).isGreaterThan(points);
            assertThat(browser.evaluate(STATE).textValue()).isEqualTo("running");
            run.steps(140);
            await(EPOCH + " === 10");
            run.status("done");
        }
        await(STATE + " === 'finished'");
        assertThat(browser.evaluate("document.title").textValue()).isEqualTo("wrn-16-2 <cifar10> – Polder");

        // A resume cuts the file, and the curve with it.
        try (var run = SampleRun.resume(directory, 200)) {
            run.steps(40);
            await(EPOCH + " === 6");
        }
        // A second run appears by itself, and every chart has both.
        try (var second = SampleRun.begin(folder.resolve("run-2"))) {
            second.steps(160);
            await("document.querySelectorAll('.runs tbody tr').length === 2");
        }
        await("[...document.querySelectorAll('.chart')].every(c => c.querySelectorAll('polyline').length === 2)");
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.requestedAddresses())
                .filteredOn(address -> !address.startsWith("data:"))
                .allMatch(address -> address.startsWith(server.address().toString()));
        server.close();
        await("document.querySelector('#link').className === 'lost'");
    }

    @Test
    void aPointerThatRestsOnAChartGoesOnReadingItOff() throws Exception {
        try (var run = SampleRun.begin(folder.resolve("run-1"))) {
            run.steps(160);
            browser.use(Screen.DESKTOP_LIGHT);
            browser.open(server.address());
            await(EPOCH + " === 4");
            browser.pointAtFirstEpoch("svg");
            assertThat(browser.evaluate("document.querySelector('.at').textContent")
                            .textValue())
                    .isEqualTo("Epoch 0.0");
            run.steps(160);
            await(EPOCH + " === 8");
            assertThat(browser.evaluate("document.querySelector('.at').textContent")
                            .textValue())
                    .isEqualTo("Epoch 0.0");
            assertThat(browser.evaluate("getComputedStyle(document.querySelector('.rule')).visibility")
                            .textValue())
                    .isEqualTo("visible");
        }
    }

    @Test
    void aRunThatIsHiddenStaysSoAndALineIsSmoothedOverItsPoints() throws Exception {
        try (var first = SampleRun.begin(folder.resolve("run-1"));
                var second = SampleRun.begin(folder.resolve("run-2"))) {
            first.steps(160).status("done");
            second.steps(80);
            browser.use(Screen.DESKTOP_LIGHT);
            browser.open(server.address());
            await("document.querySelectorAll('.runs tbody tr').length === 2");
            browser.evaluate("document.querySelector('[data-run=run-1] button').click() ?? true");
            String shown =
                    "[...document.querySelectorAll('.chart .line')].filter(l => getComputedStyle(l).display !== 'none')";
            assertThat(browser.evaluate(shown + ".every(l => l.dataset.series === 'run-2')")
                            .booleanValue())
                    .isTrue();
            second.steps(40);
            await(EPOCH + " >= 4 && document.querySelectorAll('.runs .off').length === 1");
            assertThat(browser.evaluate(shown + ".length").intValue()).isPositive();
            assertThat(browser.evaluate("getComputedStyle(document.querySelector('.finished'), '::before').content")
                            .textValue())
                    .isNotEqualTo(
                            browser.evaluate("getComputedStyle(document.querySelector('.running'), '::before').content")
                                    .textValue());

            String heights = "(l => l.getAttribute('points').split(' ').map(p => Number(p.split(',')[1])))";
            String rough = "(l => " + heights + "(l).reduce((s, y, i, a) => i ? s + Math.abs(y - a[i - 1]) : 0, 0))";
            String line = "document.querySelector('.chart .line:not(.raw)[data-series=run-2]')";
            double before = browser.evaluate(rough + "(" + line + ")").doubleValue();
            browser.evaluate("document.querySelector('#smoothing').value = 0.9;"
                    + " document.querySelector('#smoothing').dispatchEvent(new Event('input'))");
            assertThat(browser.evaluate(rough + "(" + line + ")").doubleValue()).isLessThan(before / 2);
            assertThat(browser.evaluate(rough + "(document.querySelector('.chart .raw[data-series=run-2]'))")
                            .doubleValue())
                    .as("what was measured stays")
                    .isEqualTo(before);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** One run is at epoch 4, the other at 2: where only the first has a value, only it is named. */
    @Test
    void onlyRunsThatHaveAValueUnderThePointerAreNamed() throws Exception {
        try (var first = SampleRun.begin(folder.resolve("run-1"));
                var second = SampleRun.begin(folder.resolve("run-2"))) {
            first.steps(160);
            second.steps(80);
            browser.use(Screen.DESKTOP_LIGHT);
            browser.open(server.address());
            await("document.querySelectorAll('.runs tbody tr').length === 2");
            String named =
                    "[...document.querySelectorAll('.chart .legend')[0].children].filter(li => !li.hidden).length";
            String point =
                    "(x => { const svg = document.querySelector('.chart svg'), box = svg.getBoundingClientRect();"
                            + " svg.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + x * box.width })); return true; })";
            browser.evaluate(point + "(0.97)");
            assertThat(browser.evaluate(named).intValue()).isEqualTo(1);
            browser.evaluate(point + "(0.3)");
            assertThat(browser.evaluate(named).intValue()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void thePageIsLegible(Screen screen) throws Exception {
        String[] states = {"running", "done", "diverged"};
        for (int i = 0; i < 9; i++) {
            try (var run = SampleRun.begin(folder.resolve("wrn-16-2-cifar10-seed-" + i))) {
                run.steps(200 + 100 * i).status(states[i % 3]);
            }
        }
        browser.use(screen);
        browser.open(server.address());
        await("document.querySelectorAll('.runs tbody tr').length === 9");
        browser.screenshot("watch-" + screen);

        PageChecks.assertAllColumnsInSight(browser);
        PageChecks.assertLegible(browser, screen);
    }

    private static final String POINTS =
            "document.querySelector('.chart polyline').getAttribute('points').split(' ').length";

    private void await(String condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (!browser.evaluate(condition).booleanValue()) {
            assertThat(System.nanoTime()).as(condition).isLessThan(deadline);
            Thread.sleep(50);
        }
    }
}
