package io.polder.study;

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

    /** A fraction as a percentage, without the sign. */
    public static String percent(double fraction) {
        return fixed(100 * fraction, 2);
    }

    /** A difference of fractions in percentage points; one too small for two decimals is not shown as zero. */
    public static String points(double difference) {
        double points = 100 * difference;
        return points != 0 && Math.abs(points) < 0.005 ? significant(points) : fixed(points, 2);
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
