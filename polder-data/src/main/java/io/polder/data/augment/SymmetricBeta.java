package io.polder.data.augment;

import java.util.SplittableRandom;

/**
 * The distribution Beta(α, α): uniform for α = 1, near 0 or 1 for smaller α, near 1/2 for larger.
 *
 * <p>With T of Student's distribution with 2α degrees of freedom, (1 + T/√(2α + T²))/2 is of this one; and Bailey's polar
 * method (1994) has T = √(2α(u<sup>−1/α</sup> − 1))·cos 2πv for uniform u and v. Together these are two draws for every α,
 * where the textbook ways reject some, and all but forever so for a large or a tiny α.
 */
record SymmetricBeta(double alpha) {
    SymmetricBeta {
        if (!(alpha > 0 && Double.isFinite(alpha))) {
            throw new IllegalArgumentException("alpha is " + alpha + ": it must be a finite number above 0");
        }
    }

    double draw(SplittableRandom random) {
        // StrictMath, so that a seed means the same draws on every machine.
        double power = StrictMath.pow(random.nextDouble(), 1 / alpha);
        double cosine = StrictMath.cos(2 * Math.PI * random.nextDouble());
        // T²/(2α + T²), multiplied through by u^(1/α): a tiny α makes that 0, and its inverse would overflow.
        double numerator = (1 - power) * cosine * cosine;
        double distance = Math.sqrt(numerator / (power + numerator));
        return (1 + Math.copySign(distance, cosine)) / 2;
    }
}
