package io.polder.image;

import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.global.opencv_imgproc;
import org.bytedeco.opencv.opencv_core.Mat;

/** From pixels to the bytes of an image file. */
public final class Encoder {
    private Encoder() {}

    /** @param rgb height · width · 3 bytes, red first */
    public static byte[] png(byte[] rgb, int height, int width) {
        return encode(".png", rgb, height, width, opencv_imgcodecs.IMWRITE_PNG_COMPRESSION, 9);
    }

    /**
     * @param rgb height · width · 3 bytes, red first
     * @param quality 1 to 100
     */
    public static byte[] jpeg(byte[] rgb, int height, int width, int quality) {
        return encode(".jpg", rgb, height, width, opencv_imgcodecs.IMWRITE_JPEG_QUALITY, quality);
    }

    /** By the ending of a file name, with OpenCV's defaults. */
    static byte[] encode(String format, byte[] rgb, int height, int width) {
        return encode(format, rgb, height, width, new int[0]);
    }

    static void requireSize(int height, int width) {
        if (height < 1 || width < 1 || (long) height * width > ImageHeader.MOST_PIXELS) {
            throw new IllegalArgumentException("size is %d x %d: it must be at least 1 x 1 and at most %d pixels"
                    .formatted(height, width, ImageHeader.MOST_PIXELS));
        }
    }

    private static byte[] encode(String format, byte[] rgb, int height, int width, int... options) {
        requireSize(height, width);
        Resizer.requireRoom("rgb", rgb, 3L * height * width);
        try (var workspace = Workspace.lend();
                var scope = new PointerScope()) {
            Mat image = new Mat(height, width, opencv_core.CV_8UC3);
            opencv_imgproc.cvtColor(workspace.wrap(rgb, height, width, 3), image, opencv_imgproc.COLOR_RGB2BGR);
            var file = new BytePointer();
            if (!opencv_imgcodecs.imencode(format, image, file, new IntPointer(options))) {
                throw new IllegalStateException(
                        "OpenCV did not encode an image of %d x %d as %s".formatted(height, width, format));
            }
            byte[] bytes = new byte[(int) file.limit()];
            file.get(bytes);
            workspace.forgetLarge();
            return bytes;
        }
    }
}
