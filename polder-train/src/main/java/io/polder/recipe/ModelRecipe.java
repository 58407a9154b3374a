package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Field;
import io.polder.config.Values;
import java.util.Optional;

/** The network, by the name of its architecture or as a TorchScript file: exactly one of both. */
@ByName("name")
public record ModelRecipe(
        @Field(about = "An architecture, as ./polder models lists them.", fallback = "null")
        String name,

        @Field(about = "A TorchScript file, instead of a name.", fallback = "null")
        String torchscript,

        @Field(
                about =
                        "Whether the seed draws the TorchScript file's weights anew; null: if the file says that they are untrained.",
                fallback = "null")
        Boolean redraw,

        @Field(
                about = "How many classes it tells apart; null: as many as the data set has.",
                fallback = "null",
                min = 1)
        Integer classes,

        @Field(
                about = "The side of the square images it is built for, in pixels; null: that of the augmented images.",
                fallback = "null",
                min = 1)
        Integer image,

        @Field(
                about =
                        "A safetensors file of first weights; null: drawn by the seed. A trial counts it by its content.",
                fallback = "null")
        String init,

        @Field(about = "Leaves the last layer of init out, to fine-tune to other classes.", fallback = "false")
        boolean resetHead,

        @Field(
                about =
                        "How often the last block's branches are dropped (vision transformers only); null: the architecture's own.",
                fallback = "null",
                min = 0,
                below = 1)
        Double dropPath,

        @Field(
                about = "Dropout (vision transformers only); null: the architecture's own.",
                fallback = "null",
                min = 0,
                below = 1)
        Double dropout) {
    public ModelRecipe {
        Values.checked(
                ModelRecipe.class, name, torchscript, redraw, classes, image, init, resetHead, dropPath, dropout);
    }

    /** What is to be said of seeds that all start from the weights of a file; empty where each seed draws its own. */
    public Optional<String> sameForEverySeed() {
        return torchscript == null || Boolean.TRUE.equals(redraw)
                ? Optional.empty()
                : Optional.of("the weights of " + torchscript
                        + " are the same for every seed: ± is over batch order and augmentation alone");
    }
}
