package io.polder.cli;

import io.polder.data.Datasets;
import io.polder.data.Idx;
import io.polder.data.OpenOptions;
import io.polder.data.Pipeline;
import io.polder.files.Machine;
import io.polder.files.OutputDirectory;
import io.polder.study.Comparison;
import io.polder.study.ComparisonRun;
import io.polder.study.ComparisonSettings;
import io.polder.study.HtmlReport;
import io.polder.study.ResultsJson;
import io.polder.study.ResultsTable;
import io.polder.study.TrialRecord;
import io.polder.study.Verdict;
import io.polder.tensor.Engine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code polder compare}: from nothing to a table and a report in three minutes. */
@Command(
        name = "compare",
        description = {
            "Trains a small network by standard training, SAM and gradient-norm penalty, over several seeds,"
                    + " and reports what each came to.",
            "",
            "Without --data it trains on 2,000 images of Fashion-MNIST that come with Polder and tests on 10,000."
                    + " Two cores take about three minutes.",
            ""
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true)
final class CompareCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds; default ${DEFAULT-VALUE}.")
    private int seeds = ComparisonSettings.DEFAULT.seeds();

    @Option(names = "--epochs", paramLabel = "N", description = "Epochs of each training; default ${DEFAULT-VALUE}.")
    private int epochs = ComparisonSettings.DEFAULT.epochs();

    @Option(
            names = "--r",
            paramLabel = "R",
            description = "The penalty's radius: how far away its second gradient is taken; default ${DEFAULT-VALUE}.")
    private double r = ComparisonSettings.DEFAULT.r();

    @Option(
            names = "--alpha",
            paramLabel = "A",
            description = "The penalty's share of the second gradient: 0 is standard training, 1 is SAM;"
                    + " default ${DEFAULT-VALUE}.")
    private double alpha = ComparisonSettings.DEFAULT.alpha();

    @Option(names = "--sam-r", paramLabel = "R", description = "SAM's radius; default ${DEFAULT-VALUE}.")
    private double samR = ComparisonSettings.DEFAULT.samR();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "A directory with the four IDX files of MNIST or of a set like it, gzipped or plain:"
                    + " train-images-idx3-ubyte, train-labels-idx1-ubyte, and both with t10k.")
    private Path data;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where report.html and results.json go; default ${DEFAULT-VALUE}.")
    private Path out = Path.of("polder-compare");

    @Override
    public Integer call() throws IOException {
        ComparisonSettings settings = settings();
        // In this order: after a signal the process must not end before the directory was tidied up.
        try (var stop = StopOnSignal.interrupting();
                var directory = OutputDirectory.prepare(out)) {
            Comparison comparison = train(run(settings));
            try {
                ResultsJson.write(comparison, out.resolve("results.json"));
                HtmlReport.write(comparison, out.resolve("report.html"));
                directory.keep();
            } finally {
                print(comparison); // whatever became of the files: nobody wants to train again for the table
            }
            screen().println();
            screen().println("Report: " + out.resolve("report.html"));
            screen().flush();
            return 0;
        }
    }

    private ComparisonRun run(ComparisonSettings settings) throws IOException {
        if (data != null) {
            return new ComparisonRun(settings, Idx.read(data, "train"), Idx.read(data, "t10k"));
        }
        try (var images = Datasets.named("fashion-mnist-2000").open(Optional.empty(), OpenOptions.DEFAULT)) {
            var asTheyAre = Pipeline.named("none", images.natural()).training();
            return new ComparisonRun(
                    settings, images.train().framed(asTheyAre), images.test().framed(asTheyAre));
        }
    }

    private Comparison train(ComparisonRun run) throws IOException {
        Instant started = Instant.now();
        List<TrialRecord> trials;
        try (var progress = TrialProgress.on(spec.commandLine().getErr())) {
            trials = run.run(progress);
        }
        return new Comparison(
                "Three ways to train on " + (data == null ? "Fashion-MNIST" : data.getFileName()),
                Main.commandLine(spec),
                Main.Version.number(),
                started,
                Duration.between(started, Instant.now()).toMillis() / 1000.0,
                run.methods(),
                trials,
                run.description(),
                environment(run.sideBySide()));
    }

    private void print(Comparison comparison) {
        PrintWriter screen = screen();
        screen.println();
        screen.print(ResultsTable.text(comparison));
        screen.println();
        screen.println(Terminal.wrapped(Verdict.of(comparison)));
        screen.flush();
    }

    private PrintWriter screen() {
        return spec.commandLine().getOut();
    }

    private ComparisonSettings settings() {
        try {
            return new ComparisonSettings(seeds, epochs, r, alpha, samR);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static Map<String, String> environment(int sideBySide) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("Engine", "libtorch " + Engine.version());
        facts.put("Threads", Engine.threads() + " a trial, " + sideBySide + " trials side by side");
        facts.put(
                "Processor",
                new Machine().processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores");
        facts.put("Java", System.getProperty("java.vm.name") + " " + Runtime.version());
        facts.put(
                "System",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                        + System.getProperty("os.arch"));
        return facts;
    }
}
