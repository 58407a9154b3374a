package io.polder.train;

/** Times the steps of an epoch, or of the part of it that is trained without a stop. */
final class Stopwatch {
    private final long started = System.nanoTime();
    private long lapStarted = started;
    private long images;

    /** Images a second since the last step, waiting for data included. */
    double lap(int images) {
        long now = System.nanoTime();
        double seconds = Math.max(1, now - lapStarted) * 1e-9;
        lapStarted = now;
        this.images += images;
        return images / seconds;
    }

    /** Up to the last step: evaluation is not training. */
    double seconds() {
        return Math.max(1, lapStarted - started) * 1e-9;
    }

    double imagesPerSecond() {
        return images / seconds();
    }
}
