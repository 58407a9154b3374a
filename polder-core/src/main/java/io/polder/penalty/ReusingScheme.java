package io.polder.penalty;

import static io.polder.penalty.NonFiniteStepException.requireFinite;

import io.polder.nn.Pass;
import io.polder.schedule.Schedule;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;

/**
 * Takes a step of two passes now and then, keeps what its second pass changed, and adds that to the gradient of the steps between, which cost
 * one pass each: with two passes at every k-th step a step costs 1 + 1/k passes.
 *
 * <p>The curvature along the gradient changes more slowly than the gradient: the term of some steps ago is nearly that of now. Costs two
 * copies of the parameters, besides those of the scheme.
 */
public final class ReusingScheme implements GradientScheme {
    /** 2 or 1: how many passes the step took. */
    public static final String PASSES = "passes";

    /** No gradient has turned so far. */
    public static final double NEVER = -1;

    private final GradientScheme scheme;
    private final Turns turns;
    private final double turned;
    private final Reuse reuse;
    private final Schedule share;

    private FlatVector term;
    private FlatVector first;

    /**
     * @param scheme of two passes over the whole batch: the difference of two gradients of other examples would be their noise
     * @param turns when it is used in any case
     * @param turned used, too, when the gradient has turned so far since the last time that their cosine is below this; −1 for never. Costs one more
     *     pass over the parameters' memory a step
     * @param share how much of the term is added, over the steps
     */
    public ReusingScheme(GradientScheme scheme, Turns turns, double turned, Reuse reuse, Schedule share) {
        if (!(turned >= -1 && turned <= 1)) {
            throw new IllegalArgumentException("turned is " + turned + ": it must be between -1 and 1");
        }
        checked(share.at(0));
        this.scheme = scheme;
        this.turns = turns;
        this.turned = turned;
        this.reuse = reuse;
        this.share = share;
    }

    @Override
    public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
        allocate(parameters);
        if (turns.at(step)) {
            return renewed(pass, pass::compute, parameters, step);
        }
        FlatVector g = parameters.gradient();
        Pass kind = turned > NEVER ? Pass.REFERENCE : Pass.ONLY;
        double loss = requireFinite(pass.compute(kind), "loss", step, pass);
        double norm = requireFinite(g.norm(), "gradient norm", step, pass);
        if (turned > NEVER && g.dot(first) < turned * norm * first.norm()) {
            return renewed(pass, next -> next.isAtTheta() ? loss : pass.compute(next), parameters, step);
        }
        reuse.add(parameters, norm, term, first, checked(share.at(step)));
        double mixed = requireFinite(g.norm(), "mixed gradient norm", step, pass);
        return StepGradient.unperturbed(loss, norm, mixed).with(PASSES, 1);
    }

    /** By the scheme. Its gradient at θ is kept, which the scheme mixes away. */
    private StepGradient renewed(LossPass pass, ToDoubleFunction<Pass> compute, FlatParameters parameters, long step) {
        var kept = new AtomicBoolean();
        var keeping = new RelayedPass(pass, kind -> {
            double loss = compute.applyAsDouble(kind);
            if (kind.isAtTheta()) {
                first.set(parameters.gradient());
                kept.set(true);
            }
            return loss;
        });
        StepGradient result = scheme.computeGradient(keeping, parameters, step);
        if (!kept.get()) {
            throw new IllegalStateException(
                    "nothing can be reused of a scheme whose first gradient is not of the whole batch");
        }
        reuse.keep(term, parameters.gradient(), first, result.referenceNorm());
        return result.with(PASSES, result.figures().get(StepGradient.R) == 0 ? 1 : 2);
    }

    private static double checked(double share) {
        if (!Double.isFinite(share)) {
            throw new IllegalArgumentException("reuse is " + share + ": it must be a finite number");
        }
        return share;
    }

    private void allocate(FlatParameters parameters) {
        if (term == null) {
            term = parameters.values().zerosLike();
            first = parameters.values().zerosLike();
        }
    }

    @Override
    public Map<String, FlatVector> memory(FlatParameters parameters) {
        allocate(parameters);
        Map<String, FlatVector> memory = new TreeMap<>(scheme.memory(parameters));
        memory.put("term", term);
        memory.put("first", first);
        return memory;
    }

    @Override
    public void resumeAfter(long steps) {
        scheme.resumeAfter(steps);
    }

    @Override
    public void close() {
        scheme.close();
        if (term != null) {
            term.close();
            first.close();
        }
    }
}
