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
import io.polder.text.Wrapped;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code polder datasets}: which data sets are known and where they are looked for. */
@Command(
        name = "datasets",
        description = {
            "Lists the data sets that are known, what each expects and where it is looked for."
                    + " Nothing is downloaded unless datasets fetch is told to.",
            ""
        },
        mixinStandardHelpOptions = true,
        subcommands = {DatasetsCheckCommand.class, DatasetsFetchCommand.class})
final class DatasetsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object, for programs.")
    private boolean json;

    @Override
    public Integer call() {
        PrintWriter screen = spec.commandLine().getOut();
        if (json) {
            screen.print(Json.document(fields()));
            screen.flush();
            return 0;
        }
        for (KnownDataset known : Datasets.all()) {
            title(screen, known.name(), known.title());
            describe(known, screen);
        }
        for (Called plugin : Plugins.called(PluggedDataset.class)) {
            title(screen, plugin.value(), plugin.about());
            try {
                describe(DataRecipe.named(plugin.value(), "none").dataset(), screen);
            } catch (ConfigException e) {
                screen.println(); // it has fields that only a recipe can fill in
            }
        }
        screen.println("What can be done to images (--augment, and the augment of a recipe):");
        for (String name : Pipeline.names()) {
            line(screen, name, Pipeline.description(name));
        }
        for (Called plugin : Plugins.called(PluggedAugmentation.class)) {
            line(screen, plugin.value(), plugin.about());
        }
        screen.println();
        screen.println("POLDER_DATA names the directory that is looked in; without it that is \"data\".");
        screen.flush();
        return 0;
    }

    private static Map<String, Object> fields() {
        List<Map<String, Object>> datasets = new ArrayList<>();
        Datasets.all().forEach(known -> datasets.add(fields(known)));
        for (Called plugin : Plugins.called(PluggedDataset.class)) {
            Map<String, Object> fields = Json.named(plugin.value(), plugin.about());
            try {
                fields.putAll(fields(DataRecipe.named(plugin.value(), "none").dataset()));
            } catch (ConfigException e) {
                // it has fields that only a recipe can fill in
            }
            datasets.add(fields);
        }
        List<Map<String, Object>> augmentations = new ArrayList<>();
        Pipeline.names().forEach(name -> augmentations.add(Json.named(name, Pipeline.description(name))));
        augmentations.addAll(Json.plugins(PluggedAugmentation.class));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("datasets", datasets);
        all.put("augmentations", augmentations);
        return all;
    }

    private static Map<String, Object> fields(KnownDataset known) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", known.name());
        fields.put("title", known.title());
        fields.put("training", known.training() == 0 ? null : known.training());
        fields.put("test", known.test() == 0 ? null : known.test());
        fields.put("expects", known.expects());
        fields.put("md5", known.md5());
        fields.put("bundled", known.isBundled());
        fields.put("places", known.places().stream().map(Path::toString).toList());
        fields.put("found", found(known).map(Path::toString).orElse(null));
        return fields;
    }

    private static Optional<Path> found(KnownDataset known) {
        return known.places().stream().filter(Files::exists).findFirst();
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
            line(screen, "found", found(known).map(Path::toString).orElse("nothing"));
        }
        screen.println();
    }

    private static void title(PrintWriter screen, String name, String title) {
        screen.print(Wrapped.text(String.format("%-20s %s", name, title), Wrapped.COLUMNS, " ".repeat(21)));
    }

    private static void line(PrintWriter screen, String name, String value) {
        title(screen, "  " + name, value);
    }
}
