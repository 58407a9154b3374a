package io.polder.study.trial;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.polder.train.Classification;
import io.polder.train.Figure;
import io.polder.train.Figures;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * What became of a trial: the content of {@code outcome.json}. Shares are fractions, 0 to 1; NaN stands for what was not measured.
 *
 * @param id what names the trial: {@link TrialIds}
 * @param recipe the resolved recipe as canonical YAML
 * @param name the recipe's name
 * @param method the name of the recipe's scheme: {@code standard}, {@code sam}, {@code gradient-norm-penalty} or a plug-in's
 * @param reason why it is not {@link Status#DONE}, in one sentence; empty if it is
 * @param evaluatedOn {@value #TEST} or {@value #VALIDATION}: where the numbers come from
 * @param epochs how many were done
 * @param task its {@link Figures#inFile()}
 * @param numbers the figures of evaluations, as {@link #numbers(Figures, ToDoubleFunction, double)} names them. In the file they stand
 *     beside the others.
 * @param gradientNorm the mean of ‖g1‖ over the last epoch's steps
 * @param seconds of training, evaluation and pauses left out
 * @param attempts how often it was started, resuming included
 * @param started the first time
 * @param machine what it ended on, as far as that can change last digits: the processor and the threads it had, and the versions of
 *     Polder and of the engine; and what it began on, where that differs
 */
public record TrialOutcome(
        String id,
        String recipe,
        String name,
        String method,
        long seed,
        Status status,
        String reason,
        String evaluatedOn,
        int epochs,
        @JsonInclude(JsonInclude.Include.NON_NULL) Figures task,

        @JsonAnyGetter @JsonAnySetter @JsonDeserialize(contentUsing = OutcomeJson.NumberIfAny.class)
        Map<String, Double> numbers,

        double gradientNorm,
        double parameterNorm,
        double seconds,
        double imagesPerSecond,
        int attempts,
        Instant started,
        String machine,

        @JsonDeserialize(using = LazyCurve.Deserializer.class)
        List<EpochPoint> curve) {
    public static final String TEST = "test";
    public static final String VALIDATION = "validation";

    /** How a trial ended. */
    public enum Status {
        /** Trained to its end. */
        DONE,
        /** Its loss or gradient left all bounds. It would again: a result, though not a number. */
        DIVERGED,
        /** Stopped by something else, as often as it was tried. A later study tries again. */
        FAILED
    }

    public TrialOutcome {
        if (!TrialTask.ID.matcher(id).matches()) {
            throw new IllegalArgumentException("id is '" + id + "': it must be 64 hexadecimal digits");
        }
        Objects.requireNonNull(recipe, "recipe");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(started, "started");
        Objects.requireNonNull(machine, "machine");
        if (reason.isBlank() != (status == Status.DONE)) {
            throw new IllegalArgumentException("reason is '" + reason + "' of a trial that is " + status
                    + ": all but DONE must have one, and only they");
        }
        if (!evaluatedOn.equals(TEST) && !evaluatedOn.equals(VALIDATION)) {
            throw new IllegalArgumentException(
                    "evaluatedOn is '" + evaluatedOn + "': it must be " + TEST + " or " + VALIDATION);
        }
        if (epochs < 0 || attempts < 1 || seconds < 0) {
            throw new IllegalArgumentException("epochs is " + epochs + ", attempts " + attempts + " and seconds "
                    + seconds + ": they must be at least 0, 1 and 0");
        }
        requireNotNegative("gradientNorm", gradientNorm);
        requireNotNegative("parameterNorm", parameterNorm);
        requireNotNegative("imagesPerSecond", imagesPerSecond);
        numbers = checked(Figures.ofFile(task), numbers);
        String last = lastField(Figures.ofFile(task).judge());
        if (status == Status.DONE && Double.isNaN(numbers.get(last))) {
            throw new IllegalArgumentException(last + " is NaN: a trial that is DONE must have one");
        }
        if (!(curve instanceof LazyCurve)) {
            curve = List.copyOf(curve);
            requireCurve(Figures.ofFile(task), curve);
        }
    }

    /**
     * What evaluations came to, by the names that the file has: {@code lastError} and {@code bestError} of the figure that judges, {@code
     * lastLoss} and so on of the others.
     *
     * @param last after the last epoch
     * @param best of the figure that judges, at any evaluation; choosing the epoch by it on the test set flatters
     */
    public static Map<String, Double> numbers(Figures figures, ToDoubleFunction<Figure> last, double best) {
        Figure judge = figures.judge();
        Map<String, Double> numbers = new LinkedHashMap<>();
        numbers.put(lastField(judge), last.applyAsDouble(judge));
        numbers.put(Figure.joined("best", judge.name()), best);
        figures.evaluation().forEach(figure -> numbers.putIfAbsent(lastField(figure), last.applyAsDouble(figure)));
        return numbers;
    }

    private static String lastField(Figure figure) {
        // As the first version called it.
        return figure.equals(Classification.TOP5_ERROR) ? figure.name() : Figure.joined("last", figure.name());
    }

    /** Those of the task, in their order; what a newer version may have besides is left out. */
    private static Map<String, Double> checked(Figures figures, Map<String, Double> given) {
        Map<String, Double> numbers = numbers(figures, figure -> Double.NaN, Double.NaN);
        numbers.replaceAll((name, none) -> {
            if (given.get(name) == null) {
                throw new IllegalArgumentException(name + " is missing");
            }
            return given.get(name);
        });
        figures.evaluation()
                .forEach(figure -> requireInRange(lastField(figure), figure, numbers.get(lastField(figure))));
        String best = Figure.joined("best", figures.judge().name());
        requireInRange(best, figures.judge(), numbers.get(best));
        return Collections.unmodifiableMap(numbers);
    }

    static void requireCurve(Figures figures, List<EpochPoint> curve) {
        int before = 0;
        for (EpochPoint point : curve) {
            if (point.epoch() <= before) {
                throw new IllegalArgumentException(
                        "epoch " + point.epoch() + " follows epoch " + before + ": epochs must ascend");
            }
            before = point.epoch();
            requireInRange("test", figures.judge(), point.test(figures.judge()));
            figures.training().forEach(figure -> requireInRange("train", figure, point.training(figure)));
        }
    }

    /** What its numbers are, and which of them judges. */
    public Figures figures() {
        return Figures.ofFile(task);
    }

    public Figure judge() {
        return figures().judge();
    }

    /** Of the figure that judges, after the last epoch: what tables show and searches choose by. */
    public double last() {
        return last(judge());
    }

    /** After the last epoch; NaN where the task has no such figure. */
    public double last(Figure figure) {
        return numbers.getOrDefault(lastField(figure), Double.NaN);
    }

    /** Of the figure that judges, at any evaluation. */
    public double best() {
        return numbers.get(Figure.joined("best", judge().name()));
    }

    /** Those of some outcomes: all of a study are of one task, but one that failed early does not know it. */
    public static Figures figures(List<TrialOutcome> outcomes) {
        return outcomes.stream()
                .filter(TrialOutcome::isDone)
                .findFirst()
                .or(() -> outcomes.stream().findFirst())
                .map(TrialOutcome::figures)
                .orElse(Figures.ofFile(null));
    }

    public boolean isDone() {
        return status == Status.DONE;
    }

    static void requireNotNegative(String name, double value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be at least 0");
        }
    }

    private static void requireInRange(String name, Figure figure, double value) {
        if (figure.unit() == Figure.Unit.SHARE && (value < 0 || value > 1)) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be a fraction from 0 to 1");
        }
    }
}
