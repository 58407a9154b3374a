package io.polder.penalty;

import static io.polder.penalty.NonFiniteStepException.requireFinite;

import io.polder.nn.Pass;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;

/**
 * Penalises the gradient norm: steps along ∇(L + λ‖∇L‖), with the Hessian-vector product in it taken as a finite difference of
 * two gradients. Algorithm 1 of Zhao, Zhang and Hu (ICML 2022), with α = λ/r:
 *
 * <pre>
 *   g1 = ∇L(θ)
 *   θ' = θ + r · g1/‖g1‖
 *   g2 = ∇L(θ')
 *   g  = (1 − α) · g1 + α · g2
 * </pre>
 *
 * <p>α = 0 is standard training and costs one pass; α = 1 is SAM. Where there is no perturbation (α = 0, r = 0, or a gradient
 * too small to have a direction) g2 would be g1, so the second pass is left out. Costs two passes, and two more
 * copies of the parameters for θ' and g2.
 *
 * @param coefficients r and α over the steps
 * @param perturbation how far each parameter moves; the paper's is {@link Perturbation#l2()}
 * @param mix {@link Mix#GRADIENT} is Algorithm 1
 */
public record GradientNormPenalty(Coefficients coefficients, Perturbation perturbation, Mix mix)
        implements GradientScheme {

    @Override
    public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
        double r = coefficients.radiusAt(step);
        double alpha = coefficients.alphaAt(step);
        FlatVector theta = parameters.values();
        FlatVector g1 = parameters.gradient();

        boolean perturbs = mix.needsSecond(alpha) && r != 0;
        Pass first = perturbs ? Pass.REFERENCE : Pass.ONLY;
        double loss = requireFinite(pass.compute(first), "loss", step, pass); // g1 = ∇L(θ)
        double norm = requireFinite(g1.norm(), "gradient norm", step, pass);
        if (!perturbs || norm < Float.MIN_NORMAL) {
            mix.withoutPerturbation(g1, norm, alpha);
            return StepGradient.unperturbed(loss, norm, g1.norm());
        }

        try (var there =
                parameters.excursion()) { // θ is not touched: adding and then subtracting would round, and θ drift
            perturbation.move(there.values(), theta, g1, norm, r); // θ' = θ + r·g1/‖g1‖
            requireFinite(pass.compute(Pass.PERTURBED), "loss at the perturbed parameters", step, pass); // g2 = ∇L(θ')
            mix.combine(g1, there.gradient(), norm, alpha); // g = (1 − α)·g1 + α·g2
        }
        double mixedNorm = requireFinite(g1.norm(), "mixed gradient norm", step, pass);
        return StepGradient.perturbed(loss, norm, mixedNorm, r, alpha);
    }
}
