package io.polder.penalty;

import io.polder.nn.Pass;
import java.util.function.ToDoubleFunction;

/** A pass of which somebody sees to the gradients himself: a scheme, or workers that average them. */
public record RelayedPass(LossPass pass, ToDoubleFunction<Pass> relay) implements LossPass {
    @Override
    public double compute(Pass kind) {
        return relay.applyAsDouble(kind);
    }

    @Override
    public void takeBack() {
        pass.takeBack();
    }

    @Override
    public long examples() {
        return pass.examples();
    }

    @Override
    public LossPass part(long first, long count) {
        return pass.part(first, count);
    }

    @Override
    public LossPass only(long... examples) {
        return pass.only(examples);
    }

    @Override
    public double compute(Pass kind, double[] losses) {
        return pass.compute(kind, losses);
    }

    @Override
    public double[] losses(Pass kind) {
        return pass.losses(kind);
    }
}
