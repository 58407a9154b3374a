package io.polder.train;

import io.polder.nn.Network;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * An exponential moving average of the weights: a ← d·a + (1 − d)·θ after each step, running statistics included. It starts with
 * d = 1/10 and rises to the full decay as (1 + step)/(10 + step), so that the first, random weights are soon forgotten. Costs
 * one copy of the weights, and one more while it is in use.
 */
final class MovingAverage implements AutoCloseable {
    private final FlatParameters parameters;
    private final double decay;
    private final FlatVector values;
    private final Map<String, Tensor> statistics;
    private final Map<String, Tensor> averagedStatistics = new LinkedHashMap<>();

    /** Its copies of the running statistics belong to the caller's scope, as the network does. */
    MovingAverage(Network network, FlatParameters parameters, double decay) {
        this.parameters = parameters;
        this.decay = decay;
        values = parameters.values().copy();
        statistics = network.buffersByName();
        statistics.values().removeIf(buffer -> !buffer.is_floating_point());
        statistics.forEach((name, buffer) -> averagedStatistics.put(name, buffer.clone()));
    }

    /** @param step so many steps are done */
    void update(long step) {
        double d = Math.min(decay, (1.0 + step) / (10.0 + step));
        values.scale(d).add(1 - d, parameters.values());
        try (var scope = Scope.withoutGradient()) {
            averagedStatistics.forEach((name, average) -> average.lerp_(statistics.get(name), new Scalar(1 - d)));
        }
    }

    /** Stands in the network's place until it is closed, which puts the weights back, bit for bit. */
    InUse inUse() {
        return new InUse();
    }

    final class InUse implements AutoCloseable {
        private final FlatVector theta = parameters.values().copy();
        private final Scope scope = Scope.open();
        private final Map<String, Tensor> before = new LinkedHashMap<>();

        private InUse() {
            statistics.forEach((name, buffer) -> before.put(name, buffer.clone()));
            parameters.values().set(values);
            averagedStatistics.forEach((name, average) -> statistics.get(name).copy_(average));
        }

        @Override
        public void close() {
            parameters.values().set(theta);
            before.forEach((name, buffer) -> statistics.get(name).copy_(buffer));
            scope.close();
            theta.close();
        }
    }

    /** The average by the weights' names, live, for a checkpoint to read and a resume to overwrite. In the caller's scope. */
    Map<String, Tensor> byName() {
        Map<String, Tensor> tensors = parameters.byName(values);
        tensors.putAll(averagedStatistics);
        return tensors;
    }

    @Override
    public void close() {
        values.close();
    }
}
