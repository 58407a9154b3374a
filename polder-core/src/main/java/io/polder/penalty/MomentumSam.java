package io.polder.penalty;

import static io.polder.penalty.NonFiniteStepException.requireFinite;

import io.polder.nn.Pass;
import io.polder.schedule.Schedule;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import java.util.Map;

/**
 * SAM that perturbs along past gradients instead of the present one, and so needs one pass (Becker, Altrock and Risse, 2024):
 *
 * <pre>
 *   g = ∇L(θ + r·m/‖m‖)
 *   m ← μ·m + g
 * </pre>
 *
 * <p>The only pass is at the perturbed parameters, so batch-norm's running statistics are measured there, against F2; the loss that is
 * reported is L(θ + r·m/‖m‖) too. Three more copies of the parameters.
 */
public final class MomentumSam implements GradientScheme {
    private final Schedule r;
    private final double momentum;
    private FlatVector past;

    /** @param momentum μ, that of the optimizer in the authors' experiments */
    public MomentumSam(Schedule r, double momentum) {
        if (!(momentum >= 0 && momentum < 1)) {
            throw new IllegalArgumentException("momentum is " + momentum + ": it must be at least 0 and below 1");
        }
        this.r = r;
        this.momentum = momentum;
    }

    @Override
    public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
        FlatVector theta = parameters.values();
        FlatVector g = parameters.gradient();
        allocate(theta);
        double length = past.norm();
        double radius = length < Float.MIN_NORMAL ? 0 : r.at(step);
        try (var there = parameters.excursion()) {
            there.values().setSum(theta, radius == 0 ? 0 : radius / length, past);
            double loss = requireFinite(pass.compute(Pass.ONLY), "loss", step, pass);
            double norm = requireFinite(there.gradient().norm(), "gradient norm", step, pass);
            g.set(there.gradient());
            past.setSum(g, momentum, past);
            return StepGradient.perturbed(loss, norm, norm, radius, radius == 0 ? 0 : 1);
        }
    }

    private void allocate(FlatVector theta) {
        if (past == null) {
            past = theta.zerosLike();
        }
    }

    @Override
    public Map<String, FlatVector> memory(FlatParameters parameters) {
        allocate(parameters.values());
        return Map.of("past", past);
    }

    @Override
    public void close() {
        if (past != null) {
            past.close();
        }
    }
}
