package io.polder.sharpness;

import io.polder.tensor.FlatVector;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * How good the method's finite difference is: the error of (g2 − g1)/r against H·g1/‖g1‖, as a share of the latter's length, over r. For a
 * large r the next term of Taylor's series is what is wrong, for a small one the rounding of θ + ε and of the gradients. The exact product
 * is computed in double precision.
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

    /**
     * @param single the error in single precision
     * @param exact in double precision, where rounding matters less
     */
    public record Point(double r, double single, double exact) {
        /** Whether more than half of the error is of rounding, rather than of a step that is too large. */
        public boolean isRounding() {
            return single > 2 * exact;
        }
    }

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
            for (int half = FROM; half <= TO; half++) {
                double r = Math.pow(10, half / 2.0);
                points.add(new Point(r, error(single, r, product), error(exact, r, product)));
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

    /** The r with the smallest error in single precision. */
    public double best() {
        return points.stream()
                .reduce((a, b) -> b.single() < a.single() ? b : a)
                .orElseThrow()
                .r();
    }

    /** The smallest r that is good: below it rounding is too much. Empty where none is. */
    public OptionalDouble smallestGood() {
        return good().findFirst();
    }

    /** The largest r that is good: above it the step is too large. Empty where none is. */
    public OptionalDouble largestGood() {
        return good().reduce((a, b) -> b);
    }

    private DoubleStream good() {
        return points.stream().filter(point -> point.single() <= GOOD).mapToDouble(Point::r);
    }
}
