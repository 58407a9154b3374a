package io.polder.cli;

import io.polder.config.Called;
import io.polder.config.Plugins;
import io.polder.recipe.DataRecipe;
import io.polder.recipe.OptimizerRecipe;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.recipe.Recipes;
import io.polder.recipe.ScheduledNumber;
import io.polder.recipe.SchemeRecipe;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder recipes}: which recipes there are, and what is in one of them. */
@Command(
        name = "recipes",
        description = {"Lists the built-in recipes, or prints one whole.", ""},
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "To start a recipe of your own: polder recipes wrn-28-10-cifar10 > my.yaml",
            "To check it:                   polder recipes my.yaml"
        })
final class RecipesCommand implements Callable<Integer> {
    private static final String ROW = "%-46s %-29s %-28s %6s  %s%n";

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "RECIPE",
            description = "The one to print: a built-in recipe's name, or a YAML file, which is checked.")
    private String name;

    @Option(names = "--resolved", description = "Print every field, defaults included, and the hash; a file always is.")
    private boolean resolved;

    @Option(
            names = {"-s", "--set"},
            paramLabel = "PATH=VALUE",
            description = "Override a field, such as data.batch=128 or scheme=standard; implies --resolved.")
    private List<String> overrides = new ArrayList<>();

    @Option(names = "--schema", description = "Print the JSON Schema of recipes, for editors.")
    private boolean schema;

    @Override
    public Integer call() throws IOException {
        PrintWriter screen = spec.commandLine().getOut();
        if (schema) {
            screen.print(RecipeReader.jsonSchema());
        } else if (name == null) {
            list(screen);
        } else {
            print(screen);
        }
        screen.flush();
        return 0;
    }

    private void list(PrintWriter screen) {
        if (resolved || !overrides.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "--resolved and -s need the name of a recipe");
        }
        screen.printf(ROW, "Name", "Model", "Data", "Epochs", "Method");
        for (String each : Recipes.names()) {
            Recipe recipe = Recipes.read(each, List.of());
            screen.printf(
                    ROW, each, recipe.model().name(), data(recipe.data()), recipe.epochs(), method(recipe.scheme()));
        }
        plugins("scheme", SchemeRecipe.class, screen);
        plugins("optimizer", OptimizerRecipe.class, screen);
    }

    private static void plugins(String field, Class<?> kind, PrintWriter screen) {
        for (Called plugin : Plugins.called(kind)) {
            screen.printf("%-46s %s%n", field + ": " + plugin.value(), plugin.about());
        }
    }

    private static String data(DataRecipe data) {
        return data.name() + " " + data.augment().name();
    }

    private static String method(SchemeRecipe scheme) {
        if (scheme instanceof SchemeRecipe.GradientNormPenalty penalty) {
            return "penalty, r " + number(penalty.r()) + ", α " + number(penalty.alpha());
        }
        return scheme instanceof SchemeRecipe.Sam sam ? "SAM, r " + number(sam.r()) : scheme.called();
    }

    private static String number(ScheduledNumber number) {
        return Double.toString(number.from());
    }

    private void print(PrintWriter screen) throws IOException {
        boolean isFile = !Recipes.has(name) && new File(name).isFile();
        if (isFile || resolved || !overrides.isEmpty()) {
            print(TypedRecipe.read(spec, name, overrides), screen);
        } else {
            screen.print(text());
        }
    }

    private static void print(Recipe recipe, PrintWriter screen) {
        screen.println("# hash " + recipe.hash());
        screen.print(recipe.toYaml());
    }

    private String text() {
        return Main.typed(spec, () -> Recipes.text(name));
    }
}
