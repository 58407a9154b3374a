package io.polder.models;

import io.polder.nn.Network;
import io.polder.tensor.RandomStreams;

/**
 * A network by name: what a recipe asks for and {@code ./polder models} lists.
 *
 * @param name lower-case, with hyphens: {@code wrn-28-10}
 * @param image the side of the images it is usually trained on, in pixels
 * @param classes of the data set it is usually trained on
 */
public record Architecture(String name, int image, int classes, Builder builder) {
    /** Makes a network for square images of that side, with first weights from the streams. */
    @FunctionalInterface
    public interface Builder {
        Network build(int image, int classes, RandomStreams streams);
    }

    /** @throws IllegalArgumentException if there are no such images or classes */
    public Network build(int image, int classes, RandomStreams streams) {
        if (image < 1) {
            throw new IllegalArgumentException("image is " + image + ": it must be at least 1");
        }
        if (classes < 1) {
            throw new IllegalArgumentException("classes is " + classes + ": it must be at least 1");
        }
        return builder.build(image, classes, streams);
    }
}
