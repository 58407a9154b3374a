package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.models.Architecture;

/** A network of a plug-in: a record that is called by a {@code model.name}, with fields that stand beside those of every model. */
@ByName("name")
public interface PluggedNetwork extends Architecture.Builder {
    /** Whether it takes images of three channels only; grey ones are then given to it as such. */
    default boolean colourOnly() {
        return false;
    }

    /** The side of the images that it is usually trained on; {@code ./polder models NAME} prints it for those. */
    default int usualImage() {
        return 32;
    }

    /** How many classes its usual data set has. */
    default int usualClasses() {
        return 10;
    }
}
