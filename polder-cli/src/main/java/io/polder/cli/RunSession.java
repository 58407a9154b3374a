package io.polder.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.mlflow.MlflowSettings;
import io.polder.mlflow.MlflowTracking;
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
import java.util.ArrayList;
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

    /** @param mlflow the server that is told of the run; empty: none is */
    static int run(
            CommandLine command, Path directory, boolean json, Optional<MlflowSettings> mlflow, Training training)
            throws IOException {
        try (var stop = StopOnSignal.noticing();
                var progress = new RunProgress(command.getErr(), json ? command.getOut() : null)) {
            CoreLoad load = CoreLoad.now();
            if (Terminal.isThere() && !json && load.isHigh()) {
                progress.say(load.hint());
            }
            RunInfo info = run(training, directory, mlflow, progress, stop);
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

    private static RunInfo run(
            Training training, Path directory, Optional<MlflowSettings> mlflow, RunProgress progress, StopOnSignal stop)
            throws IOException {
        try (var told = new Told(directory, mlflow, progress)) {
            return run(training, directory, told, progress, stop);
        }
    }

    private static RunInfo run(Training training, Path directory, Told told, RunProgress progress, StopOnSignal stop)
            throws IOException {
        try {
            return training.run(new RunObserver() {
                @Override
                public List<TrainingListener> listeners(RunInfo info, Progress from) {
                    progress.begin(info, from);
                    List<TrainingListener> listeners =
                            new ArrayList<>(List.of(progress, new ReportWriter(directory, progress)));
                    told.by(info, from).ifPresent(listeners::add);
                    return listeners;
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

    /** What a run came to. */
    static void conclude(PrintWriter screen, Path directory, RunInfo info) {
        RunResult result = info.result();
        if (info.stoppedEarly() != null) {
            screen.println("Stopped early " + info.stoppedEarly());
        }
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

    /** The MLflow server that hears of the run, if one does: until the report is written, which it gets as well. */
    private static final class Told implements AutoCloseable {
        private final Path directory;
        private final Optional<MlflowSettings> settings;
        private final RunProgress progress;
        private Optional<MlflowTracking> tracking = Optional.empty();

        Told(Path directory, Optional<MlflowSettings> settings, RunProgress progress) {
            this.directory = directory;
            this.settings = settings;
            this.progress = progress;
        }

        Optional<MlflowTracking> by(RunInfo info, Progress from) {
            if (tracking.isPresent()) {
                tracking.get().goOn(info, from);
            } else if (settings.isPresent()) {
                try {
                    tracking = Optional.of(MlflowTracking.begin(
                            settings.get(), System.getenv(), directory, info, from, progress::say));
                } catch (IOException e) {
                    progress.say(e.getMessage());
                }
            }
            return tracking;
        }

        @Override
        public void close() {
            tracking.ifPresent(MlflowTracking::close);
        }
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
