package io.polder.cli;

import io.polder.sharpness.FixedLoss;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Timer;
import java.util.concurrent.CancellationException;

/** How measuring is getting on: a bar on a terminal, elsewhere a line for each measure. Stops it when a signal asks. */
final class MeasuringProgress implements FixedLoss.Watcher, AutoCloseable {
    private static final long MILLISECONDS_BETWEEN_DRAWINGS = 200;
    private static final int WIDEST = 20;

    private final PrintWriter screen;
    private final StopOnSignal stop;
    private final Timer timer = new Timer("polder-progress", true);

    private long all = 1;
    private long begun;
    private long batches;
    private String what = "";
    private int drawn;

    MeasuringProgress(PrintWriter screen, StopOnSignal stop) {
        this.screen = screen;
        this.stop = stop;
        if (Terminal.isThere()) {
            Terminal.drawEvery(MILLISECONDS_BETWEEN_DRAWINGS, timer, this::draw);
        }
    }

    /** @param all so many measures are to come */
    synchronized void begin(long all) {
        this.all = all;
    }

    /** The next measure begins. */
    synchronized void next(String what) {
        this.what = what;
        begun++;
        batches = 0;
        if (!Terminal.isThere()) {
            screen.println(what);
            screen.flush();
        }
    }

    @Override
    public synchronized void batch() {
        if (stop.isRequested()) {
            throw new CancellationException();
        }
        batches++;
    }

    synchronized void say(String sentence) {
        clear();
        screen.println("polder: " + sentence);
        screen.flush();
    }

    private synchronized void draw() {
        if (begun == 0) {
            return;
        }
        String facts = String.format(Locale.ROOT, "%d/%d  %s, %,d batches", begun, all, what, batches);
        clear();
        String text = Terminal.barred(WIDEST, begun - 1, all, facts);
        screen.print(Terminal.unbroken(text));
        screen.flush();
        drawn = text.length();
    }

    private void clear() {
        if (drawn > 0) {
            screen.print(Terminal.erasing(List.of(), drawn));
            drawn = 0;
        }
    }

    @Override
    public synchronized void close() {
        timer.cancel();
        clear();
        screen.flush();
    }
}
