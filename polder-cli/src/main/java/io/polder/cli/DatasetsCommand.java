package io.polder.cli;

import io.polder.config.Called;
import io.polder.config.Plugins;
import io.polder.data.KnownDataset;
import io.polder.data.load.Pipeline;
import io.polder.data.source.Datasets;
import io.polder.recipe.PluggedAugmentation;
import io.polder.recipe.PluggedDataset;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
        versionProvider = Main.Version.class,
        subcommands = DatasetsCheckCommand.class,
        sortOptions = false,
        usageHelpAutoWidth = true)
final class DatasetsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter screen = spec.commandLine().getOut();
        for (KnownDataset known : Datasets.all()) {
            screen.printf("%-20s %s%n", known.name(), known.title());
            if (known.training() > 0) {
                line(
                        screen,
                        "images",
                        String.format(
                                Locale.ROOT, "%,d to train on, %,d to test with", known.training(), known.test()));
            }
            line(screen, "expects", known.expects());
            known.md5().forEach((file, sum) -> line(screen, "MD5", sum + "  " + file));
            if (!known.isBundled()) {
                line(
                        screen,
                        "looked for at",
                        known.places().stream().map(Path::toString).collect(Collectors.joining(", ")));
                line(
                        screen,
                        "found",
                        known.places().stream()
                                .filter(Files::exists)
                                .map(Path::toString)
                                .findFirst()
                                .orElse("nothing"));
            }
            screen.println();
        }
        for (Called plugin : Plugins.called(PluggedDataset.class)) {
            screen.printf("%-20s %s%n%n", plugin.value(), plugin.about());
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

    private static void line(PrintWriter screen, String name, String value) {
        screen.printf("  %-18s %s%n", name, value);
    }
}
