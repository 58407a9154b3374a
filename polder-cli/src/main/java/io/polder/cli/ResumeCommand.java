package io.polder.cli;

import io.polder.distributed.Rendezvous;
import io.polder.run.RunDirectory;
import io.polder.run.TrainingRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder resume}: goes on with a run. */
@Command(
        name = "resume",
        description = {
            "Goes on with a run from its newest checkpoint that is whole, to the same bits as if it had never stopped.",
            ""
        },
        mixinStandardHelpOptions = true)
final class ResumeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "RUN", description = "The directory of the run.")
    private Path run;

    @Mixin
    private RunMixin options;

    @Mixin
    private DeviceOption device;

    @Mixin
    private WorkersMixin workers;

    @Override
    public Integer call() throws IOException {
        Optional<Rendezvous> rendezvous = workers.rendezvous();
        var directory = new RunDirectory(run);
        if (rendezvous.isPresent() && rendezvous.get().rank() > 0) {
            // Which need not see the run.
            int threads = directory.holdsARun()
                    ? directory.info().platform().threads()
                    : Runtime.getRuntime().availableProcessors();
            return RunSession.follow(
                    spec.commandLine(), Optional.empty(), options.settings(threads, device.device(), rendezvous));
        }
        var info = directory.info();
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
        return RunSession.run(
                spec.commandLine(), run, options.json(), observer -> TrainingRun.resume(run, settings, observer));
    }
}
