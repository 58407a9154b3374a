package io.polder.study.results;

import java.util.Arrays;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Values over seeds: their number, mean and sample standard deviation, Σ(x − mean)² / (n − 1) under the root. The mean of nothing
 * and the deviation of one value are unknown: NaN. Of those values that are finite.
 */
record Spread(int count, double mean, double deviation) {
    static Spread of(double... values) {
        double[] finite = Arrays.stream(values).filter(Double::isFinite).toArray();
        return new Spread(
                finite.length,
                finite.length == 0 ? Double.NaN : StatUtils.mean(finite),
                finite.length < 2 ? Double.NaN : Math.sqrt(StatUtils.variance(finite)));
    }
}
