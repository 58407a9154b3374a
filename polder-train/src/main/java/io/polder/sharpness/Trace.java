package io.polder.sharpness;

import io.polder.tensor.FlatVector;
import io.polder.tensor.RandomStreams;
import java.util.stream.DoubleStream;

/**
 * The trace of an operator by Hutchinson's estimate: the mean of zᵀAz over vectors z of random signs.
 *
 * @param standardError of the mean: from draw to draw it varies so much
 */
public record Trace(double value, double standardError, int draws) {
    public static Trace of(SymmetricOperator operator, FlatVector like, int draws, RandomStreams streams) {
        if (draws < 2) {
            throw new IllegalArgumentException("draws is " + draws + ": it must be at least 2, to know the error");
        }
        double[] estimates = new double[draws];
        try (FlatVector signs = like.zerosLike();
                FlatVector product = like.zerosLike()) {
            for (int i = 0; i < draws; i++) {
                operator.apply(signs.setSigns(streams, "trace", i), product);
                estimates[i] = signs.dot(product);
            }
        }
        double mean = DoubleStream.of(estimates).sum() / draws;
        double squares = DoubleStream.of(estimates)
                .map(each -> (each - mean) * (each - mean))
                .sum();
        return new Trace(mean, Math.sqrt(squares / (draws - 1) / draws), draws);
    }
}
