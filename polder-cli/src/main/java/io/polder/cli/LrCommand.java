package io.polder.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.files.OutputDirectory;
import io.polder.recipe.Recipe;
import io.polder.run.RateRange;
import io.polder.study.RateRangeFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code polder lr}: which learning rate a recipe might begin with. */
@Command(
        name = "lr",
        description = {
            "Trains a recipe for some steps at a growing learning rate, and suggests one to begin with.",
            "",
            "The suggestion is a tenth of the rate at which the smoothed loss was lowest. It ends when the loss"
                    + " diverges; Ctrl-C ends it with what was measured. Writes lr.csv, lr.svg and lr.png.",
            ""
        },
        mixinStandardHelpOptions = true)
final class LrCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private TypedRecipe recipe;

    @Option(names = "--out", paramLabel = "DIR", description = "Where its files go; default lr/NAME.")
    private Path out;

    @Option(names = "--from", paramLabel = "X", description = "The first rate; default ${DEFAULT-VALUE}.")
    private double from = 1e-5;

    @Option(names = "--to", paramLabel = "X", description = "The last rate; default ${DEFAULT-VALUE}.")
    private double to = 10;

    @Option(names = "--steps", paramLabel = "N", description = "How many steps; default ${DEFAULT-VALUE}.")
    private int steps = 100;

    @Mixin
    private RunMixin options;

    @Mixin
    private DeviceOption device;

    @Override
    public Integer call() throws IOException {
        var range = Main.typed(spec, () -> new RateRange.Range(from, to, steps));
        Recipe read = recipe.read(List.of());
        var settings = options.settings(Runtime.getRuntime().availableProcessors(), device.device(), Optional.empty());
        Path directory = out == null ? Path.of("lr", read.name()) : out;
        RateRangeFiles files;
        try (var stop = StopOnSignal.noticing();
                var made = OutputDirectory.prepare(directory)) {
            RateRange found = RateRange.measure(read, settings, range, stop::isRequested, this::show);
            files = new RateRangeFiles(read.name(), read.learningRate().base(), found);
            files.write(directory);
            made.keep();
            tell(files, directory);
        }
        return 0;
    }

    /** Ten lines, however many the steps. */
    private void show(RateRange.Point point) {
        int every = Math.max(1, steps / 10);
        if (!options.json() && (point.step() + 1) % every == 0) {
            PrintWriter screen = spec.commandLine().getErr();
            screen.printf(
                    Locale.ROOT,
                    "step %d/%d  lr %.3g  loss %.4f  smoothed %.4f%n",
                    point.step() + 1,
                    steps,
                    point.learningRate(),
                    point.loss(),
                    point.smoothed());
            screen.flush();
        }
    }

    private void tell(RateRangeFiles files, Path directory) throws IOException {
        PrintWriter screen = spec.commandLine().getOut();
        if (options.json()) {
            screen.println(new ObjectMapper().writeValueAsString(files.fields()));
        } else {
            screen.print(files.text());
            screen.println("Figure: " + directory.resolve("lr.svg"));
        }
        screen.flush();
    }
}
