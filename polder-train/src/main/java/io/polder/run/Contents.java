package io.polder.run;

import io.polder.data.Dataset;
import io.polder.files.Reason;
import io.polder.files.Sha256;
import io.polder.recipe.DataRecipe;
import io.polder.recipe.ModelRecipe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What is in the data and in the files that a recipe names. With the recipe it determines a result; where they are does not. */
public final class Contents {
    private Contents() {}

    /**
     * Opens the data as a training would. Needs no engine.
     *
     * @param given takes precedence over the recipe's own directory
     */
    public static String of(DataRecipe data, Optional<Path> given) throws IOException {
        try (Dataset dataset = Assembly.unpacked(data, given)) {
            return dataset.contents();
        }
    }

    /** The SHA-256 of each file, by its path in the recipe. */
    public static Map<String, String> ofFiles(ModelRecipe model) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        for (String file : files(model)) {
            contents.put(file, ofFile(Path.of(file)));
        }
        return contents;
    }

    /** The files that a recipe names, besides its data. */
    public static List<String> files(ModelRecipe model) {
        return Stream.of(model.init(), model.torchscript())
                .filter(Objects::nonNull)
                .toList();
    }

    /** Its SHA-256. */
    public static String ofFile(Path file) throws IOException {
        try {
            return Sha256.of(file);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read (" + Reason.of(e) + "): check the recipe's path of it", e);
        }
    }
}
