package io.polder.study.trial;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.polder.train.Figure;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * One epoch of a trial, measured at its end. NaN stands for what was not measured or has overflowed.
 *
 * @param numbers by the names that the file has: those of {@link #OF_EVERY_TASK}, the figures of the task over the epoch's training, as
 *     {@code trainError}, and the one that judges, as {@code testError}, of the test set or a validation split
 */
public record EpochPoint(
        int epoch,

        @JsonAnyGetter @JsonAnySetter @JsonDeserialize(contentUsing = OutcomeJson.NumberIfAny.class)
        Map<String, Double> numbers) {
    private static final String GRADIENT_NORM = "gradientNorm";
    private static final String PARAMETER_NORM = "parameterNorm";
    private static final List<String> OF_EVERY_TASK =
            List.of("trainLoss", "testLoss", GRADIENT_NORM, PARAMETER_NORM, "learningRate");

    /** As the file always had them: each loss, the figures beside it, and the rest. */
    private static final Comparator<String> ORDER =
            Comparator.comparingInt(EpochPoint::place).thenComparing(Comparator.naturalOrder());

    public EpochPoint {
        if (epoch < 1) {
            throw new IllegalArgumentException("epoch is " + epoch + ": it must be at least 1");
        }
        Map<String, Double> those = new TreeMap<>(ORDER);
        those.putAll(numbers);
        those.values().removeIf(Objects::isNull); // a newer version may have more to say than numbers
        for (String name : OF_EVERY_TASK) {
            if (!those.containsKey(name)) {
                throw new IllegalArgumentException(name + " is missing");
            }
        }
        TrialOutcome.requireNotNegative(GRADIENT_NORM, those.get(GRADIENT_NORM));
        TrialOutcome.requireNotNegative(PARAMETER_NORM, those.get(PARAMETER_NORM));
        numbers = Collections.unmodifiableMap(those);
    }

    /**
     * @param training the figures of the task over the epoch's training, by name
     * @param test the figure that judges, by name
     */
    public EpochPoint(
            int epoch,
            double trainLoss,
            Map<String, Double> training,
            double testLoss,
            Map<String, Double> test,
            double gradientNorm,
            double parameterNorm,
            double learningRate) {
        this(
                epoch,
                all(
                        training,
                        test,
                        Map.of(
                                "trainLoss",
                                trainLoss,
                                "testLoss",
                                testLoss,
                                GRADIENT_NORM,
                                gradientNorm,
                                PARAMETER_NORM,
                                parameterNorm,
                                "learningRate",
                                learningRate)));
    }

    private static Map<String, Double> all(
            Map<String, Double> training, Map<String, Double> test, Map<String, Double> others) {
        Map<String, Double> all = new HashMap<>(others);
        training.forEach((name, value) -> all.put(Figure.joined("train", name), value));
        test.forEach((name, value) -> all.put(Figure.joined("test", name), value));
        return all;
    }

    private static int place(String name) {
        if (OF_EVERY_TASK.contains(name)) {
            return 2 * OF_EVERY_TASK.indexOf(name);
        }
        return name.startsWith("train") ? 1 : name.startsWith("test") ? 3 : 2 * OF_EVERY_TASK.size();
    }

    public double gradientNorm() {
        return numbers.get(GRADIENT_NORM);
    }

    /** NaN where it was not measured. */
    public double test(Figure figure) {
        return numbers.getOrDefault(Figure.joined("test", figure.name()), Double.NaN);
    }

    /** NaN where it was not measured. */
    double training(Figure figure) {
        return numbers.getOrDefault(Figure.joined("train", figure.name()), Double.NaN);
    }
}
