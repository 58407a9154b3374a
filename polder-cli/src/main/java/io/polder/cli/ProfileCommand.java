package io.polder.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.files.OutputDirectory;
import io.polder.recipe.Recipe;
import io.polder.run.StepProfile;
import io.polder.study.StepProfileFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code polder profile}: where the time of a recipe goes. */
@Command(
        name = "profile",
        description = {
            "Trains a recipe for some steps and says where their time goes, and that of an epoch: loader, forward, backward,"
                    + " flat operations, evaluation.",
            "",
            "Ctrl-C ends it with what was timed. Writes profile.csv, profile.svg and profile.png.",
            ""
        },
        mixinStandardHelpOptions = true)
final class ProfileCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private TypedRecipe recipe;

    @Option(names = "--out", paramLabel = "DIR", description = "Where its files go; default profile/NAME.")
    private Path out;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "Steps before those that are timed; default ${DEFAULT-VALUE}.")
    private int warmUp = 5;

    @Option(names = "--steps", paramLabel = "N", description = "Steps that are timed; default ${DEFAULT-VALUE}.")
    private int steps = 20;

    @Mixin
    private RunMixin options;

    @Mixin
    private DeviceOption device;

    @Override
    public Integer call() throws IOException {
        if (warmUp < 0 || warmUp > 1_000_000 || steps < 1 || steps > 1_000_000) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--warm-up is " + warmUp + " and --steps " + steps + ": they must be 0 and 1 to 1000000");
        }
        Recipe read = recipe.read(List.of());
        var settings = options.settings(Runtime.getRuntime().availableProcessors(), device.device(), Optional.empty());
        Path directory = out == null ? Path.of("profile", read.name()) : out;
        try (var stop = StopOnSignal.noticing();
                var made = OutputDirectory.prepare(directory)) {
            StepProfile found = StepProfile.measure(read, settings, warmUp, steps, stop::isRequested, done -> {});
            var files = new StepProfileFiles(read.name(), found);
            files.write(directory);
            made.keep();
            PrintWriter screen = spec.commandLine().getOut();
            if (options.json()) {
                screen.println(new ObjectMapper().writeValueAsString(files.fields()));
            } else {
                screen.print(files.text());
                screen.println("Figure: " + directory.resolve("profile.svg"));
            }
            screen.flush();
        }
        return 0;
    }
}
