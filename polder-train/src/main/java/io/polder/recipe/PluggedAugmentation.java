package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Names;
import io.polder.config.Values;
import io.polder.data.ImageShape;
import io.polder.data.augment.Augmentation;
import io.polder.data.load.Pipeline;
import java.util.List;
import java.util.OptionalInt;

/**
 * Random changes to training images that have fields of their own: a record that is called by a {@code data.augment.name}, with fields
 * beside it. Plug-ins add to it.
 */
@ByName(value = "name", known = PluggedAugmentation.ColourJitter.class)
public interface PluggedAugmentation {
    /** What is done to each training image. */
    Augmentation augmentation();

    /** All that is done to images; unless it is said otherwise, they keep their size or get the side that the model has. */
    default Pipeline pipeline(String name, ImageShape natural, OptionalInt side) {
        return Pipeline.of(name, augmentation(), natural, side);
    }

    /** After another pipeline: photographs want another than small images. */
    @Called(
            value = ColourJitter.NAME,
            about = "Brightness, contrast, saturation and hue by random amounts, in a random order.")
    record ColourJitter(
            @Field(about = "The pipeline before it.", fallback = "basic", names = Others.class)
            String after,

            @Field(about = STRENGTH + "black; 0 leaves it alone.", fallback = USUAL, min = 0)
            double brightness,

            @Field(about = STRENGTH + "the image's mean grey.", fallback = USUAL, min = 0)
            double contrast,

            @Field(about = STRENGTH + "the image in greys.", fallback = USUAL, min = 0)
            double saturation,

            @Field(
                    about = "How far the hue moves either way at most, in turns.",
                    fallback = "" + io.polder.data.augment.ColourJitter.USUAL_HUE,
                    min = 0,
                    max = 0.5)
            double hue)
            implements PluggedAugmentation {
        static final String NAME = "colour-jitter";
        private static final String STRENGTH = "The factor is 1 ± this at most, away from ";
        private static final String USUAL = "" + io.polder.data.augment.ColourJitter.USUAL_STRENGTH;

        /** Each pipeline but this one. */
        static final class Others implements Names {
            @Override
            public List<String> names() {
                return Pipeline.names().stream()
                        .filter(name -> !name.equals(NAME))
                        .toList();
            }
        }

        public ColourJitter {
            Values.checked(ColourJitter.class, after, brightness, contrast, saturation, hue);
        }

        @Override
        public Augmentation augmentation() {
            return new io.polder.data.augment.ColourJitter(brightness, contrast, saturation, hue);
        }

        @Override
        public Pipeline pipeline(String name, ImageShape natural, OptionalInt side) {
            return Pipeline.named(after, natural, side).then(name, augmentation());
        }
    }
}
