package io.polder.image;

import java.util.concurrent.ConcurrentLinkedDeque;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.opencv.global.opencv_core;
import org.bytedeco.opencv.global.opencv_imgcodecs;
import org.bytedeco.opencv.global.opencv_imgproc;
import org.bytedeco.opencv.opencv_core.Mat;
import org.bytedeco.opencv.opencv_core.Rect;
import org.bytedeco.opencv.opencv_core.Size;

/**
 * Native memory to work on one image at a time in, lent and given back: there are never more than threads at work, however
 * many threads come and go. (Memory of a thread's own would wait for the collector, which has no reason to run.)
 */
final class Workspace implements AutoCloseable {
    private static final ConcurrentLinkedDeque<Workspace> IDLE = new ConcurrentLinkedDeque<>();

    /** What is larger is not kept for the next image. */
    private static final long MOST_KEPT = 16 << 20;

    private BytePointer input;
    private final Mat decoded;
    private final Mat laid;
    private final Mat turned;
    private final Mat doubled;
    private final Mat resized;
    private final Mat result;

    private Workspace() {
        Native.load();
        // Theirs is the life of the workspace, not that of a scope the caller happens to have open.
        try (var scope = new PointerScope()) {
            input = new BytePointer(1 << 16).retainReference();
            decoded = new Mat().retainReference();
            laid = new Mat().retainReference();
            turned = new Mat().retainReference();
            doubled = new Mat().retainReference();
            resized = new Mat().retainReference();
            result = new Mat().retainReference();
        }
    }

    static Workspace lend() {
        Workspace idle = IDLE.poll();
        return idle == null ? new Workspace() : idle;
    }

    @Override
    public void close() {
        IDLE.push(this);
    }

    /** @return an image in the colours the file has them, blue first; null where OpenCV can make nothing of the bytes */
    Mat decode(byte[] file, int length, int flags) {
        copyIn(file, length);
        var bytes = new Mat(1, length, opencv_core.CV_8UC1, input);
        // What it returns tells whether it succeeded; the memory it was lent has the last image in it if it did not.
        return opencv_imgcodecs.imdecode(bytes, flags, decoded).empty() ? null : decoded;
    }

    /** What was just decoded as it is, in 8 bits and three channels: a pixel that can be seen through shows white. */
    Mat onWhite(Mat image) {
        Mat bytes = image;
        if (image.depth() == opencv_core.CV_16U) {
            bytes = new Mat();
            image.convertTo(bytes, opencv_core.CV_8U, 1 / 257.0, 0);
        }
        if (bytes.channels() != 4) { // as some say that nothing can be seen through
            if (bytes.channels() == 1) {
                opencv_imgproc.cvtColor(bytes, laid, opencv_imgproc.COLOR_GRAY2BGR);
            } else {
                bytes.copyTo(laid);
            }
            return laid;
        }
        var alpha = new Mat();
        var opacity = new Mat();
        opencv_core.extractChannel(bytes, alpha, 3);
        opencv_imgproc.cvtColor(alpha, opacity, opencv_imgproc.COLOR_GRAY2BGR);
        opencv_imgproc.cvtColor(bytes, laid, opencv_imgproc.COLOR_BGRA2BGR);
        // White less what the colour takes from it: 255 - (255 - colour) * opacity / 255.
        opencv_core.bitwise_not(laid, laid);
        opencv_core.multiply(laid, opacity, laid, 1 / 255.0, -1);
        opencv_core.bitwise_not(laid, laid);
        return laid;
    }

    /** @param orientation as EXIF numbers it: from 5 on rows become columns, and then, or by itself, it is flipped */
    Mat turned(Mat image, int orientation) {
        if (orientation == 1) {
            return image;
        }
        Mat from = image;
        if (orientation > 4) {
            opencv_core.transpose(image, turned);
            from = turned;
        }
        switch (orientation) {
            case 2, 6 -> opencv_core.flip(from, turned, 1);
            case 3, 7 -> opencv_core.flip(from, turned, -1);
            case 4, 8 -> opencv_core.flip(from, turned, 0);
            default -> {} // 5, which is the other diagonal alone
        }
        return turned;
    }

    /** @return the bytes as an image, in memory that the next call of this method uses again */
    Mat wrap(byte[] pixels, int height, int width, int channels) {
        copyIn(pixels, height * width * channels);
        return new Mat(height, width, opencv_core.CV_8UC(channels), input);
    }

    /** Cuts out, resizes, keeps the window and mirrors; {@code blueFirst} is for what was just decoded. */
    void frame(Mat image, Frame frame, boolean blueFirst, byte[] destination) {
        Area crop = frame.crop();
        Mat cut = new Mat(image, new Rect(crop.left(), crop.top(), crop.width(), crop.height()));
        if (!frame.keepsSize()) {
            resize(cut, frame.resizedHeight(), frame.resizedWidth());
            cut = resized;
        }
        Area window = frame.window();
        Mat kept = new Mat(cut, new Rect(window.left(), window.top(), window.width(), window.height()));
        if (blueFirst && kept.channels() == 3) {
            opencv_imgproc.cvtColor(kept, result, opencv_imgproc.COLOR_BGR2RGB);
        } else {
            kept.copyTo(result);
        }
        if (frame.mirrored()) {
            opencv_core.flip(result, result, 1);
        }
        result.data().get(destination, 0, window.height() * window.width() * image.channels());
    }

    /**
     * Down to a 2.25th the way there is by twice the size, linearly, and the mean of four pixels: nearer to what Pillow's
     * filter makes than the mean over areas of broken sizes is, and two to three times as fast.
     */
    private void resize(Mat cut, int height, int width) {
        if (cut.rows() <= height && cut.cols() <= width) {
            opencv_imgproc.resize(cut, resized, new Size(width, height), 0, 0, opencv_imgproc.INTER_LINEAR);
            return;
        }
        Mat fine = cut;
        if (4L * cut.rows() <= 9L * height && 4L * cut.cols() <= 9L * width) {
            opencv_imgproc.resize(cut, doubled, new Size(2 * width, 2 * height), 0, 0, opencv_imgproc.INTER_LINEAR);
            fine = doubled;
        }
        opencv_imgproc.resize(fine, resized, new Size(width, height), 0, 0, opencv_imgproc.INTER_AREA);
    }

    void forgetLarge() {
        for (Mat mat : new Mat[] {decoded, laid, turned, doubled, resized, result}) {
            if (!mat.empty() && mat.total() * mat.elemSize() > MOST_KEPT) {
                mat.release();
            }
        }
        if (input.capacity() > MOST_KEPT) {
            replaceInput(1 << 16);
        }
    }

    private void copyIn(byte[] bytes, int length) {
        if (input.capacity() < length) {
            replaceInput(Math.max(length, (int) Math.min(Integer.MAX_VALUE - 8L, 2 * input.capacity())));
        }
        input.position(0).put(bytes, 0, length);
    }

    private void replaceInput(int capacity) {
        input.releaseReference();
        try (var scope = new PointerScope()) {
            input = new BytePointer(capacity).retainReference();
        }
    }

    /** Class initialisation is the lock: the first thread loads, the others wait. */
    private static final class Native {
        static {
            Loader.load(opencv_imgcodecs.class);
            Loader.load(opencv_imgproc.class);
            // Many images are worked on at once, each on one thread; threads of OpenCV's own would only fight them.
            opencv_core.setNumThreads(0);
        }

        static void load() {}
    }
}
