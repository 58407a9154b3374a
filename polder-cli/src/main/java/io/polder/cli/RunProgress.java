package io.polder.cli;

import io.polder.metrics.RunRecord;
import io.polder.run.RunInfo;
import io.polder.train.EpochMetrics;
import io.polder.train.Figure;
import io.polder.train.Progress;
import io.polder.train.StepMetrics;
import io.polder.train.TrainingListener;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Timer;

/**
 * How a run is getting on. On a terminal a line for each epoch, which stays, and below it a bar. Elsewhere the lines alone, and one a
 * minute where epochs take long. For programs one JSON object a line, as in {@code metrics.jsonl}.
 */
public final class RunProgress implements TrainingListener, AutoCloseable {
    private static final String CLEAR_LINE = "\r\u001b[K";
    private static final long MILLISECONDS_BETWEEN_DRAWINGS = 200;
    private static final long NANOSECONDS_BETWEEN_LINES = Duration.ofMinutes(1).toNanos();
    private static final int WIDEST = 30;

    /** The figure of a step of several workers. */
    private static final String WAITED = "waitSeconds";

    /** How much of the shown loss, error and norm is the newest step's: single batches jump. */
    private static final double NEWEST = 0.05;

    private final PrintWriter screen;
    private final PrintWriter json;
    private final boolean bar;
    private final Timer timer = new Timer("polder-progress", true);

    private RunInfo info;
    private long startStep;
    private long started;
    private long lastLine;
    private StepMetrics step;
    private double loss;
    private double error;
    private double norm;
    private double imagesPerSecond;
    private double secondsWaited;
    private Double best;
    private boolean barIsDrawn;

    /** @param json where objects go; null for a screen that people read */
    public RunProgress(PrintWriter screen, PrintWriter json) {
        this.screen = screen;
        this.json = json;
        this.bar = Terminal.isThere() && json == null;
        if (bar) {
            Terminal.drawEvery(MILLISECONDS_BETWEEN_DRAWINGS, timer, this::draw);
        }
    }

    /** To be called before each session, and when one goes back. */
    public synchronized void begin(RunInfo info, Progress from) {
        this.info = info;
        startStep = from.step();
        started = System.nanoTime();
        lastLine = started;
        step = null;
        best = from.best() == null ? null : from.best().value();
        if (json == null && from.step() == 0) {
            line(String.format(
                    Locale.ROOT,
                    "%s: %,d parameters, %,d training images, %,d %s images, %d epoch%s of %,d step%s, %d thread%s",
                    info.name(),
                    info.parameters(),
                    info.images().trainImages(),
                    info.images().testImages(),
                    info.images().evaluatedOn(),
                    info.length().epochs(),
                    plural(info.length().epochs()),
                    info.length().stepsPerEpoch(),
                    plural(info.length().stepsPerEpoch()),
                    info.platform().threads(),
                    plural(info.platform().threads())));
        } else if (json == null) {
            line("from step " + from.step() + " of " + info.length().steps());
        }
    }

    /** The figure of the training that is shown: the first. */
    private Optional<Figure> shown() {
        return info.figures().training().stream().findFirst();
    }

    private static String plural(long count) {
        return count == 1 ? "" : "s";
    }

    @Override
    public synchronized void onStep(StepMetrics metrics) {
        double newest = step == null ? 1 : NEWEST;
        loss += newest * (metrics.loss() - loss);
        shown().ifPresent(figure -> error += newest * (metrics.figure(figure.name()) - error));
        norm += newest * (metrics.referenceNorm() - norm);
        imagesPerSecond += newest * (metrics.imagesPerSecond() - imagesPerSecond);
        step = metrics;
        if (metrics.figures().containsKey(WAITED)) {
            secondsWaited += metrics.figure(WAITED);
        }
        if (!bar && json == null && System.nanoTime() - lastLine > NANOSECONDS_BETWEEN_LINES) {
            line("epoch " + (metrics.epoch() + 1) + "/" + info.length().epochs() + "  " + facts());
        }
    }

    @Override
    public synchronized void onEpoch(EpochMetrics metrics) {
        Figure judge = info.figures().judge();
        metrics.test().map(test -> test.figure(judge)).ifPresent(value -> {
            best = best == null || judge.isBetter(value, best) ? value : best;
        });
        if (json != null) {
            json.println(new RunRecord.Epoch(metrics, stepsDone(), System.currentTimeMillis() / 1000.0).toJson());
            json.flush();
            return;
        }
        String test = metrics.test()
                .map(t -> "  " + info.images().evaluatedOn() + " " + judge.label() + " " + judge.text(t.figure(judge))
                        + " (best "
                        + judge.text(best) + ")")
                .orElse("");
        line(String.format(
                Locale.ROOT,
                "epoch %" + Integer.toString(info.length().epochs()).length()
                        + "d/%d  loss %.4f%s%s  ‖g‖ %.3g  lr %.3g  %,.0f img/s%s",
                metrics.epoch(),
                info.length().epochs(),
                metrics.loss(),
                shown().map(figure -> "  train " + figure.label() + " " + figure.text(metrics.figure(figure.name())))
                        .orElse(""),
                test,
                metrics.gradientNorm(),
                metrics.learningRate(),
                metrics.imagesPerSecond(),
                waiting(metrics.seconds())));
    }

    /** How much of an epoch's time rank 0 waited for other workers; nothing where there are none. */
    private String waiting(double seconds) {
        double share = secondsWaited / seconds;
        secondsWaited = 0;
        return share == 0 ? "" : String.format(Locale.ROOT, "  %.0f %% waiting", 100 * Math.min(1, share));
    }

    /** A session may begin with the evaluation that the one before it was stopped in. */
    private long stepsDone() {
        return step == null ? startStep : step.step() + 1;
    }

    synchronized boolean hasBegun() {
        return info != null;
    }

    synchronized void say(String sentence) {
        line("polder: " + sentence);
    }

    private void line(String text) {
        lastLine = System.nanoTime();
        screen.print((barIsDrawn ? CLEAR_LINE : "") + text + "\n");
        barIsDrawn = false;
        screen.flush();
    }

    private synchronized void draw() {
        if (step == null) {
            return;
        }
        int columns = Terminal.usableColumns();
        String facts = facts();
        int width = Math.max(0, Math.min(WIDEST, columns - 2 - facts.length()));
        String text = Terminal.bar(width, step.step() + 1, info.length().steps()) + "  " + facts;
        screen.print(CLEAR_LINE + Terminal.cut(text, columns));
        screen.flush();
        barIsDrawn = true;
    }

    private String facts() {
        return String.format(
                Locale.ROOT,
                "step %,d/%,d%s  loss %.3f  ‖g‖ %.3g  %,.0f img/s  %s left",
                step.step() + 1,
                info.length().steps(),
                shown().map(figure -> "  " + figure.label() + " " + figure.text(error))
                        .orElse(""),
                loss,
                norm,
                imagesPerSecond,
                left());
    }

    /** Evaluation and saving included: they come again. */
    private String left() {
        long done = step.step() + 1 - startStep;
        double seconds =
                (System.nanoTime() - started) * 1e-9 / done * (info.length().steps() - step.step() - 1);
        var time = Duration.ofSeconds(Math.round(seconds));
        return time.toHours() > 0
                ? String.format("%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart())
                : String.format("%d:%02d", time.toMinutes(), time.toSecondsPart());
    }

    @Override
    public synchronized void close() {
        timer.cancel();
        if (barIsDrawn) {
            screen.print(CLEAR_LINE);
            screen.flush();
            barIsDrawn = false;
        }
    }
}
