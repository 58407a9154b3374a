package io.polder.sharpness;

import io.polder.tensor.FlatVector;
import io.polder.tensor.RandomStreams;
import java.util.ArrayList;
import java.util.List;

/**
 * How the eigenvalues of an operator lie, by stochastic Lanczos quadrature: some random vectors, some Lanczos steps with each, and the
 * eigenvalues of their tridiagonal matrices as nodes, weighted by the squared first entries of the eigenvectors (Ghorbani, Krishnan and
 * Xiao, ICML 2019). The weights add up to 1.
 */
public record SpectralDensity(List<Node> nodes) {
    /** A share of the eigenvalues is near a value. */
    public record Node(double value, double weight) {}

    public SpectralDensity {
        nodes = List.copyOf(nodes);
    }

    /**
     * @param draws random vectors: more of them average more
     * @param steps products with each: more of them resolve more
     */
    public static SpectralDensity of(
            SymmetricOperator operator, FlatVector like, int draws, int steps, RandomStreams streams) {
        if (draws < 1 || steps < 1) {
            throw new IllegalArgumentException(
                    "draws is " + draws + " and steps " + steps + ": both must be at least 1");
        }
        List<Node> nodes = new ArrayList<>();
        for (int draw = 0; draw < draws; draw++) {
            // Numbers far apart: a Lanczos whose space is exhausted draws on.
            try (var lanczos = new Lanczos(operator, like, streams, "density", (long) draw << 32)) {
                var small = lanczos.run(steps, each -> false);
                for (int i = 0; i < lanczos.steps(); i++) {
                    double first = small.vectors()[i][0];
                    nodes.add(new Node(small.values()[i], first * first / draws));
                }
            }
        }
        return new SpectralDensity(nodes);
    }

    /** The density at a value, with each node spread as a normal distribution of that deviation. */
    public double at(double value, double deviation) {
        double sum = 0;
        for (Node node : nodes) {
            double distance = (value - node.value()) / deviation;
            sum += node.weight() * Math.exp(-0.5 * distance * distance);
        }
        return sum / (deviation * Math.sqrt(2 * Math.PI));
    }

    /** The share of the eigenvalues that are at most that. */
    public double share(double atMost) {
        return nodes.stream()
                .filter(node -> node.value() <= atMost)
                .mapToDouble(Node::weight)
                .sum();
    }

    /** The mean of all eigenvalues; times their number another estimate of the trace. */
    public double mean() {
        return nodes.stream().mapToDouble(node -> node.value() * node.weight()).sum();
    }
}
