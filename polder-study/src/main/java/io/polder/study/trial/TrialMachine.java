package io.polder.study.trial;

import io.polder.files.Machine;
import io.polder.run.RunDirectory;
import io.polder.run.RunInfo;
import java.io.IOException;
import java.nio.file.Path;

/** What trials run on. */
final class TrialMachine {
    private TrialMachine() {}

    /** What has trained the trial: this process, and what the trial began on where that was something else. */
    static String thatTrained(Path trial, int threads) {
        try {
            RunInfo info = new RunDirectory(trial).info();
            // A trial keeps the number of threads that it began with.
            String here = thisOne(info.platform().threads()) + ", "
                    + software(System.getProperty(TrialCommand.VERSION, ""), RunInfo.engineNow());
            String beginning = beginning(info);
            return here.equals(beginning) ? here : here + " (begun on " + beginning + ")";
        } catch (IOException e) {
            return thisOne(threads); // it did not get as far as to be a run
        }
    }

    /** What a trial that failed began on, which another process knows no more of. */
    static String thatTried(Path trial, int threads) {
        try {
            return beginning(new RunDirectory(trial).info());
        } catch (IOException e) {
            return thisOne(threads);
        }
    }

    private static String beginning(RunInfo info) {
        return hardware(
                        info.platform().processor(),
                        info.platform().cores(),
                        info.platform().threads()) + ", "
                + software(info.platform().version(), info.platform().engine());
    }

    private static String thisOne(int threads) {
        return hardware(new Machine().processor(), Runtime.getRuntime().availableProcessors(), threads);
    }

    private static String hardware(String processor, int cores, int threads) {
        return processor + ", " + cores + " cores, " + (threads == 1 ? "1 thread" : threads + " threads");
    }

    private static String software(String polder, String engine) {
        return "Polder " + polder + ", " + engine;
    }
}
