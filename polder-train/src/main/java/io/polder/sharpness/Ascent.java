package io.polder.sharpness;

import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;

/**
 * How far the loss rises within a distance ρ of θ: max L(θ + ε) − L(θ), climbed by the gradient. What is found is a lower bound of the
 * maximum.
 *
 * @param oneStep at ε = ρ·g/‖g‖, as SAM takes it
 * @param sharpness the most that was met; with more steps it never is less
 * @param lipschitz the largest ‖∇L‖ that was met on the way, θ included: by the mean value theorem |L(θ') − L(θ)| ≤ K·‖θ' − θ‖ there, with
 *     the K that the paper argues from
 */
public record Ascent(double oneStep, double sharpness, double lipschitz) {
    /** Of a later step, as a share of the radius: short enough to follow the surface, and it can cross the ball in some of them. */
    private static final double STRIDE = 0.5;

    /** In which norm the distance is ρ. */
    public enum Distance {
        /** ‖ε‖ ≤ ρ */
        L2,
        /** ‖ε/|θ|‖ ≤ ρ, element by element: the same for every network that computes the same by rescaled weights (Kwon et al., ICML 2021) */
        ADAPTIVE
    }

    /**
     * Climbs from θ on all examples of the loss, one step to the edge and then along it.
     *
     * @param steps how many gradients are followed, at least 1
     */
    public static Ascent of(FixedLoss loss, double rho, int steps, Distance distance) {
        if (!(rho > 0 && rho < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("rho is " + rho + ": it must be a finite number above 0");
        }
        if (steps < 1) {
            throw new IllegalArgumentException("steps is " + steps + ": it must be at least 1");
        }
        FlatParameters parameters = loss.parameters();
        FlatVector theta = parameters.values();
        FlatVector gradient = parameters.gradient();
        double start = loss.gradient();
        double steepest = gradient.norm();
        // In units of the size of each weight the ball is round.
        try (FlatVector size = size(theta, distance);
                FlatVector move = theta.zerosLike();
                FlatVector uphill = theta.zerosLike();
                var there = parameters.excursion()) {
            there.gradient().set(gradient);
            double oneStep = 0;
            double most = 0;
            for (int i = 0; i < steps; i++) {
                uphill.set(there.gradient()).multiply(size);
                double length = uphill.norm();
                if (length < Float.MIN_NORMAL) {
                    break; // there is no way up
                }
                move.add((i == 0 ? 1 : STRIDE) * rho / length, uphill);
                move.scale(Math.min(1, rho / move.norm()));
                there.values().set(move).multiply(size).add(1, theta);
                boolean goesOn = i + 1 < steps;
                double rise = (goesOn ? loss.gradient() : loss.value()) - start;
                if (goesOn) {
                    steepest = Math.max(steepest, there.gradient().norm());
                }
                oneStep = i == 0 ? rise : oneStep;
                most = i == 0 ? rise : Math.max(most, rise);
            }
            return new Ascent(oneStep, most, steepest);
        }
    }

    private static FlatVector size(FlatVector theta, Distance distance) {
        FlatVector size = theta.copy();
        return distance == Distance.ADAPTIVE ? size.absolute() : size.setZero().add(1);
    }
}
