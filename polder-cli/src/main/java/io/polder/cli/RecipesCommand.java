package io.polder.cli;

import io.polder.config.Called;
import io.polder.config.Plugins;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private static final String ROW = "%-46s %6s  %s%n";

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "RECIPE",
            description = "The one to print: a built-in recipe's name, or a YAML file, which is checked.")
    private String name;

    @Option(
            names = "--resolved",
            description = "Print every field, defaults included, and the hash, as is always done with a file.")
    private boolean resolved;

    @Option(
            names = {"-s", "--set"},
            paramLabel = "PATH=VALUE",
            description = "Override a field, such as data.batch=128 or scheme=standard; implies --resolved.")
    private List<String> overrides = new ArrayList<>();

    @Option(names = "--schema", description = "Print the JSON Schema of recipes, for editors.")
    private boolean schema;

    @Option(names = "--json", description = "Print one JSON object, for programs.")
    private boolean json;

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
        if (json) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put(
                    "recipes",
                    Recipes.names().stream().map(RecipesCommand::fields).toList());
            all.put("schemes", Json.plugins(SchemeRecipe.class));
            all.put("optimizers", Json.plugins(OptimizerRecipe.class));
            screen.print(Json.document(all));
            return;
        }
        screen.printf(ROW, "Name", "Epochs", "Method");
        for (String each : Recipes.names()) {
            Recipe recipe = Recipes.read(each, List.of());
            screen.printf(ROW, each, recipe.epochs(), method(recipe.scheme()));
        }
        plugins("scheme", SchemeRecipe.class, screen);
        plugins("optimizer", OptimizerRecipe.class, screen);
    }

    private static Map<String, Object> fields(String name) {
        Recipe recipe = Recipes.read(name, List.of());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", name);
        fields.put("hash", recipe.hash());
        fields.put("model", recipe.model().name());
        fields.put("data", recipe.data().name());
        fields.put("augment", recipe.data().augment().name());
        fields.put("epochs", recipe.epochs());
        fields.put("steps", recipe.steps());
        fields.put("scheme", recipe.scheme().called());
        return fields;
    }

    private static void plugins(String field, Class<?> kind, PrintWriter screen) {
        for (Called plugin : Plugins.called(kind)) {
            screen.printf("%-46s %s%n", field + ": " + plugin.value(), plugin.about());
        }
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
        if (json) {
            Recipe recipe = TypedRecipe.read(spec, name, overrides);
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("hash", recipe.hash());
            fields.put("recipe", recipe.fields());
            screen.print(Json.document(fields));
        } else if (isFile || resolved || !overrides.isEmpty()) {
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
