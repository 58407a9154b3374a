package io.polder.models;

import io.polder.nn.Network;
import io.polder.tensor.RandomStreams;

/**
 * A network by name: what a recipe asks for and {@code ./polder models} lists.
 *
 * @param name lower-case, with hyphens: {@code wrn-28-10}
 * @param image the side of the images it is usually trained on, in pixels
 * @param classes of the data set it is usually trained on
 * @param colourOnly whether it takes images of three channels only
 */
public record Architecture(String name, int image, int classes, boolean colourOnly, Builder builder) {
    private static final int COLOUR = 3;

    /** Makes a network for square images of that side, with first weights from the streams. */
    @FunctionalInterface
    public interface Builder {
        Network build(int channels, int image, int classes, RandomStreams streams);
    }

    /** For colour images; see {@link #build(int, int, int, RandomStreams)}. */
    public Network build(int image, int classes, RandomStreams streams) {
        return build(COLOUR, image, classes, streams);
    }

    /** @throws IllegalArgumentException if there are no such images or classes */
    public Network build(int channels, int image, int classes, RandomStreams streams) {
        if (channels < 1 || (colourOnly && channels != COLOUR)) {
            throw new IllegalArgumentException("channels is " + channels + ": it must be "
                    + (colourOnly ? "3, since " + name + " takes colour images" : "at least 1"));
        }
        if (image < 1) {
            throw new IllegalArgumentException("image is " + image + ": it must be at least 1");
        }
        if (classes < 1) {
            throw new IllegalArgumentException("classes is " + classes + ": it must be at least 1");
        }
        return builder.build(channels, image, classes, streams);
    }

    /** How many channels images of so many must have to be taken: grey ones are given to a network of colours as such. */
    public int channelsFor(int channels) {
        return colourOnly ? COLOUR : channels;
    }
}
