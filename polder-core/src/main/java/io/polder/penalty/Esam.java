package io.polder.penalty;

import static io.polder.penalty.NonFiniteStepException.requireFinite;

import io.polder.nn.Pass;
import io.polder.schedule.Schedule;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.RandomStreams;
import java.util.Comparator;
import java.util.stream.LongStream;

/**
 * Efficient SAM (Du et al., ICLR 2022): perturbs some of the parameters, and takes the second gradient from those examples whose loss that raises
 * most.
 *
 * <pre>
 *   ε  = r·(M ∘ g1)/(β·‖g1‖)     M is 1 for the parameters of a layer with probability β, else 0
 *   g  = ∇L of the share γ of the batch with the largest L(θ + ε) − L(θ), at θ + ε
 * </pre>
 *
 * <p>One pass, a pass forward only, and a pass of the share: about 1⅓ + γ. Its authors also leave out the backward pass of what is not
 * perturbed; here every gradient is computed. Dropout draws for the share as for the first examples of the batch. Three more copies of the
 * parameters.
 *
 * @param weights β
 * @param data γ
 */
public record Esam(Schedule r, double weights, double data, RandomStreams streams) implements GradientScheme {
    public Esam {
        requireShare("weights", weights);
        requireShare("data", data);
    }

    private static void requireShare(String name, double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(name + " is " + share + ": it must be above 0 and at most 1");
        }
    }

    @Override
    public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
        FlatVector theta = parameters.values();
        FlatVector g = parameters.gradient();
        double[] before = new double[Math.toIntExact(pass.examples())];
        double loss = requireFinite(pass.compute(Pass.REFERENCE, before), "loss", step, pass);
        double norm = requireFinite(g.norm(), "gradient norm", step, pass);
        double radius = r.at(step);
        if (radius == 0 || norm < Float.MIN_NORMAL) {
            return StepGradient.unperturbed(loss, norm, norm);
        }
        var draws = streams.random("esam", step);
        try (var there = parameters.excursion();
                FlatVector perturbed = parameters.mask(slice -> draws.nextDouble() < weights)) {
            there.values().set(theta).addProduct(radius / (weights * norm), perturbed, g);
            double[] after = pass.losses(Pass.PERTURBED);
            LossPass share = pass.only(raisedMost(before, after));
            requireFinite(share.compute(Pass.PERTURBED), "loss at the perturbed parameters", step, pass);
            g.set(there.gradient());
        }
        double second = requireFinite(g.norm(), "perturbed gradient norm", step, pass);
        return StepGradient.perturbed(loss, norm, second, radius, 1);
    }

    /** Their places, in order. */
    private long[] raisedMost(double[] before, double[] after) {
        return LongStream.range(0, before.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> before[i.intValue()] - after[i.intValue()]))
                .limit(Math.max(1, Math.round(data * before.length)))
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
    }
}
