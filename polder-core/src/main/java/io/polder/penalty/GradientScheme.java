package io.polder.penalty;

import io.polder.nn.Pass;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import java.util.Map;

/**
 * Decides which gradient a step uses. The training loop calls it once a step, then clips, then lets the optimizer step.
 *
 * <pre>{@code
 * var scheme = GradientScheme.gradientNormPenalty(0.1, 0.8);
 * scheme.computeGradient(pass.on(batch, step), parameters, step);
 * optimizer.step(parameters, learningRate.at(step));
 * }</pre>
 *
 * <p>A scheme is made for a run, as an optimizer is. What it does is a function of the step, and of what it remembers: those vectors are
 * saved in checkpoints, so that a run that resumes goes on to the same bits. Most remember nothing.
 */
@FunctionalInterface
public interface GradientScheme extends AutoCloseable {
    /**
     * Leaves the gradient to step with in the parameters' gradient buffer, and the parameters bit for bit as they were.
     *
     * @param step counts from 0; the schedules of the scheme are read at it
     * @throws NonFiniteStepException if the loss or a gradient is not finite; what the passes left in the network is taken back
     */
    StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step);

    /**
     * What it remembers between steps, by name: the vectors themselves, for a checkpoint to save and a resume to overwrite, the same names
     * at every step. They are this scheme's to close.
     */
    default Map<String, FlatVector> memory(FlatParameters parameters) {
        return Map.of();
    }

    /** Tells it, when its memory was overwritten, how many steps made that memory. */
    default void resumeAfter(long steps) {}

    @Override
    default void close() {}

    /** g = ∇L(θ): one pass. */
    static GradientScheme standard() {
        return (pass, parameters, step) -> {
            double loss = NonFiniteStepException.requireFinite(pass.compute(Pass.ONLY), "loss", step, pass);
            double norm =
                    NonFiniteStepException.requireFinite(parameters.gradient().norm(), "gradient norm", step, pass);
            return StepGradient.unperturbed(loss, norm, norm);
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
