package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Names;
import io.polder.config.Plugins;
import io.polder.config.Values;
import io.polder.data.ImageShape;
import io.polder.data.load.Pipeline;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The random changes to single training images.
 *
 * @param plugged null where the pipeline has no fields of its own
 */
@ByName("name")
public record AugmentRecipe(
        @Field(about = "The pipeline, as ./polder datasets lists them.", names = Known.class)
        String name,

        @Field(about = "What the pipeline has of its own.", fallback = "null", beside = true)
        PluggedAugmentation plugged) {
    /** Those that come with Polder, and those of plug-ins. */
    static final class Known implements Names {
        @Override
        public List<String> names() {
            return Stream.concat(
                            Pipeline.names().stream(),
                            Plugins.called(PluggedAugmentation.class).stream().map(Called::value))
                    .toList();
        }
    }

    public AugmentRecipe {
        Values.checked(AugmentRecipe.class, name, plugged);
        boolean jitters = plugged instanceof PluggedAugmentation.ColourJitter;
        if (jitters != name.equals(PluggedAugmentation.ColourJitter.NAME)) {
            throw new IllegalArgumentException(
                    name + (jitters ? " has no such fields: leave them out" : " has fields of its own: give them"));
        }
    }

    /** As for {@link Pipeline#named(String, ImageShape, OptionalInt)}. */
    public Pipeline pipeline(ImageShape natural, OptionalInt side) {
        return plugged == null ? Pipeline.named(name, natural, side) : plugged.pipeline(name, natural, side);
    }
}
