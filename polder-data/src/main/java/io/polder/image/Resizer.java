package io.polder.image;

import org.bytedeco.javacpp.PointerScope;

/**
 * Crops and resizes pixels that are there already. Smaller becomes an image by averaging over areas, which does not alias,
 * larger by linear interpolation. Any number of threads may call it.
 */
public final class Resizer {
    private Resizer() {}

    /**
     * @param pixels of height · width · channels bytes, from the start of the array
     * @param destination gets the frame's window, in as many channels
     */
    public static void resize(byte[] pixels, int height, int width, int channels, Frame frame, byte[] destination) {
        requireRoom("pixels", pixels, (long) height * width * channels);
        requireFits(frame, height, width, channels, destination);
        try (var workspace = Workspace.lend();
                var scope = new PointerScope()) {
            workspace.frame(workspace.wrap(pixels, height, width, channels), frame, false, destination);
            workspace.forgetLarge();
        }
    }

    static void requireFits(Frame frame, int height, int width, int channels, byte[] destination) {
        if (!frame.crop().isWithin(height, width)) {
            throw new IllegalArgumentException(
                    "crop is %s: it must lie within the image of %d x %d".formatted(frame.crop(), height, width));
        }
        Area window = frame.window();
        requireRoom("destination", destination, (long) window.height() * window.width() * channels);
    }

    /** The native side writes where it is told. */
    static void requireRoom(String name, byte[] array, long needed) {
        if (array.length < needed) {
            throw new IllegalArgumentException(
                    "%s has %d bytes: it must have at least %d".formatted(name, array.length, needed));
        }
    }
}
