package io.polder.cli;

import io.polder.distributed.Rendezvous;
import io.polder.run.RunDirectory;
import io.polder.run.TrainingRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder resume}: goes on with a run. */
@Command(
        name = "resume",
        description = {
            "Goes on with a run from its newest checkpoint that is whole, to the same bits as if it had never stopped.",
            "",
            "With --epochs it goes on for more of them than its recipe has, in a run of its own that says what it"
                    + " continues; the old one stays as it is.",
            ""
        },
        mixinStandardHelpOptions = true)
final class ResumeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "RUN", description = "The directory of the run.")
    private Path run;

    @Option(
            names = "--epochs",
            paramLabel = "N",
            description = "Go on to so many epochs, those that are done included, in a new run.")
    private Integer epochs;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "With --epochs: the directory of the new run; default runs/NAME-DATE-TIME.")
    private Path out;

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
        var directory = new RunDirectory(run);
        if (workers.areRemote()) {
            mlflow.requireNone("--executor");
            if (epochs != null || out != null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--epochs and --out go without --executor: make the new run first, then resume it there");
            }
            OptionalInt replicas = workers.haveAStore() && !directory.holdsARun()
                    ? OptionalInt.empty()
                    : OptionalInt.of(directory.recipe().replicas());
            return workers.trainRemotely(options, device, Optional.empty(), run, replicas);
        }
        options.requireDataHere();
        if (rendezvous.isPresent() && rendezvous.get().rank() > 0) {
            // Which need not see the run.
            int threads = directory.holdsARun()
                    ? directory.info().platform().threads()
                    : Runtime.getRuntime().availableProcessors();
            return RunSession.follow(
                    spec.commandLine(), Optional.empty(), options.settings(threads, device.device(), rendezvous));
        }
        var info = directory.info();
        if (epochs == null && out != null) {
            throw new ParameterException(
                    spec.commandLine(), "--out goes with --epochs: a run goes on in its own directory");
        }
        if (epochs != null && workers.count() > 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--epochs goes without --workers: make the new run first, then resume it with them");
        }
        var server = mlflow.settings(run);
        if (workers.count() > 1) {
            return new LocalWorkers(
                            spec.commandLine(),
                            workers.count(),
                            options.threads(info.platform().threads()))
                    .run(workers.restarts(), workers::argumentsOfWorkers);
        }
        var settings = options.settings(
                info.platform().threads(), // others might round otherwise
                device.device(info.platform().device()),
                rendezvous);
        if (epochs != null) {
            Path made = out == null ? TrainCommand.directoryFor(info.name()) : out;
            return RunSession.run(
                    spec.commandLine(),
                    made,
                    options.json(),
                    mlflow.settings(),
                    observer -> TrainingRun.extend(run, epochs, made, settings, observer));
        }
        return RunSession.run(
                spec.commandLine(),
                run,
                options.json(),
                server,
                observer -> TrainingRun.resume(run, settings, observer));
    }
}
