package io.polder.sharpness;

import io.polder.tensor.FlatVector;
import io.polder.tensor.Numbers;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Lanczos' method with full reorthogonalisation: after m products A = QTQᵀ on the space that they span, with T tridiagonal, whose
 * eigenvalues tend to the ends of A's spectrum first. Holds m vectors. Where the space is exhausted it goes on with a new random vector;
 * only then is an eigenvalue that occurs more than once found again.
 */
final class Lanczos implements AutoCloseable {
    /** Below this share of the largest number so far what is left of a product is rounding. */
    private static final double EXHAUSTED = 1e-6;

    /** The eigenvalues of T, ascending, and its eigenvectors as rows. */
    record Small(double[] values, double[][] vectors) {}

    private final SymmetricOperator operator;
    private final RandomStreams streams;
    private final String stream;
    private final List<FlatVector> basis = new ArrayList<>();
    private final List<Double> diagonal = new ArrayList<>();
    private final List<Double> beside = new ArrayList<>();
    private double scale;
    private long drawn;
    private boolean complete;

    /**
     * @param like of the size of the vectors
     * @param stream names the random vectors
     * @param number of the first of them
     */
    Lanczos(SymmetricOperator operator, FlatVector like, RandomStreams streams, String stream, long number) {
        this.operator = operator;
        this.streams = streams;
        this.stream = stream;
        drawn = number;
        FlatVector first = like.zerosLike().setNormal(streams, stream, drawn++);
        basis.add(first.scale(1 / first.norm()));
    }

    /** Takes one step; false if the basis spans everything. */
    boolean step() {
        if (complete) {
            return false;
        }
        FlatVector last = basis.get(basis.size() - 1);
        FlatVector next = last.zerosLike();
        operator.apply(last, next);
        double length = next.norm();
        if (!Double.isFinite(length)) {
            next.close();
            throw new ArithmeticException(
                    "a product with the Hessian is not finite: the loss is not smooth enough where the network stands");
        }
        diagonal.add(next.dot(last));
        scale = Math.max(scale, length);
        double left = orthogonalise(next, length);
        if (left <= EXHAUSTED * scale) {
            beside.add(0.0);
            next.setNormal(streams, stream, drawn++);
            double whole = next.norm();
            left = orthogonalise(next, whole);
            if (basis.size() >= next.size() || left <= EXHAUSTED * whole) {
                next.close();
                complete = true;
                return true;
            }
        } else {
            beside.add(left);
        }
        basis.add(next.scale(1 / left));
        return true;
    }

    /** Takes what lies along the basis out of the vector, again where that left little, and returns what its norm is then. */
    private double orthogonalise(FlatVector vector, double before) {
        double length = before;
        for (int pass = 0; pass < 3; pass++) {
            for (FlatVector each : basis) {
                vector.add(-vector.dot(each), each);
            }
            double left = vector.norm();
            if (left > 0.7 * length) {
                return left;
            }
            length = left;
        }
        return length;
    }

    int steps() {
        return diagonal.size();
    }

    /** How much of the next vector is left out of T: with an eigenvector's last entry the residual. */
    private double rest() {
        return beside.get(steps() - 1);
    }

    /** The eigenvalues and eigenvectors of T. */
    Small small() {
        int m = steps();
        double[] matrix = new double[m * m];
        for (int i = 0; i < m; i++) {
            matrix[i * m + i] = diagonal.get(i);
            if (i + 1 < m) {
                matrix[i * m + i + 1] = matrix[(i + 1) * m + i] = beside.get(i);
            }
        }
        try (var scope = Scope.withoutGradient()) {
            var solved = torch.linalg_eigh(Tensor.create(matrix, m, m));
            double[] rows = Numbers.of(solved.get1().t().contiguous());
            return new Small(
                    Numbers.of(solved.get0()),
                    IntStream.range(0, m)
                            .mapToObj(i -> Arrays.copyOfRange(rows, i * m, (i + 1) * m))
                            .toArray(double[][]::new));
        }
    }

    /** ‖A·v − λ·v‖ of the approximate eigenvector that belongs to one of T. */
    double residual(double[] ofSmall) {
        return Math.abs(rest() * ofSmall[ofSmall.length - 1]);
    }

    /** Q·s, of length 1; the caller closes it. */
    FlatVector vector(double[] ofSmall) {
        FlatVector sum = basis.get(0).zerosLike();
        for (int i = 0; i < ofSmall.length; i++) {
            sum.add(ofSmall[i], basis.get(i));
        }
        return sum.scale(1 / sum.norm());
    }

    /** Steps until done, or so often, or until everything is spanned. */
    Small run(int most, Predicate<Small> isDone) {
        Small small;
        do {
            step();
            small = small();
        } while (steps() < most && !complete && !isDone.test(small));
        return small;
    }

    @Override
    public void close() {
        basis.forEach(FlatVector::close);
    }
}
