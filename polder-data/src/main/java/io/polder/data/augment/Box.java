package io.polder.data.augment;

import io.polder.data.ImageShape;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The pixels of the rows {@code top} to {@code bottom - 1} in the columns {@code left} to {@code right - 1}. */
record Box(int top, int left, int bottom, int right) {
    /** A box whose centre is equally likely at every pixel, as much of it as lies inside the image. */
    static Box atRandomCentre(int height, int width, ImageShape shape, SplittableRandom random) {
        int y = random.nextInt(shape.height());
        int x = random.nextInt(shape.width());
        return around(y, x, height, width, shape);
    }

    /** Of an even side, half comes before the centre; of an odd one, the smaller half does. */
    static Box around(int y, int x, int height, int width, ImageShape shape) {
        int top = y - height / 2;
        int left = x - width / 2;
        return new Box(
                Math.max(0, top),
                Math.max(0, left),
                Math.min(shape.height(), top + height),
                Math.min(shape.width(), left + width));
    }

    int area() {
        return (bottom - top) * (right - left);
    }

    /** Where a row of the box starts in the bytes of an image. */
    int start(int row, ImageShape shape) {
        return (row * shape.width() + left) * shape.channels();
    }

    /** The bytes in one row of the box. */
    int rowBytes(ImageShape shape) {
        return (right - left) * shape.channels();
    }

    void fill(byte level, byte[] image, ImageShape shape) {
        for (int row = top; row < bottom; row++) {
            int start = start(row, shape);
            Arrays.fill(image, start, start + rowBytes(shape), level);
        }
    }

    void copy(byte[] from, byte[] to, ImageShape shape) {
        for (int row = top; row < bottom; row++) {
            int start = start(row, shape);
            System.arraycopy(from, start, to, start, rowBytes(shape));
        }
    }
}
