package io.polder.cli;

import io.polder.files.OutputDirectory;
import io.polder.study.results.Failures;
import io.polder.study.results.StudyJson;
import io.polder.study.results.StudyReport;
import io.polder.study.results.StudyResult;
import io.polder.study.results.StudyText;
import io.polder.study.search.Study;
import io.polder.study.search.StudyDirectory;
import io.polder.study.search.StudyRun;
import io.polder.study.search.StudyWatcher;
import io.polder.study.trial.TrialCommand;
import io.polder.study.trial.TrialExecutor;
import io.polder.study.trial.TrialOutcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Model.CommandSpec;

/**
 * One session of a study on the command line: its progress on the screen, its report, and what is said at its end.
 *
 * @param directory where the study is kept
 * @param store where its trials are
 * @param data where the images are; empty: where the recipes or the executor say, or bundled
 * @param device that trials compute on, as {@code --device} has it
 * @param json whether the screen is for programs: a line for each trial that has ended, and one for the study
 */
record StudySession(
        CommandSpec spec, Study study, Path directory, Path store, Optional<Path> data, String device, boolean json) {
    /** Opens what runs the trials. */
    interface Opener {
        TrialExecutor open() throws IOException;
    }

    /** What is left for others than who looks at the screen, besides the report. */
    interface Files {
        void write(StudyResult result) throws IOException;
    }

    /** @return the exit code */
    int run(Opener executor, Files files) throws IOException {
        System.setProperty(TrialCommand.VERSION, Main.Version.number());
        // In this order: after a signal the process must not end before the trials have, and before it has said so.
        try (var stop = StopOnSignal.interrupting()) {
            // Removed again if nothing comes to be in it.
            try (var made = OutputDirectory.prepare(directory);
                    var trials = executor.open()) {
                var home = StudyDirectory.create(directory, study, store, data.or(trials::data));
                home.cautions().forEach(errors()::println);
                StudyResult result = train(home, trials);
                try {
                    files.write(result);
                    StudyReport.write(result, report(), directory.resolve("figures"));
                } finally {
                    // Whatever became of the files; also where trials failed: it says where.
                    print(json ? line(result) : "\n" + StudyText.text(result));
                }
                if (!json) {
                    print("\nReport: " + report() + "\n");
                }
                return exitCode(result);
            } catch (CancellationException e) {
                errors().println("Stopped; the trials are saved. Go on with: " + Main.commandLine(spec));
                throw e;
            }
        }
    }

    private StudyResult train(StudyDirectory home, TrialExecutor trials) throws IOException {
        try (var progress = StudyProgress.on(errors(), home.store(), trials.describe())) {
            StudyWatcher watcher =
                    json ? new TrialLines(progress, spec.commandLine().getOut()) : progress;
            return new StudyRun(study, home.store(), trials, data, device, home.ids(), watcher).run();
        }
    }

    private String line(StudyResult result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", "study");
        fields.putAll(StudyJson.fields(result));
        fields.put("report", report().toString());
        return Json.line(fields);
    }

    private int exitCode(StudyResult result) {
        List<TrialOutcome> failures = Failures.of(result);
        if (failures.isEmpty()) {
            return 0;
        }
        errors().println("polder: " + failures.size() + " of " + result.wanted()
                + " trials failed, and the table is without them: " + Failures.reasons(failures)
                + "; the same command tries them again");
        return Main.FAILED;
    }

    private Path report() {
        return directory.resolve("report.html");
    }

    private void print(String text) {
        PrintWriter screen = spec.commandLine().getOut();
        screen.print(text);
        screen.flush();
    }

    private PrintWriter errors() {
        return spec.commandLine().getErr();
    }
}
