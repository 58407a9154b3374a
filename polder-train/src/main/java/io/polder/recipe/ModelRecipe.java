package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Field;
import io.polder.config.Format;
import io.polder.config.Values;
import io.polder.config.Yaml;
import io.polder.models.Architecture;
import io.polder.models.Architectures;
import io.polder.models.TorchScriptNetwork;
import io.polder.models.VisionTransformer;
import io.polder.nn.Network;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The network, by the name of its architecture or as a TorchScript file: exactly one of both.
 *
 * @param plugged null where the architecture is no plug-in's
 */
@ByName("name")
public record ModelRecipe(
        @Field(about = "An architecture, as ./polder models lists them.", fallback = "null")
        String name,

        @Field(about = "A TorchScript file, instead of a name.", fallback = "null")
        String torchscript,

        @Field(
                about =
                        "Whether the seed draws the TorchScript file's weights anew; null: if the file says that they are untrained, and its layers are of known kinds.",
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
                fallback = "null",
                alsoCalled = {"pretrained", "weights"})
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
        Double dropout,

        @Field(about = "What a plug-in's network has of its own.", fallback = "null", beside = true)
        PluggedNetwork plugged) {
    public ModelRecipe {
        Values.checked(
                ModelRecipe.class,
                name,
                torchscript,
                redraw,
                classes,
                image,
                init,
                resetHead,
                dropPath,
                dropout,
                plugged);
    }

    /** A network by its name alone, with the defaults of its fields. */
    public static ModelRecipe named(String name) {
        return new Format<>("model", ModelRecipe.class, 1 << 10, List.of(), values -> List.of())
                .read("name: " + Yaml.quoted(name), "models", List.of());
    }

    /**
     * Of a network that is no TorchScript file.
     *
     * @throws IllegalArgumentException if there is none of that name; the message offers the nearest ones
     */
    public Architecture architecture() {
        return plugged == null
                ? Architectures.named(name)
                : new Architecture(name, plugged.usualImage(), plugged.usualClasses(), plugged.colourOnly(), plugged);
    }

    /**
     * The network for square images of that side, in the caller's scope.
     *
     * @param file where the TorchScript file is now
     */
    public Network network(Path file, int channels, int side, int outputs, RandomStreams streams) throws IOException {
        if (torchscript != null) {
            return TorchScriptNetwork.load(file);
        }
        if (dropout == null && dropPath == null) {
            return architecture().build(channels, side, outputs, streams);
        }
        var settings = Architectures.transformer(name, side, outputs);
        if (dropout != null) {
            settings = settings.withDropout(dropout);
        }
        if (dropPath != null) {
            settings = settings.withDropPath(dropPath);
        }
        return new VisionTransformer(settings, streams);
    }

    /** What is to be said of seeds that all start from the weights of a file; empty where each seed draws its own. */
    public Optional<String> sameForEverySeed() {
        return sameForEverySeed(Boolean.TRUE.equals(redraw));
    }

    /** @param redrawn whether the seed draws the TorchScript file's weights, which those of {@code init} replace */
    public Optional<String> sameForEverySeed(boolean redrawn) {
        if (torchscript == null || redrawn && init == null) {
            return Optional.empty();
        }
        boolean drawsHead = redrawn && resetHead;
        return Optional.of("the weights of " + (init == null ? torchscript : init)
                + " are the same for every seed: ± is over "
                + (drawsHead ? "the last layer's weights, batch order" : "batch order") + " and augmentation alone");
    }
}
