package io.polder.train;

import io.polder.distributed.ProcessGroup;
import io.polder.loss.NetworkPass;
import io.polder.nn.Pass;
import io.polder.nn.SharedBatch;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;

/** Passes in which batch norm adds up over all workers. They go through them together, or nobody does. */
final class SharedPasses implements SharedBatch {
    // What a worker says it does next, besides the number of a pass.
    private static final int DONE = -1;
    private static final int FAILED = -2;

    /** It has no examples, and goes where the others go. */
    private static final int FOLLOWS = -3;

    /** Another worker's numbers are not finite: it says so itself when all end the step. */
    static final class FailedElsewhere extends RuntimeException {
        private static final long serialVersionUID = 1;

        FailedElsewhere() {
            super("another worker's numbers are not finite", null, false, false);
        }
    }

    private final ProcessGroup group;

    /** null: outside of a pass */
    private String doing;

    /** Why a sum could not be had: through the engine's backward pass nothing but a message comes. */
    private RuntimeException broken;

    SharedPasses(ProcessGroup group) {
        this.group = group;
    }

    /** The loss of this worker's examples, and its gradient. */
    double compute(Pass kind, NetworkPass pass, long step) {
        next(kind.ordinal(), step);
        return together(kind, pass, step);
    }

    private double together(Pass kind, NetworkPass pass, long step) {
        doing = "the batch statistics of step " + step;
        try {
            return pass.compute(kind);
        } catch (RuntimeException e) {
            throw broken == null ? e : broken;
        } finally {
            doing = null;
            broken = null;
        }
    }

    /** The scheme has all that it needs. One that had no examples for it takes part in the passes of the others. */
    void end(NetworkPass pass, long step) {
        int mine = pass.examples() == 0 ? FOLLOWS : DONE;
        for (int next = next(mine, step); next != DONE; next = next(mine, step)) {
            together(Pass.values()[next], pass, step);
        }
    }

    /** This worker's numbers are not finite. */
    void fail(long step) {
        next(FAILED, step);
    }

    /** @return what all do */
    private int next(int mine, long step) {
        int[] said = Arrays.stream(group.allGather("step " + step, mine))
                .mapToInt(each -> (int) each[0])
                .toArray();
        if (mine == FAILED) {
            return mine;
        }
        if (Arrays.stream(said).anyMatch(each -> each == FAILED)) {
            throw new FailedElsewhere();
        }
        int next = DONE;
        for (int rank = said.length - 1; rank >= 0; rank--) {
            next = said[rank] == FOLLOWS ? next : said[rank];
        }
        for (int rank = 0; rank < said.length; rank++) {
            if (said[rank] != FOLLOWS && said[rank] != next) {
                throw new IllegalStateException(
                        "rank " + rank + " makes other passes in step " + step
                                + " than the others: with syncBatchNorm all make the same, as scheme.syncPerturbation: true sees to");
            }
        }
        return next;
    }

    @Override
    public void sum(Tensor numbers) {
        if (doing == null) {
            throw new IllegalStateException("syncBatchNorm is true and the scheme looks at a part of the batch:"
                    + " it goes with schemes that take the whole batch in every pass");
        }
        try {
            group.allReduce(doing, numbers);
        } catch (RuntimeException e) {
            broken = e;
            throw e;
        }
    }
}
