package io.polder.cli;

import io.polder.study.ComparisonRun;
import io.polder.study.Method;
import io.polder.train.EpochMetrics;
import io.polder.train.Evaluation;
import io.polder.train.StepMetrics;
import io.polder.train.TrainingListener;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Timer;

/** How the trials are getting on: a bar for each on a terminal, else a line whenever one is evaluated. */
sealed interface TrialProgress extends ComparisonRun.Watcher, AutoCloseable {
    static TrialProgress on(PrintWriter screen) {
        return Terminal.isThere() ? new Bars(screen) : new Lines(screen);
    }

    @Override
    default void close() {}

    private static String percent(double error) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * error);
    }

    record Lines(PrintWriter screen) implements TrialProgress {
        @Override
        public TrainingListener trialStarts(Method method, int seed, long steps, int epochs) {
            return new TrainingListener() {
                @Override
                public void onEpoch(EpochMetrics epoch) {
                    epoch.test().ifPresent(test -> show(epoch, test));
                }

                private void show(EpochMetrics epoch, Evaluation test) {
                    screen.printf(
                            Locale.ROOT,
                            "%s, seed %d: epoch %d/%d, test error %s, %.0f images/s%n",
                            method.label(),
                            seed,
                            epoch.epoch(),
                            epochs,
                            percent(test.figure("error")),
                            epoch.imagesPerSecond());
                    screen.flush();
                }
            };
        }
    }

    /**
     * One line a trial: name, bar, epoch, the newest error, images a second, time left. Those that are done stay.
     *
     * <p>Drawn by hand: the libraries for it bring a terminal layer that takes over Ctrl-C, and a run must end in order.
     */
    final class Bars implements TrialProgress {
        private static final String CURSOR_UP = "\r\u001b[%dA";
        private static final String CLEAR_REST_OF_LINE = "\u001b[K";
        private static final long MILLISECONDS_BETWEEN_DRAWINGS = 200;

        private final PrintWriter screen;
        private final List<Bar> bars = new ArrayList<>();
        private final Timer timer = new Timer("polder-progress", true);
        private int linesDrawn;

        Bars(PrintWriter screen) {
            this.screen = screen;
            Terminal.drawEvery(MILLISECONDS_BETWEEN_DRAWINGS, timer, this::draw);
        }

        @Override
        public synchronized TrainingListener trialStarts(Method method, int seed, long steps, int epochs) {
            var bar = new Bar(method.label() + " " + seed, steps, epochs);
            bars.add(bar);
            return bar;
        }

        private synchronized void draw() {
            if (linesDrawn > 0) {
                screen.printf(CURSOR_UP, linesDrawn);
            }
            bars.forEach(bar -> screen.print(bar.line(Terminal.usableColumns()) + CLEAR_REST_OF_LINE + "\n"));
            screen.flush();
            linesDrawn = bars.size();
        }

        @Override
        public void close() {
            timer.cancel();
            draw();
        }
    }

    /** The state of one trial, written by its thread and read by the one that draws. */
    final class Bar implements TrainingListener {
        private static final int NAME_WIDTH = "Gradient-norm penalty 3".length();
        private static final int WIDEST = 40;

        private final String name;
        private final long steps;
        private final int epochs;
        private final long started = System.nanoTime();
        private long done;
        private int epoch = 1;
        private String error = "";
        private double imagesPerSecond;
        private Duration took;

        Bar(String name, long steps, int epochs) {
            this.name = String.format("%-" + NAME_WIDTH + "s", name);
            this.steps = steps;
            this.epochs = epochs;
        }

        @Override
        public synchronized void onStep(StepMetrics step) {
            done++;
            epoch = step.epoch() + 1;
            imagesPerSecond = step.imagesPerSecond();
        }

        @Override
        public synchronized void onEpoch(EpochMetrics metrics) {
            imagesPerSecond = metrics.imagesPerSecond();
            if (metrics.test().isPresent()) {
                error = "test " + percent(metrics.test().get().figure("error"));
            } else if (!error.startsWith("test")) {
                error = "train " + percent(metrics.figure("error"));
            }
            if (metrics.epoch() == epochs) {
                took = spent();
            }
        }

        synchronized String line(int columns) {
            String facts = String.format(
                    Locale.ROOT, "  epoch %d/%d  %s  %.0f img/s  %s", epoch, epochs, error, imagesPerSecond, time());
            int width = Math.max(0, Math.min(WIDEST, columns - name.length() - 1 - facts.length()));
            return Terminal.cut(name + " " + Terminal.bar(width, done, steps) + facts, columns);
        }

        private String time() {
            if (took != null) {
                return "took " + text(took);
            }
            return done == 0 ? "" : text(spent().multipliedBy(steps - done).dividedBy(done)) + " left";
        }

        private Duration spent() {
            return Duration.ofNanos(System.nanoTime() - started);
        }

        private static String text(Duration time) {
            return time.toMinutes() + String.format(":%02d", time.toSecondsPart());
        }
    }
}
