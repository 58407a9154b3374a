package io.polder.cli;

import io.polder.config.Called;
import io.polder.config.ConfigException;
import io.polder.config.Plugins;
import io.polder.data.KnownDataset;
import io.polder.data.load.Pipeline;
import io.polder.data.source.Datasets;
import io.polder.recipe.DataRecipe;
import io.polder.recipe.PluggedAugmentation;
import io.polder.recipe.PluggedDataset;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code polder datasets}: which data sets are known and where they are looked for. */
@Command(
        name = "datasets",
        description = {
            "Lists the data sets that are known, what each expects and where it is looked for."
                    + " Nothing is ever downloaded.",
            ""
        },
        mixinStandardHelpOptions = true,
        subcommands = DatasetsCheckCommand.class)
final class DatasetsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter screen = spec.commandLine().getOut();
        for (KnownDataset known : Datasets.all()) {
            screen.printf("%-20s %s%n", known.name(), known.title());
            describe(known, screen);
        }
        for (Called plugin : Plugins.called(PluggedDataset.class)) {
            screen.printf("%-20s %s%n", plugin.value(), plugin.about());
            try {
                describe(DataRecipe.named(plugin.value(), "none").dataset(), screen);
            } catch (ConfigException e) {
                screen.println(); // it has fields that only a recipe can fill in
            }
        }
        screen.println("What can be done to images (--augment, and the augment of a recipe):");
        for (String name : Pipeline.names()) {
            screen.printf("  %-18s %s%n", name, Pipeline.description(name));
        }
        for (Called plugin : Plugins.called(PluggedAugmentation.class)) {
            screen.printf("  %-18s %s%n", plugin.value(), plugin.about());
        }
        screen.println();
        screen.println("POLDER_DATA names the directory that is looked in; without it that is \"data\" here.");
        screen.flush();
        return 0;
    }

    private static void describe(KnownDataset known, PrintWriter screen) {
        if (known.training() > 0) {
            line(
                    screen,
                    "images",
                    String.format(Locale.ROOT, "%,d to train on, %,d to test with", known.training(), known.test()));
        }
        line(screen, "expects", known.expects());
        known.md5().forEach((file, sum) -> line(screen, "MD5", sum + "  " + file));
        if (!known.isBundled()) {
            List<String> places = known.places().stream().map(Path::toString).toList();
            line(screen, "looked for at", String.join(", ", places));
            line(
                    screen,
                    "found",
                    places.stream()
                            .filter(place -> Files.exists(Path.of(place)))
                            .findFirst()
                            .orElse("nothing"));
        }
        screen.println();
    }

    private static void line(PrintWriter screen, String name, String value) {
        screen.printf("  %-18s %s%n", name, value);
    }
}
