package io.polder.optim;

import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import java.util.Map;

/**
 * RMSProp with momentum, as PyTorch has it: v ← ρ·v + (1 − ρ)·g², m ← μ·m + g/(√v + ε), θ ← θ − η·m. Three copies of the
 * parameters, one of them scratch.
 */
public final class RmsProp implements Optimizer {
    private final double decay;
    private final double epsilon;
    private final double momentum;
    private FlatVector square;
    private FlatVector velocity;
    private FlatVector denominator;

    /**
     * @param decay ρ; 0.9 is usual
     * @param epsilon 1e-8 is PyTorch's; networks for ImageNet have used up to 1
     * @param momentum μ; 0 for none
     */
    public RmsProp(double decay, double epsilon, double momentum) {
        if (!(decay >= 0 && decay < 1)) {
            throw new IllegalArgumentException("decay is " + decay + ": it must be at least 0 and below 1");
        }
        if (!(epsilon > 0 && epsilon < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("epsilon is " + epsilon + ": it must be a finite number above 0");
        }
        if (!(momentum >= 0 && momentum < 1)) {
            throw new IllegalArgumentException("momentum is " + momentum + ": it must be at least 0 and below 1");
        }
        this.decay = decay;
        this.epsilon = epsilon;
        this.momentum = momentum;
    }

    @Override
    public void step(FlatParameters parameters, double learningRate) {
        FlatVector theta = parameters.values();
        FlatVector g = parameters.gradient();
        allocate(theta);
        square.scale(decay).addProduct(1 - decay, g, g);
        denominator.set(square).squareRoot().add(epsilon);
        velocity.scale(momentum).addQuotient(1, g, denominator);
        theta.add(-learningRate, velocity);
    }

    private void allocate(FlatVector theta) {
        if (square == null) {
            square = theta.zerosLike();
            velocity = theta.zerosLike();
            denominator = theta.zerosLike();
        }
    }

    @Override
    public Map<String, FlatVector> memory(FlatParameters parameters) {
        allocate(parameters.values());
        return Map.of("square", square, "velocity", velocity);
    }

    @Override
    public void close() {
        if (square != null) {
            square.close();
            velocity.close();
            denominator.close();
        }
    }
}
