package io.polder.cli;

import io.polder.files.WholeFile;
import io.polder.penalty.GradientScheme;
import io.polder.study.results.StudyText;
import io.polder.study.search.Studies;
import io.polder.study.search.Study;
import io.polder.study.search.StudyFile;
import io.polder.study.search.StudyMethod;
import io.polder.study.search.TrainingMethod;
import io.polder.study.trial.LocalExecutor;
import io.polder.study.trial.TrialCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code polder compare}: from nothing to a table and a report in three minutes, by a built-in study with a few options of its own. */
@Command(
        name = "compare",
        description = {
            "Trains a small network by standard training, SAM and gradient-norm penalty, over several seeds,"
                    + " and reports what each came to.",
            "",
            "Without --data it trains on 2,000 images of Fashion-MNIST that come with Polder and tests on 10,000."
                    + " Two cores take about three minutes. It can be stopped, or killed, at any moment: the same command goes on.",
            ""
        },
        mixinStandardHelpOptions = true)
final class CompareCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    // The defaults are those of the study, which a test holds: to read it for each --help would take too long.

    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds; default ${DEFAULT-VALUE}.")
    private int seeds = 3;

    @Option(names = "--epochs", paramLabel = "N", description = "Epochs of each training; default ${DEFAULT-VALUE}.")
    private int epochs = 25;

    @Option(
            names = "--r",
            paramLabel = "R",
            description = "The penalty's radius: how far away its second gradient is taken; default ${DEFAULT-VALUE}.")
    private double r = 0.4;

    @Option(
            names = "--alpha",
            paramLabel = "A",
            description = "The penalty's share of the second gradient: 0 is standard training, 1 is SAM;"
                    + " default ${DEFAULT-VALUE}.")
    private double alpha = 0.6;

    @Option(names = "--sam-r", paramLabel = "R", description = "SAM's radius; default ${DEFAULT-VALUE}.")
    private double samR = 0.2;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "A directory with the four IDX files of MNIST or of a set like it, gzipped or plain:"
                    + " train-images-idx3-ubyte, train-labels-idx1-ubyte, and both with t10k.")
    private Path data;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where report.html, results.json and the trials go; default ${DEFAULT-VALUE}.")
    private Path out = Path.of("polder-compare");

    @Option(names = "--json", description = "Print one JSON object a line, for programs.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        return new StudySession(spec, study(), out, out, Optional.ofNullable(data), "cpu", json)
                .run(
                        CompareCommand::executor,
                        result -> WholeFile.write(out.resolve("results.json"), StudyText.json(result)));
    }

    /** With one thread a trial, whatever the machine: another number would end with other digits. */
    private static LocalExecutor executor() {
        return new LocalExecutor(
                TrialCommand.likeThisProcess(), Runtime.getRuntime().availableProcessors(), 1);
    }

    Study study() {
        requirePositive("seeds", seeds);
        requirePositive("epochs", epochs);
        requireScheme("SAM", samR, 1);
        requireScheme("the penalty", r, alpha);
        Study study = Studies.read("compare");
        List<String> overrides = new ArrayList<>(List.of("epochs=" + epochs, "scheme.r=" + r, "scheme.alpha=" + alpha));
        String title = study.title();
        if (data != null) {
            overrides.addAll(List.of("data.name=idx", "model.classes=null"));
            title = "Three ways to train on "
                    + data.toAbsolutePath().normalize().getFileName();
        }
        Map<String, String> ofSam = Map.of("scheme.r", Double.toString(samR));
        List<StudyMethod> methods = study.methods().stream()
                .map(each -> each.method() == TrainingMethod.SAM
                        ? new StudyMethod(TrainingMethod.SAM, "", ofSam, Map.of())
                        : each)
                .toList();
        return StudyFile.with(
                new Study(study.name(), title, study.variants(), methods, study.search(), seeds, study.retries()),
                overrides);
    }

    private void requirePositive(String name, int value) {
        if (value < 1) {
            throw new ParameterException(spec.commandLine(), name + " is " + value + ": it must be at least 1");
        }
    }

    private void requireScheme(String name, double r, double alpha) {
        try {
            GradientScheme.gradientNormPenalty(r, alpha);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), name + "'s " + e.getMessage(), e);
        }
    }
}
