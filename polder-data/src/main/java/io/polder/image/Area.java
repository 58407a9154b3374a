package io.polder.image;

/** A rectangle of whole pixels. */
public record Area(int top, int left, int height, int width) {
    public Area {
        if (top < 0 || left < 0 || height < 1 || width < 1) {
            throw new IllegalArgumentException(
                    "area is %d x %d at row %d, column %d: it must have pixels and begin at 0 or later"
                            .formatted(height, width, top, left));
        }
    }

    /** All of an image. */
    public static Area of(int height, int width) {
        return new Area(0, 0, height, width);
    }

    boolean isWithin(int imageHeight, int imageWidth) {
        return height <= imageHeight - top && width <= imageWidth - left;
    }
}
