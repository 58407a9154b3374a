package io.polder.cli;

import io.polder.run.RunDirectory;
import io.polder.run.TrainingRun;
import java.io.IOException;
import java.nio.file.Path;
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

    @Override
    public Integer call() throws IOException {
        var info = new RunDirectory(run).info();
        var settings = options.settings(
                info.platform().threads(), device.device(info.platform().device())); // others might round otherwise
        return RunSession.run(
                spec.commandLine(), run, options.json(), observer -> TrainingRun.resume(run, settings, observer));
    }
}
