package io.polder.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;

/**
 * The screen that progress is shown on, as the launcher saw it: Java cannot tell a terminal from a file. While something is drawn on it, it
 * is asked for its size now and then, as a window may be resized.
 */
final class Terminal {
    private static final long NANOSECONDS_BETWEEN_LOOKS = Duration.ofSeconds(2).toNanos();

    private static volatile int resized;
    private static long looked = System.nanoTime();
    private static boolean tells = true;

    private Terminal() {}

    static boolean isThere() {
        return columns() > 0;
    }

    /** 0 when standard error is no terminal. */
    static int columns() {
        return resized > 0 ? resized : Integer.getInteger("polder.columns", 0);
    }

    /** One column less than there are: a full row would wrap. */
    static int usableColumns() {
        return Math.max(1, columns() - 1);
    }

    static String cut(String line, int columns) {
        return line.length() > columns ? line.substring(0, columns) : line;
    }

    /** As many of the parts as fit, the first of them in any case. */
    static String fitting(int columns, String... parts) {
        StringBuilder line = new StringBuilder(parts[0]);
        for (int i = 1; i < parts.length && line.length() + 2 + parts[i].length() <= columns; i++) {
            line.append(parts[i].isEmpty() ? "" : "  ").append(parts[i]);
        }
        return line.toString();
    }

    static String bar(int width, long done, long all) {
        int filled = (int) Math.min(width, width * done / all);
        return "█".repeat(filled) + "░".repeat(width - filled);
    }

    /** A bar of what room the words leave, and the words; cut where they have none. */
    static String barred(int widest, long done, long all, String words) {
        int width = Math.max(0, Math.min(widest, usableColumns() - 2 - words.length()));
        return cut(bar(width, done, all) + (width == 0 ? "" : "  ") + words, usableColumns());
    }

    /** Drawn so that a terminal that has become narrower cuts the line, and does not break it. */
    static String unbroken(String line) {
        return "\u001b[?7l" + line + "\u001b[?7h";
    }

    /**
     * What removes lines that were drawn. A window that was made narrower since has broken each into several.
     *
     * @param above the lengths of those above the cursor's line
     * @param last the length of the cursor's line
     */
    static String erasing(Iterable<Integer> above, int last) {
        int rows = rows(last) - 1;
        for (int length : above) {
            rows += rows(length);
        }
        return "\r" + (rows == 0 ? "" : "\u001b[" + rows + "A") + "\u001b[J";
    }

    private static int rows(int length) {
        return Math.max(1, (length + Math.max(1, columns()) - 1) / Math.max(1, columns()));
    }

    /** Draws again and again, on the timer's thread, until it is cancelled. */
    static void drawEvery(long milliseconds, Timer timer, Runnable drawing) {
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        look();
                        drawing.run();
                    }
                },
                milliseconds,
                milliseconds);
    }

    private static synchronized void look() {
        if (!tells || System.nanoTime() - looked < NANOSECONDS_BETWEEN_LOOKS) {
            return;
        }
        looked = System.nanoTime();
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            resized = Integer.parseInt(size.strip().replaceFirst(".* ", ""));
        } catch (IOException | NumberFormatException e) {
            tells = false; // it stays as wide as it was
        }
    }
}
