package io.polder.data;

/** What happens when an image cannot be read. */
public enum BadImagePolicy {
    /** Reading it is an error that names the file; the default, because broken files should be mended. */
    FAIL,
    /**
     * The next image of the same class that can be read takes its place, in the order of the source and round its end, so
     * that epochs keep their length and batches stay a function of the seed. Each such file is counted once.
     */
    SKIP
}
