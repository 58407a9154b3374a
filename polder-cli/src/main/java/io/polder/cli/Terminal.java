package io.polder.cli;

import java.util.Timer;
import java.util.TimerTask;

/** The screen that progress is shown on, as the launcher saw it: Java cannot tell a terminal from a file. */
final class Terminal {
    private Terminal() {}

    static boolean isThere() {
        return columns() > 0;
    }

    /** 0 when standard error is no terminal. */
    static int columns() {
        return Integer.getInteger("polder.columns", 0);
    }

    /** One column less than there are: a full row would wrap. */
    static int usableColumns() {
        return Math.max(1, columns() - 1);
    }

    static String cut(String line, int columns) {
        return line.length() > columns ? line.substring(0, columns) : line;
    }

    static String bar(int width, long done, long all) {
        int filled = (int) Math.min(width, width * done / all);
        return "█".repeat(filled) + "░".repeat(width - filled);
    }

    /** Draws again and again, on the timer's thread, until it is cancelled. */
    static void drawEvery(long milliseconds, Timer timer, Runnable drawing) {
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        drawing.run();
                    }
                },
                milliseconds,
                milliseconds);
    }
}
