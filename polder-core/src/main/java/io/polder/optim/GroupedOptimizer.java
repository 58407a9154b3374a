package io.polder.optim;

import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.ParameterGroups;
import java.util.Map;

/**
 * Another optimizer with other learning rates, and other decoupled decay, for some parameters: θ is moved by the whole step, and each
 * parameter then taken to that part of the way which is its own. Where the factor is 1 it is the other's step, bit for bit. Costs two copies
 * of the parameters for rates and one for decay.
 */
public final class GroupedOptimizer implements Optimizer {
    private final Optimizer optimizer;
    private final double weightDecay;
    private final ParameterGroups groups;
    private boolean isAllocated;
    private FlatVector rates;
    private FlatVector before;
    private FlatVector decays;

    /**
     * @param optimizer without decay of its own, if there is some; closed with this one
     * @param weightDecay decoupled, and multiplied by the learning rate, as {@link AdamW} has it; 0 for none
     */
    public GroupedOptimizer(Optimizer optimizer, double weightDecay, ParameterGroups groups) {
        this.optimizer = optimizer;
        this.weightDecay = weightDecay;
        this.groups = groups;
    }

    @Override
    public void step(FlatParameters parameters, double learningRate) {
        allocate(parameters);
        FlatVector theta = parameters.values();
        if (rates != null) {
            before.set(theta);
        }
        if (decays != null) {
            theta.addProduct(-learningRate * weightDecay, decays, theta);
        } else if (weightDecay > 0) {
            theta.scale(1 - learningRate * weightDecay);
        }
        optimizer.step(parameters, learningRate);
        if (rates != null) {
            theta.setBetween(before, theta, rates);
        }
    }

    private void allocate(FlatParameters parameters) {
        if (!isAllocated) {
            rates = groups.learningRates(parameters);
            before = rates == null ? null : parameters.values().zerosLike();
            decays = weightDecay == 0 ? null : groups.decays(parameters);
            isAllocated = true;
        }
    }

    @Override
    public Map<String, FlatVector> memory(FlatParameters parameters) {
        return optimizer.memory(parameters);
    }

    @Override
    public void resumeAfter(long steps) {
        optimizer.resumeAfter(steps);
    }

    @Override
    public void close() {
        optimizer.close();
        for (FlatVector vector : new FlatVector[] {rates, before, decays}) {
            if (vector != null) {
                vector.close();
            }
        }
    }
}
