package io.polder.sharpness;

import io.polder.nn.Network;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The loss on a line or in a plane through θ: L(θ + a·u + b·v). Points where it is not finite are infinite.
 *
 * @param across the values of a
 * @param up the values of b; a single 0 for a line
 * @param losses a row for each b, with a number for each a
 */
public record Landscape(double[] across, double[] up, double[][] losses) {
    /** Along a line, from −reach to reach. */
    public static Landscape line(FixedLoss loss, FlatVector direction, double reach, int points) {
        return plane(loss, direction, direction, steps(-reach, reach, points), new double[] {0});
    }

    /** In a plane, as far to all four sides. With an odd number of points the middle one is θ. */
    public static Landscape plane(FixedLoss loss, FlatVector u, FlatVector v, double reach, int points) {
        return plane(loss, u, v, steps(-reach, reach, points), steps(-reach, reach, points));
    }

    private static Landscape plane(FixedLoss loss, FlatVector u, FlatVector v, double[] across, double[] up) {
        FlatParameters parameters = loss.parameters();
        FlatVector theta = parameters.values();
        double[][] losses = new double[up.length][across.length];
        try (var there = parameters.excursion()) {
            for (int row = 0; row < up.length; row++) {
                for (int column = 0; column < across.length; column++) {
                    there.values().set(theta).add(across[column], u).add(up[row], v);
                    losses[row][column] = loss.height();
                }
            }
        }
        return new Landscape(across, up, losses);
    }

    /**
     * On the straight line from one network, at 0, to another of the same kind, at 1, and half as far beyond both. Running statistics are
     * mixed as the parameters are.
     */
    public static Landscape between(FixedLoss from, FixedLoss to, int points) {
        double[] across = steps(-0.5, 1.5, points);
        FlatVector start = from.parameters().values();
        FlatVector end = to.parameters().values();
        if (!from.parameters().slices().equals(to.parameters().slices())) {
            throw new IllegalArgumentException(
                    "the two networks have other parameters: a line goes between two of the same kind");
        }
        double[] losses = new double[points];
        try (var scope = Scope.withoutGradient();
                var there = from.parameters().excursion()) {
            Map<String, Tensor> statistics = statistics(from.network());
            Map<String, Tensor> others = statistics(to.network());
            List<Tensor> before =
                    statistics.values().stream().map(Tensor::clone).toList();
            try {
                for (int i = 0; i < points; i++) {
                    there.values().set(start).mix(across[i], end);
                    var own = before.iterator();
                    for (var entry : statistics.entrySet()) {
                        entry.getValue().copy_(own.next().lerp(others.get(entry.getKey()), new Scalar(across[i])));
                    }
                    losses[i] = from.height();
                }
            } finally {
                var own = before.iterator();
                statistics.values().forEach(buffer -> buffer.copy_(own.next()));
            }
        }
        return new Landscape(across, new double[] {0}, new double[][] {losses});
    }

    /** Those that are measured, not counted. */
    private static Map<String, Tensor> statistics(Network network) {
        Map<String, Tensor> statistics = network.statisticsByName();
        statistics.values().removeIf(buffer -> !buffer.is_floating_point());
        return statistics;
    }

    /**
     * A random direction in which each filter, or row of a matrix, is as long as that of θ, and biases and normalisation stay: so that
     * networks whose layers are scaled otherwise can be compared (Li et al., NeurIPS 2018). The caller closes it.
     *
     * @param number of the direction
     */
    public static FlatVector filterNormalised(FlatParameters parameters, RandomStreams streams, int number) {
        FlatVector direction = parameters.values().zerosLike().setNormal(streams, "direction", number);
        try (var scope = Scope.withoutGradient()) {
            Map<String, Tensor> theta = parameters.byName(parameters.values());
            parameters.byName(direction).forEach((name, part) -> {
                if (part.dim() < 2) {
                    part.zero_();
                } else {
                    part.mul_(lengths(theta.get(name)).div(lengths(part)));
                }
            });
        }
        return direction;
    }

    /** Of each filter, in a shape that multiplies it. */
    private static Tensor lengths(Tensor filters) {
        long[] shape = new long[(int) filters.dim()];
        Arrays.fill(shape, 1);
        shape[0] = filters.size(0);
        Tensor rows = filters.flatten(1, -1);
        return torch.sqrt(rows.mul(rows).sum(1)).view(shape);
    }

    private static double[] steps(double low, double high, int points) {
        if (points < 2) {
            throw new IllegalArgumentException("points is " + points + ": it must be at least 2");
        }
        double[] steps = new double[points];
        for (int i = 0; i < points; i++) {
            // From both ends, so that the middle is exact.
            steps[i] = (low * (points - 1 - i) + high * i) / (points - 1);
        }
        return steps;
    }

    /** The lowest and highest that are finite. */
    public double[] range() {
        var finite = Arrays.stream(losses)
                .flatMapToDouble(DoubleStream::of)
                .filter(Double::isFinite)
                .summaryStatistics();
        return new double[] {finite.getMin(), finite.getMax()};
    }

    /** With a head: {@code a,loss} of a line, {@code a,b,loss} of a plane. */
    public String csv() {
        boolean isLine = up.length == 1;
        StringBuilder csv = new StringBuilder(isLine ? "a,loss\n" : "a,b,loss\n");
        for (int row = 0; row < up.length; row++) {
            for (int column = 0; column < across.length; column++) {
                csv.append(across[column])
                        .append(isLine ? "" : "," + up[row])
                        .append(',')
                        .append(losses[row][column])
                        .append('\n');
            }
        }
        return csv.toString();
    }
}
