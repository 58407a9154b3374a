package io.polder.penalty;

import java.util.HashMap;
import java.util.Map;

/**
 * What a scheme did in one step, beside leaving the gradient in its buffer.
 *
 * @param loss L(θ), before the step
 * @param referenceNorm ‖g1‖, the norm of the gradient at θ
 * @param norm ‖g‖, the norm of the gradient to step with, before any clipping
 * @param figures what else the scheme has to tell of the step, by name, for metrics, charts and tables
 */
public record StepGradient(double loss, double referenceNorm, double norm, Map<String, Double> figures) {
    /** The radius of the perturbation; 0 when there was none. */
    public static final String R = "r";

    /** The share of g2; 0 when there was none. */
    public static final String ALPHA = "alpha";

    /** Of a step that took its second gradient at a distance r. */
    static StepGradient perturbed(double loss, double referenceNorm, double norm, double r, double alpha) {
        return new StepGradient(loss, referenceNorm, norm, Map.of(R, r, ALPHA, alpha));
    }

    /** Of a step that perturbed nothing. */
    static StepGradient unperturbed(double loss, double referenceNorm, double norm) {
        return perturbed(loss, referenceNorm, norm, 0, 0);
    }

    /** With one more figure. */
    StepGradient with(String figure, double value) {
        Map<String, Double> more = new HashMap<>(figures);
        more.put(figure, value);
        return new StepGradient(loss, referenceNorm, norm, Map.copyOf(more));
    }
}
