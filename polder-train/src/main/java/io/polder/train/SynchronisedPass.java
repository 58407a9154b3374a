package io.polder.train;

import io.polder.distributed.ProcessGroup;
import io.polder.loss.NetworkPass;
import io.polder.nn.Pass;
import io.polder.penalty.LossPass;
import io.polder.tensor.FlatParameters;

/**
 * Averages g1 over the workers before the scheme sees it, so that all perturb alike. The losses stay each worker's own.
 *
 * @param weight this worker's share of the batch; with a share of 0 there is nothing to compute, and it only takes part
 */
record SynchronisedPass(NetworkPass pass, FlatParameters parameters, ProcessGroup group, double weight, long step)
        implements LossPass {
    @Override
    public double compute(Pass kind) {
        double loss = 0;
        if (weight > 0) {
            loss = pass.compute(kind);
        } else {
            parameters.gradient().setZero();
        }
        if (kind == Pass.REFERENCE) {
            parameters.gradient().scale(weight);
            group.allReduce("the averaging of first gradients in step " + step, parameters.gradient());
        }
        return loss;
    }

    @Override
    public void takeBack() {
        pass.takeBack();
    }
}
