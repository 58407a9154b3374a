package io.polder.penalty;

import static io.polder.penalty.NonFiniteStepException.requireFinite;

import io.polder.nn.Pass;
import io.polder.schedule.Schedule;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import java.util.Map;

/**
 * The gradient of L + λ‖∇L‖ as it is: g = g1 + λ·H·g1/‖g1‖, with the product by differentiating twice where {@link GradientNormPenalty}
 * takes the finite difference (g2 − g1)/r. That one tends to this with r → 0 at a constant λ = α·r. A reference to compare with: slower,
 * and only for networks whose every operation has a second derivative.
 *
 * @param lambda the weight of the gradient norm, over the steps
 */
public record ExactPenalty(Schedule lambda) implements GradientScheme {
    /** The name of its figure. */
    static final String LAMBDA = "lambda";

    @Override
    public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
        double weight = lambda.at(step);
        FlatVector gradient = parameters.gradient();
        Pass first = weight == 0 ? Pass.ONLY : Pass.REFERENCE;
        double loss = requireFinite(pass.compute(first), "loss", step, pass); // g1 = ∇L(θ)
        double norm = requireFinite(gradient.norm(), "gradient norm", step, pass);
        if (weight == 0 || norm < Float.MIN_NORMAL) {
            return new StepGradient(loss, norm, norm, Map.of(LAMBDA, 0.0));
        }
        try (FlatVector direction = gradient.zerosLike();
                FlatVector product = gradient.zerosLike()) {
            pass.computeProduct(direction.setScaled(1 / norm, gradient), product);
            gradient.add(weight, product); // g = g1 + λ·H·g1/‖g1‖
        }
        double mixedNorm = requireFinite(gradient.norm(), "mixed gradient norm", step, pass);
        return new StepGradient(loss, norm, mixedNorm, Map.of(LAMBDA, weight));
    }
}
