package io.polder.sharpness;

import io.polder.tensor.FlatVector;
import io.polder.tensor.RandomStreams;
import java.util.ArrayList;
import java.util.List;

/**
 * The largest eigenvalues of an operator, the largest first, and the lowest one, with their eigenvectors. The caller closes it.
 *
 * @param products how many it took
 */
public record Spectrum(List<Eigenpair> largest, Eigenpair lowest, int products) implements AutoCloseable {
    /**
     * @param residual ‖A·v − λ·v‖ for v of length 1: an eigenvalue is at most so far away
     * @param vector of length 1
     */
    public record Eigenpair(double value, double residual, FlatVector vector) {}

    /** How near eigenvalues must be, as a share of the largest, and how many products may be spent. */
    public record Wanted(int count, double tolerance, int mostProducts) {
        public Wanted {
            if (count < 1) {
                throw new IllegalArgumentException("count is " + count + ": it must be at least 1");
            }
            if (!(tolerance >= 0)) {
                throw new IllegalArgumentException("tolerance is " + tolerance + ": it must be at least 0");
            }
            if (mostProducts < 1) {
                throw new IllegalArgumentException("mostProducts is " + mostProducts + ": it must be at least 1");
            }
        }
    }

    public Spectrum {
        largest = List.copyOf(largest);
    }

    /** By Lanczos' method. Fewer are found than asked for where there are no more. */
    public static Spectrum of(SymmetricOperator operator, FlatVector like, Wanted wanted, RandomStreams streams) {
        try (var lanczos = new Lanczos(operator, like, streams, "lanczos", 0)) {
            var small = lanczos.run(wanted.mostProducts(), each -> isNear(lanczos, each, wanted));
            List<Eigenpair> largest = new ArrayList<>();
            int m = lanczos.steps();
            for (int i = m - 1; i >= Math.max(0, m - wanted.count()); i--) {
                largest.add(pair(operator, lanczos.vector(small.vectors()[i]), small.values()[i]));
            }
            Eigenpair lowest = pair(operator, lanczos.vector(small.vectors()[0]), small.values()[0]);
            return new Spectrum(largest, lowest, m + largest.size() + 1);
        }
    }

    private static boolean isNear(Lanczos lanczos, Lanczos.Small small, Wanted wanted) {
        int m = lanczos.steps();
        if (m < wanted.count()) {
            return false;
        }
        double allowed = wanted.tolerance() * Math.max(Math.abs(small.values()[m - 1]), Math.abs(small.values()[0]));
        for (int i = m - wanted.count(); i < m; i++) {
            if (lanczos.residual(small.vectors()[i]) > allowed) {
                return false;
            }
        }
        return true;
    }

    /** With one product more: what Lanczos' method knows of its residuals by itself is without the rounding of products. */
    private static Eigenpair pair(SymmetricOperator operator, FlatVector vector, double value) {
        try (FlatVector product = vector.zerosLike()) {
            operator.apply(vector, product);
            return new Eigenpair(value, product.add(-value, vector).norm(), vector);
        }
    }

    /**
     * The eigenvalue of the largest magnitude by power iteration: slower and simpler, to check with. The caller closes the vector.
     */
    public static Eigenpair byPowerIteration(
            SymmetricOperator operator, FlatVector like, Wanted wanted, RandomStreams streams) {
        FlatVector vector = like.zerosLike().setNormal(streams, "power", 0);
        vector.scale(1 / vector.norm());
        try (FlatVector product = like.zerosLike();
                FlatVector left = like.zerosLike()) {
            double value = 0;
            double residual = Double.POSITIVE_INFINITY;
            for (int i = 0; i < wanted.mostProducts(); i++) {
                operator.apply(vector, product);
                value = product.dot(vector);
                residual = left.setSum(product, -value, vector).norm();
                double length = product.norm();
                if (residual <= wanted.tolerance() * Math.abs(value) || length == 0) {
                    break;
                }
                vector.setScaled(1 / length, product);
            }
            return new Eigenpair(value, residual, vector);
        }
    }

    @Override
    public void close() {
        largest.forEach(pair -> pair.vector().close());
        lowest.vector().close();
    }
}
