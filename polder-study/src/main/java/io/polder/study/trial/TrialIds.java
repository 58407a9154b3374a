package io.polder.study.trial;

import io.polder.files.Sha256;
import io.polder.models.TorchScriptNetwork;
import io.polder.recipe.DataRecipe;
import io.polder.recipe.ModelRecipe;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.run.Contents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What names a trial: its recipe, and what is in its data and in the files that the recipe names, never where they are. Data that comes
 * with Polder is its name: of such recipes the hash says all.
 *
 * <p>Each data set and file is looked at once. What was found can be kept ({@link #found()}), so that a report needs no data.
 */
public final class TrialIds {
    private final Optional<Path> data;
    private final boolean mayLook;
    private final Map<String, String> found = new TreeMap<>();

    private TrialIds(Optional<Path> data, boolean mayLook, Map<String, String> found) {
        this.data = data;
        this.mayLook = mayLook;
        this.found.putAll(found);
    }

    /** @param data where the images are; empty: where the recipes say */
    public static TrialIds lookingAt(Optional<Path> data) {
        return new TrialIds(data, true, Map.of());
    }

    /** As they were found before. Of what was not found then trials have the names of an earlier version, the recipe's hash. */
    public static TrialIds asFound(Map<String, String> found) {
        return new TrialIds(Optional.empty(), false, found);
    }

    public Map<String, String> found() {
        return Collections.unmodifiableMap(found);
    }

    /** @throws UncheckedIOException a sentence, if the data or a file cannot be read */
    public String of(Recipe recipe) {
        Map<String, String> files = new TreeMap<>();
        for (String file : Contents.files(recipe.model())) {
            known("file " + file, () -> Contents.ofFile(Path.of(file)))
                    .ifPresent(contents -> files.put(file, contents));
        }
        return id(recipe, contents(recipe), files);
    }

    /** What the images are; empty for those that come with Polder. */
    public String contents(Recipe recipe) {
        DataRecipe images = recipe.data();
        if (images.dataset().isBundled()) {
            return "";
        }
        String key = "data " + images.name()
                + (images.dir() == null ? "" : " " + images.dir())
                + (images.plugged() == null ? "" : " " + images.plugged());
        return known(key, () -> Contents.of(images, data)).orElse("");
    }

    /** Whether the seed draws the weights of a TorchScript file where the recipe leaves it open. */
    public boolean isRedrawnByDefault(String file) {
        // Under the name that an earlier version had for it.
        String said = known(
                        "untrained " + file,
                        () -> Boolean.toString(TorchScriptNetwork.isRedrawnByDefault(Path.of(file))))
                .orElse("");
        return Boolean.parseBoolean(said);
    }

    /** The id of a trial on such images and with these files, by their paths in the recipe. */
    static String id(Recipe recipe, String contents, Map<String, String> files) {
        if (contents.isEmpty() && files.isEmpty()) {
            return recipe.hash();
        }
        List<String> overrides = new ArrayList<>();
        ModelRecipe model = recipe.model();
        if (model.init() != null) {
            overrides.add("model.init=" + files.get(model.init()));
        }
        if (model.torchscript() != null) {
            overrides.add("model.torchscript=" + files.get(model.torchscript()));
        }
        Recipe named = overrides.isEmpty() ? recipe : RecipeReader.read(recipe.toYaml(), recipe.name(), overrides);
        return Sha256.of("polder trial 1\n" + named.hash() + "\n" + contents);
    }

    private interface Look {
        String look() throws IOException;
    }

    private Optional<String> known(String key, Look look) {
        if (!found.containsKey(key) && mayLook) {
            try {
                found.put(key, look.look());
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }
        return Optional.ofNullable(found.get(key));
    }
}
