package io.polder.run;

import io.polder.recipe.Recipe;
import io.polder.train.DivergedException;
import io.polder.train.StepMetrics;
import io.polder.train.Trainer;
import io.polder.train.TrainingListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * How the loss of a recipe's first steps goes with the learning rate, which grows by the same factor from step to step (Smith, WACV 2017): too
 * small a rate leaves the loss where it is, too large a one makes it rise.
 *
 * @param end why it ended
 */
public record RateRange(List<Point> points, End end) {
    /** What a step's loss counts in the smoothed one, which single batches would make jump: a tenth. */
    static final double NEWEST = 0.1;

    /** So many times its lowest value so far the smoothed loss must be to end it. */
    static final double DIVERGED = 4;

    /** What is suggested is the rate of the lowest loss divided by this: where that is, the loss is about to rise. */
    public static final double MARGIN = 10;

    /**
     * One step.
     *
     * @param smoothed an exponential average of the losses so far, without its bias to the first
     */
    public record Point(long step, double learningRate, double loss, double smoothed) {}

    /** Why it ended. */
    public enum End {
        /** The largest rate was reached. */
        WHOLE,
        /** The loss or a gradient was no number, or the loss far above its lowest. */
        DIVERGED,
        /** Somebody asked for it. */
        STOPPED
    }

    /** Which rates. */
    public record Range(double from, double to, int steps) {
        public Range {
            if (!(from > 0 && from < to && to < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "the rates are " + from + " to " + to + ": they must be above 0, the first below the last");
            }
            if (steps < 10 || steps > 1_000_000) {
                throw new IllegalArgumentException("steps is " + steps + ": it must be 10 to 1000000");
            }
        }

        double at(long step) {
            return from * Math.pow(to / from, (double) step / (steps - 1));
        }
    }

    public RateRange {
        points = List.copyOf(points);
    }

    /**
     * Trains the recipe, from its first weights, at growing rates. Nothing is written.
     *
     * @param stop looked at before each step
     * @param watcher is told of each step
     */
    public static RateRange measure(
            Recipe recipe, RunSettings settings, Range range, BooleanSupplier stop, Consumer<Point> watcher)
            throws IOException {
        var steps = new Steps(watcher);
        try (var rehearsal = new Rehearsal(recipe, settings);
                var trainer = new Trainer(
                        rehearsal.network(),
                        rehearsal.plan().endless(range::at),
                        rehearsal.images().forTraining(),
                        settings.device(),
                        rehearsal.streams(),
                        List.of(steps))) {
            trainer.run(() -> steps.points.size() == range.steps() || steps.hasDiverged() || stop.getAsBoolean());
        } catch (DivergedException e) {
            return new RateRange(steps.points, End.DIVERGED);
        }
        return new RateRange(
                steps.points,
                steps.hasDiverged() ? End.DIVERGED : steps.points.size() == range.steps() ? End.WHOLE : End.STOPPED);
    }

    /** Where the smoothed loss was lowest; empty where nothing was measured. */
    public Optional<Point> lowest() {
        return points.stream().min(Comparator.comparingDouble(Point::smoothed));
    }

    /**
     * A learning rate to begin with: that of the lowest smoothed loss, divided by {@link #MARGIN}. Empty where the loss was lowest in the first
     * tenth of the steps, so that it did not fall, or where it was in the last step and might have fallen further.
     */
    public Optional<Double> suggestion() {
        return lowest().filter(point -> point.step() >= points.size() / 10 && (end == End.DIVERGED || !isLast(point)))
                .map(point -> point.learningRate() / MARGIN);
    }

    private boolean isLast(Point point) {
        return point.step() == points.size() - 1;
    }

    /** Whether the loss was still falling when the largest rate was reached. */
    public boolean isTooShort() {
        return end == End.WHOLE && lowest().filter(this::isLast).isPresent();
    }

    private static final class Steps implements TrainingListener {
        private final List<Point> points = new ArrayList<>();
        private final Consumer<Point> watcher;
        private double sum;
        private double weights;
        private double lowest = Double.POSITIVE_INFINITY;

        Steps(Consumer<Point> watcher) {
            this.watcher = watcher;
        }

        @Override
        public void onStep(StepMetrics metrics) {
            sum += NEWEST * (metrics.loss() - sum);
            weights += NEWEST * (1 - weights);
            var point = new Point(metrics.step(), metrics.learningRate(), metrics.loss(), sum / weights);
            points.add(point);
            lowest = Math.min(lowest, point.smoothed());
            watcher.accept(point);
        }

        boolean hasDiverged() {
            return !points.isEmpty() && points.get(points.size() - 1).smoothed() > DIVERGED * lowest;
        }
    }
}
