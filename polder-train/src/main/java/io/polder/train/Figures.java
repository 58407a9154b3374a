package io.polder.train;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Which numbers a task has: enough for whoever shows or compares runs and does not know the task.
 *
 * @param judge by which runs, checkpoints and searches are judged: one of {@code evaluation}
 * @param training what each step tells beside its loss: means over its examples, so that steps add up to epochs
 * @param evaluation what an evaluation tells, its loss included, in the order in which they are shown
 */
public record Figures(Figure judge, List<Figure> training, List<Figure> evaluation) {
    /** What the records of every run have by these names, whatever its task and its scheme: any other number of a step or an epoch is a figure. */
    public static final Set<String> TAKEN = Set.of(
            "kind",
            "step",
            "steps",
            "epoch",
            "epochs",
            "loss",
            "gradientNorm",
            "mixedNorm",
            "parameterNorm",
            "learningRate",
            "imagesPerSecond",
            "seconds",
            "time",
            "images",
            "restarts");

    public Figures {
        training = List.copyOf(training);
        evaluation = List.copyOf(evaluation);
        requireDistinct(training);
        requireDistinct(evaluation);
        if (!evaluation.contains(judge)) {
            throw new IllegalArgumentException(
                    "the judge is " + judge.name() + ": it must be one of the figures of an evaluation");
        }
        training.forEach(figure -> requireFree(figure.name()));
        evaluation.stream()
                .filter(figure -> !figure.equals(Figure.loss()))
                .forEach(figure -> requireFree(figure.name()));
    }

    /** As files have it: null for the classification of images, whose files are as they were when there was no other task. */
    public Figures inFile() {
        return equals(Classification.FIGURES) ? null : this;
    }

    /** What a file means by what it has of {@link #inFile()}. */
    public static Figures ofFile(Figures inFile) {
        return inFile == null ? Classification.FIGURES : inFile;
    }

    private static void requireFree(String name) {
        if (TAKEN.contains(name)) {
            throw new IllegalArgumentException(
                    "a figure is called " + name + ": every run has a number of that name, so choose another");
        }
    }

    /** For people: the judge, then what there is besides it and the loss: {@code error 15.77 % (top-5 error 0.31 %)}. */
    public String text(ToDoubleFunction<Figure> value) {
        String others = evaluation.stream()
                .filter(figure -> !figure.equals(judge) && !figure.equals(Figure.loss()))
                .map(figure -> figure.label() + " " + figure.text(value.applyAsDouble(figure)))
                .collect(Collectors.joining(", "));
        return judge.label() + " " + judge.text(value.applyAsDouble(judge))
                + (others.isEmpty() ? "" : " (" + others + ")");
    }

    /**
     * Those of a task's training and of a scheme together.
     *
     * @throws IllegalArgumentException if one of the scheme's has a name that something else has
     */
    static Map<String, Double> ofStep(Map<String, Double> task, Map<String, Double> scheme) {
        Map<String, Double> figures = new LinkedHashMap<>(task);
        scheme.forEach((name, value) -> {
            requireFree(name);
            if (figures.put(name, value) != null) {
                throw new IllegalArgumentException(
                        "both the task and the scheme have a figure " + name + ": each must have a name of its own");
            }
        });
        return figures;
    }

    /** Of all that was counted those that are wanted: one tally may serve training and evaluation. */
    static Map<String, Double> only(List<Figure> wanted, Map<String, Double> counted) {
        Map<String, Double> figures = new LinkedHashMap<>();
        wanted.forEach(figure -> figures.put(figure.name(), counted.getOrDefault(figure.name(), Double.NaN)));
        return figures;
    }

    private static void requireDistinct(List<Figure> figures) {
        Set<String> names = new HashSet<>();
        for (Figure figure : figures) {
            if (!names.add(figure.name())) {
                throw new IllegalArgumentException(
                        "two figures are called " + figure.name() + ": each must have a name of its own");
            }
        }
    }
}
