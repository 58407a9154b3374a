package io.polder.train;

/**
 * The gradient norms of a run, as one number to hold the next against: the largest so far, which may grow by 2 % a step only, so
 * that a run that blows up over some steps is not its own excuse. Small batches late in training have norms hundreds of times
 * the median, but not many times the largest.
 *
 * @param steps that were seen
 * @param largest 0 before the first
 */
record NormHistory(long steps, double largest) {
    static final NormHistory NONE = new NormHistory(0, 0);

    /** The first norms say little: weights are settling. */
    private static final int SETTLING = 20;

    private static final double GROWTH = 1.02;

    NormHistory plus(double norm) {
        double limit = steps < SETTLING ? Double.MAX_VALUE : largest * GROWTH;
        return new NormHistory(steps + 1, Math.max(largest, Math.min(norm, limit)));
    }

    boolean isExceededBy(double norm, double factor) {
        return steps >= SETTLING && norm > factor * largest;
    }
}
