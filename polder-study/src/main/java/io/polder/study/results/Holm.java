package io.polder.study.results;

import java.util.stream.IntStream;

/**
 * Holm's correction (1979) for making several tests at once: of m p-values the least is multiplied by m, the next by m − 1 and so
 * on, and none falls below the one before it. Claims for corrected values below 5 % contain any false one with at most 5 %.
 */
final class Holm {
    private Holm() {}

    static double[] corrected(double... p) {
        int[] ascending = IntStream.range(0, p.length)
                .boxed()
                .sorted((a, b) -> Double.compare(p[a], p[b]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] corrected = new double[p.length];
        double least = 0;
        for (int i = 0; i < p.length; i++) {
            least = Math.min(1, Math.max(least, (p.length - i) * p[ascending[i]]));
            corrected[ascending[i]] = least;
        }
        return corrected;
    }
}
