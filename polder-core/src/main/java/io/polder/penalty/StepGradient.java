package io.polder.penalty;

/**
 * What a scheme did in one step, beside leaving the gradient in its buffer.
 *
 * @param loss L(θ), before the step
 * @param referenceNorm ‖g1‖, the norm of the gradient at θ
 * @param norm ‖g‖, the norm of the gradient to step with, before any clipping
 * @param r the radius of the perturbation; 0 when there was none
 * @param alpha the share of g2; 0 when there was none
 */
public record StepGradient(double loss, double referenceNorm, double norm, double r, double alpha) {}
