package io.polder.watch;

/** The newest edition of something that readers wait for. Only the newest is kept: a slow reader misses some. */
final class Publication {
    private String text = "";
    private long edition;

    /** @param number from 1; 0 before the first */
    record Edition(long number, String text) {}

    synchronized void publish(String newText) {
        if (!newText.equals(text)) {
            text = newText;
            edition++;
            notifyAll();
        }
    }

    /** The newest, as soon as there is one after the one that was seen, or after the time. */
    synchronized Edition await(long seen, long milliseconds) throws InterruptedException {
        long deadline = System.nanoTime() + milliseconds * 1_000_000;
        for (long left = milliseconds; edition <= seen && left > 0; left = (deadline - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        return new Edition(edition, text);
    }
}
