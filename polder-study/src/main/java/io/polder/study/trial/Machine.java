package io.polder.study.trial;

import io.polder.run.Processor;
import io.polder.run.RunDirectory;
import io.polder.run.RunInfo;
import java.io.IOException;
import java.nio.file.Path;

/** What trials run on. */
final class Machine {
    private Machine() {}

    /** @param trial its directory, where its run says what trained it */
    static String describe(int threads, Path trial) {
        String machine = Processor.name() + ", " + Runtime.getRuntime().availableProcessors() + " cores, "
                + (threads == 1 ? "1 thread" : threads + " threads");
        try {
            RunInfo info = new RunDirectory(trial).info();
            String device = info.device().equals("cpu") ? "" : ", " + info.device();
            return machine + device + ", Polder " + info.version() + ", " + info.engine();
        } catch (IOException e) {
            return machine; // it did not get as far as to be a run
        }
    }
}
