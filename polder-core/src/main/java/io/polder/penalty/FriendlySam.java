package io.polder.penalty;

import static io.polder.penalty.NonFiniteStepException.requireFinite;

import io.polder.nn.Pass;
import io.polder.schedule.Schedule;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import java.util.Map;

/**
 * SAM that perturbs along what is peculiar to the batch (Li et al., CVPR 2024). A running mean m of past gradients stands for the gradient over all
 * data, and is taken out of the direction:
 *
 * <pre>
 *   d  = g1 − σ·m            (d = g1 while m is 0)
 *   m  ← λ·m + (1 − λ)·g1    (m = g1 while m is 0)
 *   g  = ∇L(θ + r·d/‖d‖)
 * </pre>
 *
 * <p>Two passes; three more copies of the parameters. The authors' code, and this, take the mean of before the step.
 */
public final class FriendlySam implements GradientScheme {
    private final Schedule r;
    private final double sigma;
    private final double lambda;
    private FlatVector mean;
    private boolean hasMean;

    /**
     * @param sigma how much of the mean is taken out; the authors' value is 1
     * @param lambda how much of the mean stays at each step; the authors' value is 0.9
     */
    public FriendlySam(Schedule r, double sigma, double lambda) {
        if (!Double.isFinite(sigma)) {
            throw new IllegalArgumentException("sigma is " + sigma + ": it must be a finite number");
        }
        if (!(lambda >= 0 && lambda < 1)) {
            throw new IllegalArgumentException("lambda is " + lambda + ": it must be at least 0 and below 1");
        }
        this.r = r;
        this.sigma = sigma;
        this.lambda = lambda;
    }

    @Override
    public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
        FlatVector theta = parameters.values();
        FlatVector g = parameters.gradient();
        allocate(theta);
        double loss = requireFinite(pass.compute(Pass.REFERENCE), "loss", step, pass);
        double norm = requireFinite(g.norm(), "gradient norm", step, pass);
        double radius = r.at(step);
        try (var there = parameters.excursion();
                FlatVector direction = g.copy()) {
            if (hasMean) {
                direction.add(-sigma, mean);
            }
            double length = direction.norm();
            there.values().setSum(theta, length < Float.MIN_NORMAL ? 0 : radius / length, direction);
            requireFinite(pass.compute(Pass.PERTURBED), "loss at the perturbed parameters", step, pass);
            double perturbed = requireFinite(there.gradient().norm(), "perturbed gradient norm", step, pass);
            mean.mix(hasMean ? 1 - lambda : 1, g);
            hasMean |= norm > 0;
            g.set(there.gradient());
            return StepGradient.perturbed(loss, norm, perturbed, radius, 1);
        }
    }

    private void allocate(FlatVector theta) {
        if (mean == null) {
            mean = theta.zerosLike();
        }
    }

    @Override
    public Map<String, FlatVector> memory(FlatParameters parameters) {
        allocate(parameters.values());
        return Map.of("mean", mean);
    }

    @Override
    public void resumeAfter(long steps) {
        hasMean = mean.norm() > 0; // at none of these steps it may have been its turn
    }

    @Override
    public void close() {
        if (mean != null) {
            mean.close();
        }
    }
}
