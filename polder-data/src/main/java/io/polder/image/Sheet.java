package io.polder.image;

import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgproc;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.Point;
import org.bytedeco.opencv.opencv_core.Scalar;
import org.bytedeco.opencv.opencv_core.Size;

/** A sheet to put images and words on. Colours are 0xRRGGBB. Not for several threads. */
public final class Sheet {
    /** Letters are drawn this much larger and made smaller: OpenCV's own edges are rough. */
    private static final int FINE = 4;

    /** The height of a capital in OpenCV's plain font at scale 1. */
    private static final double CAPITAL = 21;

    private static final int FONT = opencv_imgproc.FONT_HERSHEY_DUPLEX;

    private final int height;
    private final int width;
    private final byte[] rgb;

    public Sheet(int height, int width, int colour) {
        Encoder.requireSize(height, width);
        this.height = height;
        this.width = width;
        this.rgb = new byte[3 * height * width];
        fill(Area.of(height, width), colour);
    }

    public void fill(Area area, int colour) {
        for (int y = area.top(); y < Math.min(height, area.top() + area.height()); y++) {
            for (int x = area.left(); x < Math.min(width, area.left() + area.width()); x++) {
                blend(y, x, colour, 255);
            }
        }
    }

    /**
     * Puts an image of 1 or 3 channels there. One that is to be larger by a whole number keeps its square pixels; any other
     * is resized.
     */
    public void image(byte[] pixels, int imageHeight, int imageWidth, int channels, Area area) {
        byte[] fitted = pixels;
        int times = area.height() / imageHeight;
        if (times < 1 || area.height() != times * imageHeight || area.width() != times * imageWidth) {
            fitted = new byte[area.height() * area.width() * channels];
            Frame frame = Frame.of(Area.of(imageHeight, imageWidth), area.height(), area.width(), false);
            Resizer.resize(pixels, imageHeight, imageWidth, channels, frame, fitted);
            times = 1;
        }
        int stride = area.width() / times * channels;
        for (int y = 0; y < area.height(); y++) {
            for (int x = 0; x < area.width(); x++) {
                int from = y / times * stride + x / times * channels;
                int red = Byte.toUnsignedInt(fitted[from]);
                int green = Byte.toUnsignedInt(fitted[from + (channels == 3 ? 1 : 0)]);
                int blue = Byte.toUnsignedInt(fitted[from + (channels == 3 ? 2 : 0)]);
                blend(area.top() + y, area.left() + x, red << 16 | green << 8 | blue, 255);
            }
        }
    }

    /** How wide a text would be. Letters outside ASCII become question marks. */
    public static int textWidth(String text, int capital) {
        try (var workspace = Workspace.lend();
                var scope = new PointerScope()) {
            return (textSize(text, capital).width() + FINE - 1) / FINE;
        }
    }

    /**
     * @param left where it begins
     * @param baseline the row its letters stand on
     * @param capital the height of a capital letter, in pixels
     */
    public void text(String text, int left, int baseline, int capital, int colour) {
        try (var workspace = Workspace.lend();
                var scope = new PointerScope()) {
            int wide = (textSize(text, capital).width() + FINE - 1) / FINE + 2;
            int high = 3 * capital; // one of them below the letters' feet
            var fine = new Mat(high * FINE, wide * FINE, opencv_core.CV_8UC1, new Scalar(0, 0, 0, 0));
            opencv_imgproc.putText(
                    fine,
                    ascii(text),
                    new Point(FINE, 2 * capital * FINE),
                    FONT,
                    capital * FINE / CAPITAL,
                    new Scalar(255, 255, 255, 0),
                    thickness(capital),
                    opencv_imgproc.LINE_AA,
                    false);
            var mask = new Mat();
            opencv_imgproc.resize(fine, mask, new Size(wide, high), 0, 0, opencv_imgproc.INTER_AREA);
            byte[] shares = new byte[wide * high];
            mask.data().get(shares);
            for (int y = 0; y < high; y++) {
                for (int x = 0; x < wide; x++) {
                    blend(baseline - 2 * capital + y, left + x - 1, colour, Byte.toUnsignedInt(shares[y * wide + x]));
                }
            }
        }
    }

    public byte[] png() {
        return Encoder.png(rgb, height, width);
    }

    private static Size textSize(String text, int capital) {
        return opencv_imgproc.getTextSize(
                ascii(text), FONT, capital * FINE / CAPITAL, thickness(capital), new IntPointer(1));
    }

    private static int thickness(int capital) {
        return Math.max(1, Math.round(capital * FINE / 11f));
    }

    private static BytePointer ascii(String text) {
        byte[] letters = new byte[text.length() + 1];
        for (int i = 0; i < text.length(); i++) {
            letters[i] = (byte) (text.charAt(i) < 128 ? text.charAt(i) : '?');
        }
        return new BytePointer(letters);
    }

    private void blend(int y, int x, int colour, int share) {
        if (y < 0 || y >= height || x < 0 || x >= width) {
            return;
        }
        int at = 3 * (y * width + x);
        for (int c = 0; c < 3; c++) {
            int wanted = colour >> (16 - 8 * c) & 255;
            int there = Byte.toUnsignedInt(rgb[at + c]);
            rgb[at + c] = (byte) ((wanted * share + there * (255 - share) + 127) / 255);
        }
    }
}
