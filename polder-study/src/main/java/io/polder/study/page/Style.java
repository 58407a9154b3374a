package io.polder.study.page;

import java.util.Locale;

/** How a series is told from the others: one of the colours {@code --c0} to {@code --c7} of {@code report.css}, and dashes. */
public record Style(int colour, Dashes dashes) {
    public enum Dashes {
        SOLID,
        DASHED,
        DOTTED
    }

    static final int COLOURS = 8;

    /** Of the nth of several: the colours in turn, dotted when they come a second time. */
    public static Style of(int series) {
        return new Style(series % COLOURS, series < COLOURS ? Dashes.SOLID : Dashes.DOTTED);
    }

    /** As {@link #of}, but that the first, the baseline, is dashed. */
    public static Style afterBaseline(int series) {
        return series == 0 ? new Style(0, Dashes.DASHED) : of(series);
    }

    /** Of the nth of several that have no baseline: without its grey. */
    public static Style withoutBaseline(int series) {
        return new Style(1 + series % (COLOURS - 1), series < COLOURS - 1 ? Dashes.SOLID : Dashes.DOTTED);
    }

    /** Its classes in {@code report.css}. */
    public String css() {
        return "c" + colour + (dashes == Dashes.SOLID ? "" : " " + dashes.name().toLowerCase(Locale.ROOT));
    }
}
