package io.polder.cli;

import io.polder.files.WholeFile;
import io.polder.recipe.EvaluateOn;
import io.polder.run.Examination;
import io.polder.run.RunDirectory;
import io.polder.run.TrainedNetwork;
import io.polder.study.RunReport;
import io.polder.study.sharpness.LandscapeFiles;
import io.polder.tensor.Engine;
import io.polder.text.Wrapped;
import io.polder.train.Evaluation;
import io.polder.train.Figure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder evaluate}: how a trained network does on images it was not trained on. */
@Command(
        name = "evaluate",
        description = {
            "Evaluates the network of a run on the test or validation images: how many it gets wrong, of which classes,"
                    + " what it takes them for, and whether it is as sure as it should be.",
            "",
            "The run's report.html shows it, with the pictures that were most confidently taken for a wrong class.",
            ""
        },
        mixinStandardHelpOptions = true)
final class EvaluateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "RUN", description = "The directory of the run.")
    private Path run;

    @Option(
            names = "--data",
            paramLabel = "PATH",
            description = "Where the images are; default: where they were in training.")
    private Path data;

    @Option(
            names = "--on",
            paramLabel = "SPLIT",
            description = "test or validation; default: what the run was evaluated on.")
    private EvaluateOn on;

    @Option(names = "--checkpoint", paramLabel = "WHICH", description = "best or newest; default best.")
    private RunDirectory.Which which = RunDirectory.Which.BEST;

    @Option(names = "--threads", paramLabel = "N", description = "Threads of the engine; default: the number of cores.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--wrong",
            paramLabel = "FILE.png",
            description = "Draw the pictures that were most confidently taken for a wrong class into this file.")
    private Path wrong;

    @Option(names = "--json", description = "Print one JSON object, for programs.")
    private boolean json;

    @Mixin
    private DeviceOption device;

    @Override
    public Integer call() throws IOException {
        if (threads < 1) {
            throw new ParameterException(spec.commandLine(), "threads is " + threads + ": it must be at least 1");
        }
        RunMixin.explainThreads(spec, threads);
        Engine.setThreads(threads);
        PrintWriter screen = spec.commandLine().getOut();
        try (var network = TrainedNetwork.open(run, which, device.device(), this::warn)) {
            Examination found = network.examine(Optional.ofNullable(data), Optional.ofNullable(on), WrongSheet.MOST);
            String split = on == null ? network.info().images().evaluatedOn() : on.text();
            if (json) {
                screen.print(Json.line(object(network, found, split)));
            } else {
                print(network, found, split);
            }
            if (wrong != null) {
                draw(found);
            }
            screen.flush();
            report(network, found, split);
            return 0;
        }
    }

    /** A run that cannot be written to, another user's say, was evaluated all the same. */
    private void report(TrainedNetwork network, Examination found, String split) {
        if (found.predictions().isEmpty()) {
            return;
        }
        try {
            WholeFile.write(run.resolve("examination.json"), Json.line(object(network, found, split)));
            Path sheet = run.resolve("wrong.png");
            if (found.wrong().isEmpty()) {
                Files.deleteIfExists(sheet);
            } else {
                WholeFile.write(sheet, draft -> Files.write(draft, new WrongSheet(found).png()));
            }
            RunReport.write(run, LandscapeFiles.section(run.resolve("sharpness")));
            notes().println("Report: " + new RunDirectory(run).reportFile());
            notes().flush();
        } catch (IOException e) {
            warn("the report is as it was: " + Main.sentence(e));
        }
    }

    private PrintWriter notes() {
        return json ? spec.commandLine().getErr() : spec.commandLine().getOut();
    }

    private Map<String, Object> object(TrainedNetwork network, Examination found, String split) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("split", split);
        fields.put("checkpoint", which.name().toLowerCase(Locale.ROOT));
        fields.put("step", network.step());
        fields.put("images", found.evaluation().examples());
        network.info()
                .figures()
                .evaluation()
                .forEach(figure -> fields.put(figure.name(), found.evaluation().figure(figure)));
        found.predictions()
                .ifPresent(predictions ->
                        fields.putAll(new ErrorsByClass(network.info().images().classNames(), predictions).fields()));
        return fields;
    }

    private void print(TrainedNetwork network, Examination found, String split) {
        PrintWriter screen = spec.commandLine().getOut();
        Evaluation evaluation = found.evaluation();
        screen.print(Wrapped.text(String.format(
                Locale.ROOT,
                "%s %s, loss %.4f, on %,d images, after %,d steps of training",
                split,
                network.info().figures().text(evaluation::figure),
                evaluation.figure(Figure.loss()),
                evaluation.examples(),
                network.step())));
        found.predictions()
                .ifPresent(predictions ->
                        screen.print(new ErrorsByClass(network.info().images().classNames(), predictions).text()));
    }

    private void draw(Examination found) throws IOException {
        if (found.predictions().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--wrong is for images of one class each: leave it out for this run");
        }
        if (found.wrong().isEmpty()) {
            notes().println("No picture was taken for a wrong class: there is nothing to draw.");
            return;
        }
        WholeFile.write(wrong, draft -> Files.write(draft, new WrongSheet(found).png()));
        notes().println("The most confidently wrong: " + wrong);
    }

    private void warn(String sentence) {
        spec.commandLine().getErr().println("polder: " + sentence);
    }
}
