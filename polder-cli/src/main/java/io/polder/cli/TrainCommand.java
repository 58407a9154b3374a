package io.polder.cli;

import io.polder.distributed.Rendezvous;
import io.polder.mlflow.MlflowSettings;
import io.polder.recipe.Recipe;
import io.polder.run.RunDirectory;
import io.polder.run.TrainingRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code polder train}: a recipe, trained in a directory that records it. */
@Command(
        name = "train",
        description = {
            "Trains a recipe: a built-in one by its name, as polder recipes lists them, or a YAML file.",
            "",
            "The run is recorded in a directory: weights, figures, a report. Ctrl-C saves it and stops;"
                    + " polder resume goes on, bit for bit.",
            ""
        },
        mixinStandardHelpOptions = true)
final class TrainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private TypedRecipe recipe;

    @Option(names = "--out", paramLabel = "DIR", description = "The directory of the run; default runs/NAME-DATE-TIME.")
    private Path out;

    @Option(
            names = "--init",
            paramLabel = "FILE",
            description = "First weights from a safetensors file; the same as -s model.init=FILE.")
    private Path init;

    @Option(
            names = "--reset-head",
            description = "With --init: leave out the last layer, to fine-tune to other classes.")
    private boolean resetHead;

    @Option(
            names = "--fine-tune",
            paramLabel = "FILE",
            description = "Go on from weights that were trained on other classes, such as torchvision's:"
                    + " the same as --init FILE --reset-head.")
    private Path fineTune;

    @Mixin
    private Shorthands shorthands;

    @Mixin
    private RunMixin options;

    @Mixin
    private DeviceOption device;

    @Mixin
    private WorkersMixin workers;

    @Mixin
    private MlflowMixin mlflow;

    @Override
    public Integer call() throws IOException {
        Optional<Rendezvous> rendezvous = workers.rendezvous();
        Recipe read = recipe(rendezvous.map(Rendezvous::size).orElse(workers.count()));
        Path directory = out == null ? directoryFor(read.name()) : out;
        if (workers.areRemote()) {
            mlflow.requireNone("--executor");
            new RunDirectory(directory).requireNoRun(read);
            return workers.trainRemotely(
                    options, device, Optional.of(read), directory, OptionalInt.of(read.replicas()));
        }
        options.requireDataHere();
        Optional<MlflowSettings> server = mlflow.settings();
        int processors = Runtime.getRuntime().availableProcessors();
        if (workers.count() > 1) {
            return new LocalWorkers(spec.commandLine(), workers.count(), options.threads(processors))
                    .run(workers.restarts(), () -> argumentsOfWorkers(directory));
        }
        var settings = options.settings(processors, device.device(), rendezvous);
        if (rendezvous.isPresent() && rendezvous.get().rank() > 0) {
            return RunSession.follow(spec.commandLine(), Optional.of(read), settings);
        }
        return RunSession.run(
                spec.commandLine(),
                directory,
                options.json(),
                server,
                observer -> TrainingRun.start(read, directory, settings, observer));
    }

    /** Once there is something to go on from, workers go on. */
    private List<String> argumentsOfWorkers(Path directory) {
        if (!new RunDirectory(directory).holdsARun()) {
            List<String> arguments = workers.argumentsOfWorkers();
            if (out == null) {
                arguments.addAll(List.of("--out", directory.toString()));
            }
            return arguments;
        }
        List<String> arguments = new ArrayList<>(List.of("resume", directory.toString()));
        arguments.addAll(options.arguments());
        arguments.addAll(device.arguments());
        arguments.addAll(workers.arguments());
        arguments.addAll(mlflow.arguments());
        arguments.addAll(((Main) spec.root().userObject()).arguments());
        return arguments;
    }

    /** A recipe that has no replicas of its own has one for each worker. */
    private Recipe recipe(int workers) throws IOException {
        Recipe read = recipe(List.of());
        return workers == 1 || read.replicas() > 1 ? read : recipe(List.of("replicas=" + workers));
    }

    private Recipe recipe(List<String> last) throws IOException {
        List<String> set = new ArrayList<>(last);
        if (init != null) {
            set.add("model.init=" + init);
        }
        if (fineTune != null) {
            set.add("model.init=" + fineTune);
        }
        if (resetHead || fineTune != null) {
            set.add("model.resetHead=true");
        }
        set.addAll(shorthands.overrides());
        return recipe.read(set);
    }

    static Path directoryFor(String name) {
        String time = LocalDateTime.now().format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
        return Path.of("runs", name + "-" + time);
    }
}
