package io.polder.study;

/** What a page must not have, as expressions for {@link Browser#evaluate}. */
public final class PageChecks {
    private PageChecks() {}

    public static final String UNSEEN = """
            [...document.querySelectorAll("td, th, polyline, polygon, text, li")]
                .filter(e => !(e.getBoundingClientRect().width > 0 && e.getBoundingClientRect().height > 0))
                .map(e => e.outerHTML)
            """;

    /** WCAG's relative luminance and contrast, of colours as the page computes them. */
    public static final String COLOURS = """
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

    public static final String FAINT_TEXT = """
            [...document.querySelectorAll("main *")]
                .filter(e => [...e.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim()))
                .filter(e => contrast(getComputedStyle(e)[e.matches("text") ? "fill" : "color"], e) < 4.5)
                .map(e => e.outerHTML)
            """;

    public static final String FAINT_CURVES = """
            [...document.querySelectorAll("polyline")]
                .filter(e => contrast(getComputedStyle(e).stroke, e) < 3)
                .map(e => e.getAttribute("class"))
            """;
}
