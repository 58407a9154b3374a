package io.polder.sharpness;

/**
 * How hard to measure; results depend on it.
 *
 * @param eigenvalues so many of the largest
 * @param tolerance of their residuals, as a share of the largest
 * @param products for them at most; each costs a vector of memory
 * @param draws random vectors for the trace
 * @param densityDraws random vectors for the density
 * @param densitySteps products for each of them
 * @param rho the radius of sharpness
 * @param ascentSteps gradients that are followed up to it, after the one-step measure
 * @param m examples in a group of m-sharpness
 * @param seed of the random vectors, and of which images are measured
 */
public record Effort(
        int eigenvalues,
        double tolerance,
        int products,
        int draws,
        int densityDraws,
        int densitySteps,
        double rho,
        int ascentSteps,
        int m,
        long seed) {
    /** The adaptive radius is so many times rho, as ASAM's is of SAM's. */
    private static final double ADAPTIVE = 10;

    /**
     * Residuals of a thousandth put the top eigenvalue far within 1 %; 40 draws give the trace of a network to some per cent; rho is the
     * paper's r; ten steps found all there was to find on small networks; 32 is a small batch.
     */
    public static final Effort DEFAULT = new Effort(5, 1e-3, 100, 40, 4, 40, 0.1, 10, 32, 0);

    /** For probes during a training: the top eigenvalue within some per cent, the trace within some ten. */
    public static final Effort QUICK = new Effort(1, 1e-2, 30, 10, 1, 20, 0.1, 3, 32, 0);

    public Effort {
        requireAtLeast(1, eigenvalues, "eigenvalues");
        requireAtLeast(1, products, "products");
        requireAtLeast(2, draws, "draws");
        requireAtLeast(1, densityDraws, "densityDraws");
        requireAtLeast(1, densitySteps, "densitySteps");
        requireAtLeast(1, ascentSteps, "ascentSteps");
        requireAtLeast(1, m, "m");
        if (!(tolerance > 0 && tolerance < 1)) {
            throw new IllegalArgumentException("tolerance is " + tolerance + ": it must be above 0 and below 1");
        }
        if (!(rho > 0 && rho < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("rho is " + rho + ": it must be a finite number above 0");
        }
    }

    private static void requireAtLeast(int least, int value, String name) {
        if (value < least) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be at least " + least);
        }
    }

    /** The radius of adaptive sharpness. */
    public double adaptiveRho() {
        return ADAPTIVE * rho;
    }

    /** With another radius and seed. */
    public Effort with(double rho, long seed) {
        return new Effort(
                eigenvalues, tolerance, products, draws, densityDraws, densitySteps, rho, ascentSteps, m, seed);
    }
}
