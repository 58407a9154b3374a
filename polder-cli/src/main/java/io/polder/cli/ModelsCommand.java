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
import java.util.Locale;
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

    /** From a file that a test holds to the truth: building them all would take half a minute. */
    private static void list(PrintWriter screen) throws IOException {
        screen.printf("%-31s %12s %15s %8s %8s%n", "Name", "Parameters", "Multiply-adds", "Image", "Classes");
        try (var file = new BufferedReader(
                new InputStreamReader(ModelsCommand.class.getResourceAsStream("models.csv"), StandardCharsets.UTF_8))) {
            file.lines()
                    .skip(1)
                    .map(line -> line.split(","))
                    .forEach(row -> screen.printf(
                            Locale.ROOT,
                            "%-31s %,12d %15s %8s %8s%n",
                            row[0],
                            Long.parseLong(row[3]),
                            millions(Long.parseLong(row[4])),
                            row[1] + "×" + row[1],
                            row[2]));
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
            LayerTree.lines(network).forEach(screen::println);
            ModelCost cost = ModelCost.of(network, CHANNELS, side);
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
