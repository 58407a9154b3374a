package io.polder.recipe;

import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.tensor.ParameterGroups;

/** What holds for some of the network's parameters and not for the others; see {@link ParameterGroups}. */
public record ParameterRecipe(
        @Field(
                about =
                        "Which: a name of a parameter, in which * stands for any letters; the last entry that fits counts.",
                pattern = "[A-Za-z0-9_.*-]{1,200}",
                patternInWords = "letters, digits, dots, hyphens, underscores and *")
        String names,

        @Field(
                about = "What their learning rate is multiplied by; null: nothing is said of it.",
                fallback = "null",
                above = 0,
                alsoCalled = {"learningRate", "lr"})
        Double learningRateFactor,

        @Field(
                about = "What their l2 or weightDecay is multiplied by; null: nothing is said of it.",
                fallback = "null",
                min = 0,
                alsoCalled = {"decay", "weightDecay", "l2", "wd"})
        Double decayFactor,

        @Field(
                about = "Whether they stay as they are; null: nothing is said of it.",
                fallback = "null",
                alsoCalled = {"freeze"})
        Boolean frozen) {
    public ParameterRecipe {
        Values.checked(ParameterRecipe.class, names, learningRateFactor, decayFactor, frozen);
    }

    ParameterGroups.Group group() {
        return new ParameterGroups.Group(names, learningRateFactor, decayFactor, frozen);
    }
}
