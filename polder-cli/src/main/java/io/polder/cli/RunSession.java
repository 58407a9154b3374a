package io.polder.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.recipe.Recipe;
import io.polder.run.Follower;
import io.polder.run.RunDirectory;
import io.polder.run.RunInfo;
import io.polder.run.RunObserver;
import io.polder.run.RunResult;
import io.polder.run.RunSettings;
import io.polder.study.RunReport;
import io.polder.text.ShellWords;
import io.polder.train.EpochMetrics;
import io.polder.train.Figures;
import io.polder.train.Progress;
import io.polder.train.TrainingListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;

/** One session of a run on the command line: its progress on the screen, its report, and what is said at its end. */
final class RunSession {
    /** Trains, with somebody who watches. */
    interface Training {
        RunInfo run(RunObserver observer) throws IOException;
    }

    private RunSession() {}

    static int run(CommandLine command, Path directory, boolean json, Training training) throws IOException {
        try (var stop = StopOnSignal.noticing();
                var progress = new RunProgress(command.getErr(), json ? command.getOut() : null)) {
            RunInfo info = run(training, directory, progress, stop);
            progress.close();
            if (json) {
                command.getOut().println(new ObjectMapper().writeValueAsString(info));
            } else {
                conclude(command.getOut(), directory, info);
            }
            command.getOut().flush();
            return 0;
        }
    }

    /** A worker's part of one: it says what goes wrong, and no more. */
    static int follow(CommandLine command, Optional<Recipe> own, RunSettings settings) throws IOException {
        try (var stop = StopOnSignal.noticing()) {
            Follower.run(own, settings, new RunObserver() {
                @Override
                public boolean stopRequested() {
                    return stop.isRequested();
                }
            });
            return 0;
        }
    }

    private static RunInfo run(Training training, Path directory, RunProgress progress, StopOnSignal stop)
            throws IOException {
        try {
            return training.run(new RunObserver() {
                @Override
                public List<TrainingListener> listeners(RunInfo info, Progress from) {
                    progress.begin(info, from);
                    return List.of(progress, new ReportWriter(directory, progress));
                }

                @Override
                public void warn(String sentence) {
                    progress.say(sentence);
                }

                @Override
                public boolean stopRequested() {
                    return stop.isRequested();
                }
            });
        } finally {
            // However it ended: the report says that, too. A full disk is no reason to call the training a failure.
            if (progress.hasBegun()) {
                try {
                    RunReport.write(directory);
                } catch (IOException e) {
                    progress.say(e.getMessage());
                }
            }
        }
    }

    private static void conclude(PrintWriter screen, Path directory, RunInfo info) {
        RunResult result = info.result();
        if (info.status() != RunInfo.Status.done) {
            screen.println("Stopped. Go on with: ./polder resume " + ShellWords.quoted(directory));
        } else if (result != null && result.bestEpoch() != null) {
            Figures figures = info.figures();
            screen.println(info.images().evaluatedOn() + " " + figures.text(result::evaluated) + ", best "
                    + figures.judge().text(result.best(figures.judge())) + " in epoch " + result.bestEpoch() + " of "
                    + result.epochs());
        }
        screen.println("Report: " + new RunDirectory(directory).reportFile());
    }

    /** After each epoch; where epochs are short not each time, so that reports take half a per cent of a run at most. */
    private static final class ReportWriter implements TrainingListener {
        private static final long LEAST_BETWEEN = Duration.ofSeconds(2).toNanos();
        private static final int TIMES_ITS_OWN_COST = 200;

        private final RunReport report;
        private final RunProgress progress;
        private long next = System.nanoTime();

        ReportWriter(Path directory, RunProgress progress) {
            this.report = new RunReport(directory);
            this.progress = progress;
        }

        @Override
        public void onEpoch(EpochMetrics metrics) {
            long begun = System.nanoTime();
            if (begun - next < 0) {
                return;
            }
            try {
                report.write();
            } catch (IOException e) {
                progress.say(e.getMessage());
            }
            long ended = System.nanoTime();
            next = ended + Math.max(LEAST_BETWEEN, TIMES_ITS_OWN_COST * (ended - begun));
        }
    }
}
