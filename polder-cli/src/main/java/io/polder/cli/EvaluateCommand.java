package io.polder.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.recipe.EvaluateOn;
import io.polder.run.RunDirectory;
import io.polder.run.TrainedNetwork;
import io.polder.tensor.Engine;
import io.polder.train.Figure;
import io.polder.train.Figures;
import java.io.IOException;
import java.io.PrintWriter;
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
        description = {"Evaluates the network of a run on the test or validation images.", ""},
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

    @Option(names = "--checkpoint", paramLabel = "WHICH", description = "best or newest; default ${DEFAULT-VALUE}.")
    private RunDirectory.Which which = RunDirectory.Which.BEST;

    @Option(names = "--threads", paramLabel = "N", description = "Threads of the engine; default: the number of cores.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--json", description = "Print one JSON object, for programs.")
    private boolean json;

    @Mixin
    private DeviceOption device;

    @Override
    public Integer call() throws IOException {
        if (threads < 1) {
            throw new ParameterException(spec.commandLine(), "threads is " + threads + ": it must be at least 1");
        }
        Engine.setThreads(threads);
        PrintWriter screen = spec.commandLine().getOut();
        try (var network = TrainedNetwork.open(run, which, device.device(), this::warn)) {
            var evaluation = network.evaluate(Optional.ofNullable(data), Optional.ofNullable(on));
            Figures figures = network.info().figures();
            String split = on == null ? network.info().images().evaluatedOn() : on.text();
            if (json) {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("split", split);
                fields.put("step", network.step());
                fields.put("images", evaluation.examples());
                figures.evaluation().forEach(figure -> fields.put(figure.name(), evaluation.figure(figure)));
                screen.println(new ObjectMapper().writeValueAsString(fields));
            } else {
                screen.println(String.format(
                        Locale.ROOT,
                        "%s %s, loss %.4f, on %,d images, after %,d steps of training",
                        split,
                        figures.text(evaluation::figure),
                        evaluation.figure(Figure.loss()),
                        evaluation.examples(),
                        network.step()));
            }
            return 0;
        }
    }

    private void warn(String sentence) {
        spec.commandLine().getErr().println("polder: " + sentence);
    }
}
