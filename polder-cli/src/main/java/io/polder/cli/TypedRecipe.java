package io.polder.cli;

import io.polder.config.ConfigException;
import io.polder.models.Architectures;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.recipe.Recipes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A recipe as it is typed: the name of a built-in one or a file, and fields that are overridden. */
final class TypedRecipe {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Parameters(paramLabel = "RECIPE", description = "A recipe's name, or a file.")
    private String nameOrFile;

    @Option(
            names = {"-s", "--set"},
            paramLabel = "PATH=VALUE",
            description = "Override a field of the recipe, such as -s seed=3; may be repeated.")
    private List<String> overrides = new ArrayList<>();

    /** @param more fields that are overridden, after those that were typed so */
    Recipe read(List<String> more) throws IOException {
        List<String> all = new ArrayList<>(overrides);
        all.addAll(more);
        return read(spec, nameOrFile, all);
    }

    static Recipe read(CommandSpec spec, String nameOrFile, List<String> overrides) throws IOException {
        if (!Recipes.has(nameOrFile) && Files.exists(Path.of(nameOrFile))) {
            return RecipeReader.read(Path.of(nameOrFile), overrides, Architectures::named);
        }
        String text = Main.typed(spec, () -> Recipes.text(nameOrFile));
        try {
            return RecipeReader.read(text, nameOrFile, overrides, Architectures::named);
        } catch (ConfigException e) {
            throw new ConfigException(e.mistakes().stream()
                    .map(mistake -> citing(text, nameOrFile, overrides, mistake))
                    .toList());
        }
    }

    /** There is nothing wrong with a built-in recipe, and nobody has its lines before him: what is wrong is what was overridden. */
    private static String citing(String text, String name, List<String> overrides, String mistake) {
        Matcher ofLine = Pattern.compile(Pattern.quote(name) + ":\\d+: (.*)").matcher(mistake);
        if (!ofLine.matches()) {
            return mistake;
        }
        List<String> alone =
                overrides.stream().filter(each -> isMistaken(text, name, each)).toList();
        return "-s " + String.join(" -s ", alone.isEmpty() ? overrides : alone) + ": " + ofLine.group(1);
    }

    private static boolean isMistaken(String text, String name, String override) {
        try {
            RecipeReader.read(text, name, List.of(override), Architectures::named);
            return false;
        } catch (ConfigException e) {
            return true;
        }
    }
}
