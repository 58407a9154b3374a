package io.polder.sharpness;

import io.polder.tensor.FlatVector;
import java.util.ArrayList;
import java.util.List;

/**
 * How good the method's finite difference is: the error of (g2 − g1)/r against H·g1/‖g1‖, as a share of the latter's length, over r. For a
 * large r the next terms of Taylor's series are what is wrong, for a small one the rounding of θ + ε and of the gradients. A network with
 * corners (ReLU, max pooling) has a third error: the difference sees the jumps of the gradient at those that are crossed, which are a part of
 * the curvature, and the product does not, as between corners there are none. The exact product is computed in double precision.
 *
 * @param gradientNorm ‖g1‖
 * @param productNorm ‖H·g1‖/‖g1‖
 * @param single the exact product's own error in single precision
 */
public record Approximation(double gradientNorm, double productNorm, double single, List<Point> points) {
    /** An approximation off by so much is called good: it is near the variation between batches, and far above it nothing of H is left. */
    public static final double GOOD = 0.1;

    /** The radii tried: half decades. */
    static final int FROM = -12;

    static final int TO = 2;

    /** What an error comes from, for the most part. */
    public enum Cause {
        /** Of numbers in single precision: r is too small. */
        ROUNDING,
        /** Of jumps of the gradient: the error grows while r shrinks, in double precision too. */
        CORNERS,
        /** Of higher terms: r is too large. */
        TAYLOR
    }

    /**
     * @param single the error in single precision
     * @param exact in double precision, where rounding matters less
     */
    public record Point(double r, double single, double exact, Cause cause) {}

    public Approximation {
        points = List.copyOf(points);
    }

    /**
     * @param single the loss of a network in single precision
     * @param exact of the same network in double precision, on the same examples
     */
    public static Approximation of(FixedLoss single, FixedLoss exact) {
        exact.gradient();
        double norm = exact.parameters().gradient().norm();
        if (norm < Float.MIN_NORMAL) {
            throw new ArithmeticException("the gradient is zero: it has no direction to measure the product along");
        }
        try (FlatVector product = product(exact);
                FlatVector ofSingle = product(single);
                FlatVector coarse = ofSingle.inDoublePrecision()) {
            double length = product.norm();
            List<Point> points = new ArrayList<>();
            double least = Double.POSITIVE_INFINITY; // of those at a larger r
            for (int half = TO; half >= FROM; half--) {
                double r = Math.pow(10, half / 2.0);
                double coarsely = error(single, r, product);
                double exactly = error(exact, r, product);
                Cause smooth = least < 0.9 * exactly ? Cause.CORNERS : Cause.TAYLOR;
                points.add(0, new Point(r, coarsely, exactly, coarsely > 2 * exactly ? Cause.ROUNDING : smooth));
                least = Math.min(least, exactly);
            }
            return new Approximation(norm, length, coarse.add(-1, product).norm() / length, points);
        }
    }

    /** H·g1/‖g1‖, in the loss's own precision. */
    private static FlatVector product(FixedLoss loss) {
        loss.gradient();
        FlatVector gradient = loss.parameters().gradient();
        FlatVector product = gradient.zerosLike();
        try (FlatVector direction = gradient.zerosLike();
                var hessian = loss.hessian()) {
            hessian.apply(direction.setScaled(1 / gradient.norm(), gradient), product);
        }
        return product;
    }

    /** @param loss with g1 in its gradient buffer */
    private static double error(FixedLoss loss, double r, FlatVector product) {
        var parameters = loss.parameters();
        FlatVector theta = parameters.values();
        FlatVector g1 = parameters.gradient();
        try (var there = parameters.excursion()) {
            there.values().setSum(theta, r / g1.norm(), g1);
            loss.gradient();
            try (FlatVector difference = there.gradient().add(-1, g1).inDoublePrecision()) {
                return difference.scale(1 / r).add(-1, product).norm() / product.norm();
            }
        }
    }

    /** The point with the smallest error in single precision. */
    public Point best() {
        return points.stream().reduce((a, b) -> b.single() < a.single() ? b : a).orElseThrow();
    }

    /** The points around the best that are good, from the smallest r to the largest; empty where it is not good itself. */
    public List<Point> good() {
        int best = points.indexOf(best());
        int from = best;
        int to = best;
        while (from > 0 && points.get(from - 1).single() <= GOOD) {
            from--;
        }
        while (to + 1 < points.size() && points.get(to + 1).single() <= GOOD) {
            to++;
        }
        return points.get(best).single() <= GOOD ? points.subList(from, to + 1) : List.of();
    }
}
