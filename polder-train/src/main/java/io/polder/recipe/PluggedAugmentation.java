package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.data.ImageShape;
import io.polder.data.Pipeline;
import io.polder.data.augment.Augmentation;
import java.util.OptionalInt;

/** Random changes to training images of a plug-in: a record that is called by a {@code data.augment.name}, with fields beside it. */
@ByName("name")
public interface PluggedAugmentation {
    /** What is done to each training image. */
    Augmentation augmentation();

    /** All that is done to images; unless it is said otherwise, they keep their size or get the side that the model has. */
    default Pipeline pipeline(String name, ImageShape natural, OptionalInt side) {
        return Pipeline.of(name, augmentation(), natural, side);
    }
}
