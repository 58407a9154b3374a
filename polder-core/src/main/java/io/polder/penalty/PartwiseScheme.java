package io.polder.penalty;

import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import java.util.Map;

/**
 * m-sharpness on one machine (Foret et al., ICLR 2021): the batch in parts of m examples, each of which is perturbed by its own gradient, as on
 * as many workers that do not exchange their first gradients. What is stepped with is the mean of the parts' gradients, each by its
 * number of examples. Costs as many passes over the batch as the scheme; one more copy of the parameters while it runs.
 *
 * @param scheme must remember nothing: it would take each part for a step
 * @param examples m
 */
public record PartwiseScheme(GradientScheme scheme, long examples) implements GradientScheme {
    public PartwiseScheme {
        if (examples < 1) {
            throw new IllegalArgumentException("perturbationExamples is " + examples + ": it must be at least 1");
        }
    }

    @Override
    public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
        long all = pass.examples();
        FlatVector g = parameters.gradient();
        double loss = 0;
        double referenceNorm = 0;
        StepGradient part = null;
        try (FlatVector sum = g.zerosLike()) {
            for (long first = 0; first < all; first += examples) {
                long count = Math.min(examples, all - first);
                double weight = (double) count / all;
                part = scheme.computeGradient(pass.part(first, count), parameters, step);
                sum.add(weight, g);
                loss += weight * part.loss();
                referenceNorm += weight * part.referenceNorm();
            }
            g.set(sum);
        }
        double norm = NonFiniteStepException.requireFinite(g.norm(), "mean gradient norm", step, pass);
        return new StepGradient(loss, referenceNorm, norm, part.figures());
    }

    @Override
    public Map<String, FlatVector> memory(FlatParameters parameters) {
        if (!scheme.memory(parameters).isEmpty()) {
            throw new IllegalArgumentException("perturbationExamples needs a scheme that remembers nothing");
        }
        return Map.of();
    }

    @Override
    public void close() {
        scheme.close();
    }
}
