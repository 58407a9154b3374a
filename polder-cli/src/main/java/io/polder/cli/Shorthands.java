package io.polder.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The fields of a recipe that are changed most often, as options. What is wrong with a value the field says. */
final class Shorthands {
    @Option(names = "--epochs", paramLabel = "N", description = "How many epochs; the same as -s epochs=N.")
    private String epochs;

    @Option(names = "--lr", paramLabel = "X", description = "The learning rate; the same as -s learningRate.base=X.")
    private String learningRate;

    @Option(names = "--seed", paramLabel = "N", description = "The seed; the same as -s seed=N.")
    private String seed;

    @Option(names = "--batch", paramLabel = "N", description = "Images in a step; the same as -s data.batch=N.")
    private String batch;

    List<String> overrides() {
        List<String> overrides = new ArrayList<>();
        add(overrides, "epochs", epochs);
        add(overrides, "learningRate.base", learningRate);
        add(overrides, "seed", seed);
        add(overrides, "data.batch", batch);
        return overrides;
    }

    private static void add(List<String> overrides, String field, String value) {
        if (value != null) {
            overrides.add(field + "=" + value);
        }
    }
}
