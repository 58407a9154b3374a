package io.polder.penalty;

import io.polder.nn.Pass;
import io.polder.tensor.FlatParameters;

/**
 * Decides which gradient a step uses. The training loop calls it once a step, then clips, then lets the optimizer step.
 *
 * <pre>{@code
 * var scheme = GradientScheme.gradientNormPenalty(0.1, 0.8);
 * scheme.computeGradient(pass.on(batch, step), parameters, step);
 * optimizer.step(parameters, learningRate.at(step));
 * }</pre>
 *
 * <p>Implementations are stateless: what they do is a function of the step.
 */
@FunctionalInterface
public interface GradientScheme {
    /**
     * Leaves the gradient to step with in the parameters' gradient buffer, and the parameters bit for bit as they were.
     *
     * @param step counts from 0; the schedules of the scheme are read at it
     * @throws NonFiniteStepException if the loss or a gradient is not finite; what the passes left in the network is taken back
     */
    StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step);

    /** g = ∇L(θ): one pass. */
    static GradientScheme standard() {
        return (pass, parameters, step) -> {
            double loss = NonFiniteStepException.requireFinite(pass.compute(Pass.ONLY), "loss", step, pass);
            double norm =
                    NonFiniteStepException.requireFinite(parameters.gradient().norm(), "gradient norm", step, pass);
            return new StepGradient(loss, norm, norm, 0, 0);
        };
    }

    /** Sharpness-aware minimisation: g = ∇L(θ + r·g1/‖g1‖), the penalty with α = 1. Two passes. */
    static GradientScheme sam(double r) {
        return gradientNormPenalty(r, 1);
    }

    /** The paper's scheme with constant coefficients: g = (1 − α)·g1 + α·g2. Two passes. */
    static GradientScheme gradientNormPenalty(double r, double alpha) {
        return new GradientNormPenalty(Coefficients.constant(r, alpha), Perturbation.L2, Mix.GRADIENT);
    }
}
