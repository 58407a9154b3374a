package io.polder.study.trial;

import io.polder.run.Processor;

/** Where trials run. */
final class Machine {
    private Machine() {}

    static String describe(int threads) {
        return Processor.name() + ", " + Runtime.getRuntime().availableProcessors() + " cores, "
                + (threads == 1 ? "1 thread" : threads + " threads");
    }
}
