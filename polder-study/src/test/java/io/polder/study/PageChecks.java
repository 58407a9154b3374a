package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

/** What holds of every page that is open in a browser. */
public final class PageChecks {
    private PageChecks() {}

    /** It is no wider than the screen, has its colours, and every text and curve stands out from its ground. */
    public static void assertLegible(Browser browser, Screen screen) throws Exception {
        assertThat(browser.evaluate("innerWidth").intValue()).isEqualTo(screen.width);
        assertThat(browser.evaluate("document.documentElement.scrollWidth").intValue())
                .isLessThanOrEqualTo(screen.width);
        assertThat(browser.evaluate(COLOURS + "luminance(getComputedStyle(document.body).backgroundColor)")
                        .doubleValue())
                .isBetween(screen.isDark() ? 0 : 0.8, screen.isDark() ? 0.05 : 1);
        assertThat(browser.evaluate(COLOURS + FAINT_TEXT)).isEmpty();
        assertThat(browser.evaluate(COLOURS + FAINT_CURVES)).isEmpty();
        assertThat(browser.complaints()).isEmpty();
    }

    /** No column of the first table has to be scrolled to. */
    public static void assertAllColumnsInSight(Browser browser) throws Exception {
        assertThat(browser.evaluate("(e => e.scrollWidth - e.clientWidth)(document.querySelector('.scroll'))")
                        .intValue())
                .as("columns out of sight")
                .isZero();
    }

    /** It fetched nothing but itself. */
    public static void assertSelfContained(Browser browser, Path page) {
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.requestedAddresses())
                .filteredOn(address -> !address.startsWith("data:"))
                .containsOnly(page.toUri().toString());
    }

    /** What is there but has no size, for {@link Browser#evaluate}. */
    static final String UNSEEN = """
            [...document.querySelectorAll("td, th, polyline, polygon, text, li")]
                .filter(e => !(e.getBoundingClientRect().width > 0 && e.getBoundingClientRect().height > 0))
                .map(e => e.outerHTML)
            """;

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
