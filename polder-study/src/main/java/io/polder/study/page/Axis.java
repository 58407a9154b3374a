package io.polder.study.page;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** A range of values with round ticks, linear or logarithmic. The ticks are decimal, so no label shows binary rounding. */
record Axis(double low, double high, boolean logarithmic, List<BigDecimal> ticks) {
    private static final int ABOUT = 5;

    /** Widened to end on ticks, so that both ends can be read. */
    static Axis linear(double low, double high) {
        boolean flat = high - low <= 1e-9 * Math.max(Math.abs(low), Math.abs(high));
        if (flat) {
            return low == 0 ? linear(0, 1) : linear(low - Math.abs(low) / 10, high + Math.abs(high) / 10);
        }
        BigDecimal step = roundStep((high - low) / ABOUT);
        long first = (long) Math.floor(low / step.doubleValue());
        long last = (long) Math.ceil(high / step.doubleValue());
        return endingOn(
                LongStream.rangeClosed(first, last)
                        .mapToObj(BigDecimal::valueOf)
                        .map(step::multiply)
                        .toList(),
                false);
    }

    /** For positive values: ticks at 1, 2 and 5 while the decades are few, then at whole decades, then at every nth. */
    static Axis logarithmic(double low, double high) {
        double decades = Math.log10(high) - Math.log10(low);
        int[] digits = decades < 3 ? new int[] {1, 2, 5} : new int[] {1};
        int stride = Math.max(1, (int) Math.ceil(decades / (2 * ABOUT)));
        List<BigDecimal> ticks = new ArrayList<>();
        for (int exponent = (int) Math.floor(Math.log10(low)); ; exponent += stride) {
            for (int digit : digits) {
                BigDecimal tick = BigDecimal.valueOf(digit).scaleByPowerOfTen(exponent);
                if (tick.doubleValue() <= low) {
                    ticks.clear();
                }
                ticks.add(tick);
                if (tick.doubleValue() >= high && ticks.size() > 1) {
                    return endingOn(ticks, true);
                }
            }
        }
    }

    /** Not widened: a curve fills the width of its chart. Parts of epochs are marked only within the first two of a run. */
    static Axis epochs(double first, double last) {
        if (first == last) {
            return new Axis(first - 1, last + 1, false, List.of(BigDecimal.valueOf((long) first)));
        }
        boolean whole = last - first >= 2 || isWhole(first) && isWhole(last);
        BigDecimal rough = roundStep((last - first) / ABOUT);
        BigDecimal step = whole ? rough.max(BigDecimal.ONE) : rough;
        long from = (long) Math.ceil(first / step.doubleValue() - 1e-9);
        long to = (long) Math.floor(last / step.doubleValue() + 1e-9);
        List<BigDecimal> ticks = LongStream.rangeClosed(from, to)
                .mapToObj(BigDecimal::valueOf)
                .map(step::multiply)
                .toList();
        return new Axis(first, last, false, ticks);
    }

    private static boolean isWhole(double value) {
        return value == Math.rint(value);
    }

    /** Where a value lies: 0 at the low end, 1 at the high. */
    double at(double value) {
        return logarithmic
                ? (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))
                : (value - low) / (high - low);
    }

    static String label(BigDecimal tick) {
        double size = tick.abs().doubleValue();
        String text = size == 0 || (size >= 1e-4 && size < 1e6)
                ? tick.toPlainString()
                : tick.stripTrailingZeros().toString().replace("E+", "e").replace('E', 'e');
        return text.replace('-', '−');
    }

    private static Axis endingOn(List<BigDecimal> ticks, boolean logarithmic) {
        return new Axis(
                ticks.get(0).doubleValue(), ticks.get(ticks.size() - 1).doubleValue(), logarithmic, List.copyOf(ticks));
    }

    /** The next 1, 2 or 5 times a power of ten. */
    private static BigDecimal roundStep(double rough) {
        int exponent = (int) Math.floor(Math.log10(rough));
        double leading = rough / Math.pow(10, exponent);
        return leading > 5
                ? BigDecimal.ONE.scaleByPowerOfTen(exponent + 1)
                : BigDecimal.valueOf(leading > 2 ? 5 : leading > 1 ? 2 : 1).scaleByPowerOfTen(exponent);
    }
}
