package io.polder.image;

import java.io.IOException;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.opencv_core.Mat;

/**
 * From the bytes of an image file to red, green and blue, framed.
 *
 * <p>Grey images get three equal channels, those of a printer's four inks become colours, 16 bits become 8. By {@link
 * ImageHeader#of} transparency is ignored (what is below it shows), and so is the orientation a camera noted (EXIF), as
 * torchvision ignores it; by {@link ImageHeader#asShown} both are obeyed. Any number of threads may call this; each call works on
 * one thread and leaves no native memory behind.
 *
 * <p>What can be told from a file's structure {@link ImageHeader} has told before. Of damage deeper in the pixels libjpeg and
 * libpng write a line to the standard error, whatever OpenCV's log level: it leaves their own handlers in place, and to look
 * at the pixels before would be to decode them twice.
 *
 * <p>A JPEG is decoded at 1/2, 1/4 or 1/8 of its size where the crop has then still as many pixels as are wanted of it:
 * this is the fast part of resizing done for nothing. The crop's edges move by half a pixel of the reduced image at most.
 */
public final class Decoder {
    private static final int[] SCALES = {8, 4, 2};

    private Decoder() {}

    /**
     * @param header of this file, as {@link ImageHeader#of} or {@link ImageHeader#asShown} read it
     * @param frame chosen for an image of that size
     * @param destination gets the frame's window, in three channels
     * @throws IOException in one sentence that begins with the name, if the file cannot be decoded
     */
    public static void decode(String name, byte[] file, int length, ImageHeader header, Frame frame, byte[] destination)
            throws IOException {
        Resizer.requireFits(frame, header.height(), header.width(), 3, destination);
        Resizer.requireRoom("file", file, length);
        int scale = scale(header, frame);
        try (var workspace = Workspace.lend();
                var scope = new PointerScope()) {
            Mat image = decode(workspace, name, file, length, flags(header, scale));
            if (header.transparent()) {
                image = workspace.onWhite(image);
            }
            if (image.rows() != reduced(header.storedHeight(), scale)
                    || image.cols() != reduced(header.storedWidth(), scale)
                    || image.type() != opencv_core.CV_8UC3) {
                throw damaged(name, null);
            }
            image = workspace.turned(image, header.orientation());
            workspace.frame(image, scale == 1 ? frame : scaled(frame, scale, image), true, destination);
            workspace.forgetLarge();
        }
    }

    /** The picture is turned here and not by OpenCV: its size must be what the header said. */
    private static int flags(ImageHeader header, int scale) {
        if (header.transparent()) {
            return opencv_imgcodecs.IMREAD_UNCHANGED;
        }
        return opencv_imgcodecs.IMREAD_IGNORE_ORIENTATION
                | switch (scale) {
                    case 8 -> opencv_imgcodecs.IMREAD_REDUCED_COLOR_8;
                    case 4 -> opencv_imgcodecs.IMREAD_REDUCED_COLOR_4;
                    case 2 -> opencv_imgcodecs.IMREAD_REDUCED_COLOR_2;
                    default -> opencv_imgcodecs.IMREAD_COLOR;
                };
    }

    private static Mat decode(Workspace workspace, String name, byte[] file, int length, int flags) throws IOException {
        Mat image;
        try {
            image = workspace.decode(file, length, flags);
        } catch (RuntimeException e) { // what JavaCPP makes of a C++ exception
            throw damaged(name, e);
        }
        if (image == null) {
            throw damaged(name, null);
        }
        return image;
    }

    /** By how much a JPEG can be reduced so that the crop is not yet smaller than what is made of it. */
    static int scale(ImageHeader header, Frame frame) {
        if (header.format() == ImageHeader.Format.JPEG) {
            for (int scale : SCALES) {
                if (frame.crop().height() >= scale * frame.resizedHeight()
                        && frame.crop().width() >= scale * frame.resizedWidth()) {
                    return scale;
                }
            }
        }
        return 1;
    }

    private static int reduced(int size, int scale) {
        return (size + scale - 1) / scale;
    }

    private static Frame scaled(Frame frame, int scale, Mat image) {
        Area crop = frame.crop();
        int top = Math.round(crop.top() / (float) scale);
        int left = Math.round(crop.left() / (float) scale);
        int bottom =
                Math.min(image.rows(), Math.max(top + 1, Math.round((crop.top() + crop.height()) / (float) scale)));
        int right =
                Math.min(image.cols(), Math.max(left + 1, Math.round((crop.left() + crop.width()) / (float) scale)));
        top = Math.min(top, bottom - 1);
        left = Math.min(left, right - 1);
        return new Frame(
                new Area(top, left, bottom - top, right - left),
                frame.resizedHeight(),
                frame.resizedWidth(),
                frame.window(),
                frame.mirrored());
    }

    private static IOException damaged(String name, Throwable cause) {
        return new IOException(name + " is damaged: its pixels cannot be decoded", cause);
    }
}
