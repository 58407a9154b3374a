package io.polder.cli;

import io.polder.config.Called;
import io.polder.config.Plugins;
import io.polder.models.Architecture;
import io.polder.models.LayerTree;
import io.polder.models.ModelCost;
import io.polder.recipe.ModelRecipe;
import io.polder.recipe.PluggedNetwork;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder models}: which networks there are, and what one of them is made of. */
@Command(
        name = "models",
        description = {"Lists the networks by name, or prints the layers of one.", ""},
        mixinStandardHelpOptions = true)
final class ModelsCommand implements Callable<Integer> {
    private static final int CHANNELS = 3;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "The network to print.")
    private String name;

    @Option(names = "--classes", paramLabel = "N", description = "Its classes; default those of its usual data set.")
    private Integer classes;

    @Option(names = "--image", paramLabel = "N", description = "The side of its images; default the usual one.")
    private Integer image;

    @Option(names = "--json", description = "Print one JSON object, for programs.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        PrintWriter screen = spec.commandLine().getOut();
        if (name == null) {
            list(screen);
        } else {
            Main.typed(spec, () -> {
                print(ModelRecipe.named(name).architecture(), screen);
                return null;
            });
        }
        screen.flush();
        return 0;
    }

    /** What is known of a network without building it. */
    private record Entry(String name, int image, int classes, long parameters, long multiplyAdds) {
        Map<String, Object> fields() {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("name", name);
            fields.put("parameters", parameters);
            fields.put("multiplyAdds", multiplyAdds);
            fields.put("image", image);
            fields.put("classes", classes);
            return fields;
        }
    }

    /** From a file that a test holds to the truth: building them all would take half a minute. */
    private static List<Entry> entries() throws IOException {
        try (var file = new BufferedReader(
                new InputStreamReader(ModelsCommand.class.getResourceAsStream("models.csv"), StandardCharsets.UTF_8))) {
            return file.lines()
                    .skip(1)
                    .map(line -> line.split(","))
                    .map(row -> new Entry(
                            row[0],
                            Integer.parseInt(row[1]),
                            Integer.parseInt(row[2]),
                            Long.parseLong(row[3]),
                            Long.parseLong(row[4])))
                    .toList();
        }
    }

    private void list(PrintWriter screen) throws IOException {
        if (json) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("models", entries().stream().map(Entry::fields).toList());
            all.put("plugins", Json.plugins(PluggedNetwork.class));
            screen.print(Json.document(all));
            return;
        }
        screen.printf("%-31s %12s %15s %8s %8s%n", "Name", "Parameters", "Multiply-adds", "Image", "Classes");
        for (Entry entry : entries()) {
            screen.printf(
                    Locale.ROOT,
                    "%-31s %,12d %15s %8s %8s%n",
                    entry.name(),
                    entry.parameters(),
                    millions(entry.multiplyAdds()),
                    entry.image() + "×" + entry.image(),
                    entry.classes());
        }
        for (Called plugin : Plugins.called(PluggedNetwork.class)) {
            screen.printf("%-31s %s%n", plugin.value(), plugin.about());
        }
    }

    private void print(Architecture architecture, PrintWriter screen) {
        int side = image == null ? architecture.image() : image;
        int outputs = classes == null ? architecture.classes() : classes;
        try (var scope = Scope.open()) {
            var network = architecture.build(side, outputs, new RandomStreams(0));
            ModelCost cost = ModelCost.of(network, CHANNELS, side);
            if (json) {
                var entry = new Entry(architecture.name(), side, outputs, cost.parameters(), cost.multiplyAdds());
                Map<String, Object> fields = entry.fields();
                fields.put("shapes", LayerTree.shapes(network));
                screen.print(Json.document(fields));
                return;
            }
            LayerTree.lines(network).forEach(screen::println);
            screen.printf(
                    Locale.ROOT,
                    "%n%s: %,d parameters, %s multiply-adds for an image of %d×%d, %d classes%n",
                    architecture.name(),
                    cost.parameters(),
                    millions(cost.multiplyAdds()),
                    side,
                    side,
                    outputs);
        }
    }

    private static String millions(long count) {
        return String.format(Locale.ROOT, "%,.1f M", count / 1e6);
    }
}
