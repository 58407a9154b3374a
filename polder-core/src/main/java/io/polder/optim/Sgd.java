package io.polder.optim;

import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import java.util.Map;

/**
 * Stochastic gradient descent with momentum μ: m ← g + μ·m, then θ ← θ − η·m, or θ ← θ − η·(g + μ·m) with Nesterov's form.
 * One copy of the parameters; none when μ = 0.
 */
public final class Sgd implements Optimizer {
    private final double momentum;
    private final boolean nesterov;
    private FlatVector velocity;

    public Sgd(double momentum, boolean nesterov) {
        if (!(momentum >= 0 && momentum < 1)) {
            throw new IllegalArgumentException("momentum is " + momentum + ": it must be at least 0 and below 1");
        }
        if (nesterov && momentum == 0) {
            throw new IllegalArgumentException("nesterov needs a momentum above 0");
        }
        this.momentum = momentum;
        this.nesterov = nesterov;
    }

    @Override
    public void step(FlatParameters parameters, double learningRate) {
        FlatVector theta = parameters.values();
        FlatVector g = parameters.gradient();
        if (momentum == 0) {
            theta.add(-learningRate, g);
            return;
        }
        allocate(theta);
        velocity.setSum(g, momentum, velocity);
        if (nesterov) {
            theta.add(-learningRate, g).add(-learningRate * momentum, velocity);
        } else {
            theta.add(-learningRate, velocity);
        }
    }

    private void allocate(FlatVector theta) {
        if (velocity == null) {
            velocity = theta.zerosLike();
        }
    }

    @Override
    public Map<String, FlatVector> memory(FlatParameters parameters) {
        if (momentum == 0) {
            return Map.of();
        }
        allocate(parameters.values());
        return Map.of("velocity", velocity);
    }

    @Override
    public void close() {
        if (velocity != null) {
            velocity.close();
        }
    }
}
