package io.polder.cli;

import io.polder.metrics.RunRecord;
import io.polder.run.RunInfo;
import io.polder.text.Wrapped;
import io.polder.train.EpochMetrics;
import io.polder.train.Figure;
import io.polder.train.Progress;
import io.polder.train.StepMetrics;
import io.polder.train.TrainingListener;
import io.polder.train.Workers;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Timer;

/**
 * How a run is getting on. On a terminal a line for each epoch, which stays, and below it a bar. Elsewhere the lines alone, and one a
 * minute where epochs take long. For programs one JSON object a line, as in {@code metrics.jsonl}.
 */
public final class RunProgress implements TrainingListener, AutoCloseable {
    private static final long MILLISECONDS_BETWEEN_DRAWINGS = 200;
    private static final long NANOSECONDS_BETWEEN_LINES = Duration.ofMinutes(1).toNanos();
    private static final int WIDEST = 30;

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
    private int drawn;

    /** Batches of the evaluation that is going on; 0: none is. */
    private int evaluated;

    private int toEvaluate;

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
            String images = String.format(
                    Locale.ROOT,
                    "%,d training images, %,d %s images",
                    info.images().trainImages(),
                    info.images().testImages(),
                    info.images().evaluatedOn());
            String length = String.format(
                    Locale.ROOT,
                    "%d epoch%s of %,d step%s, %d thread%s",
                    info.length().epochs(),
                    plural(info.length().epochs()),
                    info.length().stepsPerEpoch(),
                    plural(info.length().stepsPerEpoch()),
                    info.platform().threads(),
                    plural(info.platform().threads()));
            String network = String.format(Locale.ROOT, "%s: %,d parameters", info.name(), info.parameters());
            String all = network + ", " + images + ", " + length;
            line(bar ? Wrapped.text(all, Terminal.usableColumns(), "").stripTrailing() : all);
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
        if (metrics.figures().containsKey(Workers.WAITED)) {
            secondsWaited += metrics.figure(Workers.WAITED);
        }
        if (!bar && json == null && System.nanoTime() - lastLine > NANOSECONDS_BETWEEN_LINES) {
            line("epoch " + (metrics.epoch() + 1) + "/" + info.length().epochs() + "  " + facts());
        }
    }

    @Override
    public synchronized void onEvaluation(int done, int all) {
        evaluated = done;
        toEvaluate = all;
    }

    @Override
    public synchronized void onEpoch(EpochMetrics metrics) {
        evaluated = 0;
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
                .map(t -> info.images().evaluatedOn() + " " + judge.label() + " " + judge.text(t.figure(judge))
                        + " (best "
                        + judge.text(best) + ")")
                .orElse("");
        line(Terminal.fitting(
                room(),
                String.format(
                        Locale.ROOT,
                        "epoch %" + Integer.toString(info.length().epochs()).length() + "d/%d  loss %.4f",
                        metrics.epoch(),
                        info.length().epochs(),
                        metrics.loss()),
                shown().map(figure -> "train " + figure.label() + " " + figure.text(metrics.figure(figure.name())))
                        .orElse(""),
                test,
                String.format(Locale.ROOT, "‖g‖ %.3g", metrics.gradientNorm()),
                String.format(Locale.ROOT, "lr %.3g", metrics.learningRate()),
                String.format(Locale.ROOT, "%,.0f img/s", metrics.imagesPerSecond()),
                waiting(metrics.seconds())));
    }

    /** How long a line may be: on a terminal what is of least interest is left out before it breaks. */
    private int room() {
        return bar ? Terminal.usableColumns() : Integer.MAX_VALUE;
    }

    /** How much of an epoch's time rank 0 waited for other workers; nothing where there are none. */
    private String waiting(double seconds) {
        double share = secondsWaited / seconds;
        secondsWaited = 0;
        return share == 0 ? "" : String.format(Locale.ROOT, "%.0f %% waiting", 100 * Math.min(1, share));
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
        screen.print(erased() + text + "\n");
        screen.flush();
    }

    private synchronized void draw() {
        if (step == null && evaluated == 0) {
            return;
        }
        String text = evaluated == 0
                ? Terminal.barred(WIDEST, step.step() + 1, info.length().steps(), facts())
                : Terminal.barred(
                        WIDEST,
                        evaluated,
                        toEvaluate,
                        String.format(Locale.ROOT, "evaluating, batch %,d/%,d", evaluated, toEvaluate));
        screen.print(erased() + Terminal.unbroken(text));
        screen.flush();
        drawn = text.length();
    }

    /** What removes the bar, if one is drawn. */
    private String erased() {
        String erased = drawn == 0 ? "" : Terminal.erasing(List.of(), drawn);
        drawn = 0;
        return erased;
    }

    private String facts() {
        return Terminal.fitting(
                room(),
                String.format(
                        Locale.ROOT,
                        "step %,d/%,d",
                        step.step() + 1,
                        info.length().steps()),
                left() + " left",
                shown().map(figure -> figure.label() + " " + figure.text(error)).orElse(""),
                String.format(Locale.ROOT, "loss %.3f", loss),
                String.format(Locale.ROOT, "%,.0f img/s", imagesPerSecond),
                String.format(Locale.ROOT, "‖g‖ %.3g", norm));
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
        screen.print(erased());
        screen.flush();
    }
}
