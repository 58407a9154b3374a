package io.polder.study;

import io.polder.train.Figure;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.Locale;

/** Numbers as readers see them: a true minus sign, and a dash for what is not known. */
public final class NumberText {
    public static final String UNKNOWN = "–";

    private NumberText() {}

    public static String fixed(double value, int decimals) {
        return Double.isFinite(value) ? format("%." + decimals + "f", value) : UNKNOWN;
    }

    /** To the nearest whole number, its thousands set apart. */
    static String whole(double value) {
        return Double.isFinite(value) ? format("%,.0f", value) : UNKNOWN;
    }

    /** Three significant digits, in powers of ten only where plain digits would be hard to count. */
    public static String significant(double value) {
        if (!Double.isFinite(value)) {
            return UNKNOWN;
        }
        double size = Math.abs(value);
        if (size != 0 && (size < 1e-4 || size >= 1e6)) {
            return format("%.2e", value);
        }
        int decimals = size == 0 ? 0 : 2 - (int) Math.floor(Math.log10(size));
        return fixed(value, Math.max(0, decimals));
    }

    /** Three significant digits, without zeros at the end: what a schedule came to. */
    static String significantAtMost(double value) {
        return Double.isFinite(value)
                ? plain(new BigDecimal(value).round(new MathContext(3)).doubleValue())
                : UNKNOWN;
    }

    /** A figure by its name, to follow the word of the examples it is of, with its unit: {@code Test error, %}. */
    public static String heading(String examples, Figure figure) {
        return examples + " " + figure.label() + unit(figure, ", %");
    }

    /** A figure by its name at the start of a line: {@code Top-5 error, %}. */
    public static String heading(Figure figure) {
        return upperFirst(figure.label()) + unit(figure, ", %");
    }

    /** What stands for the unit of a figure: nothing, if it is a mere number. */
    public static String unit(Figure figure, String ofShares) {
        return figure.unit() == Figure.Unit.SHARE ? ofShares : "";
    }

    /** A value in the unit in which it is shown. */
    public static double shown(Figure figure, double value) {
        return figure.unit() == Figure.Unit.SHARE ? 100 * value : value;
    }

    public static int decimals(Figure figure) {
        return figure.unit() == Figure.Unit.SHARE ? 2 : 4;
    }

    /** A value without its unit. */
    public static String value(Figure figure, double value) {
        return fixed(shown(figure, value), decimals(figure));
    }

    /** A difference without its unit, of which points are that of shares; one too small for the decimals is not shown as zero. */
    public static String difference(Figure figure, double difference) {
        double shown = shown(figure, difference);
        double smallest = 0.5 * Math.pow(10, -decimals(figure));
        return shown != 0 && Math.abs(shown) < smallest ? significant(shown) : fixed(shown, decimals(figure));
    }

    /** How the best value is called. */
    public static String best(Figure figure) {
        return figure.better() == Figure.Better.LOWER ? "lowest" : "highest";
    }

    public static String upperFirst(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /** All digits that were given, and no others: settings. */
    public static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString().replace('-', '−');
    }

    /** To the second below an hour, to the minute above. */
    static String duration(double seconds) {
        if (!Double.isFinite(seconds)) {
            return UNKNOWN;
        }
        Duration time = Duration.ofSeconds(Math.round(seconds));
        if (time.toMinutes() == 0) {
            return time.toSeconds() + " s";
        }
        return time.toHours() == 0
                ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
                : time.toHours() + " h " + time.toMinutesPart() + " min";
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value).replace('-', '−');
    }
}
