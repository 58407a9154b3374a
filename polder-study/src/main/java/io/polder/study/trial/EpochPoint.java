package io.polder.study.trial;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.polder.train.Figure;
import java.util.Map;

/**
 * One epoch of a trial, measured at its end. NaN stands for what was not measured or has overflowed.
 *
 * @param training the figures of the task over the epoch's training, by name
 * @param testLoss of the examples that the trial is judged by, as is {@code test}: the test set or a validation split
 * @param test the figure that judges, by name
 */
@JsonSerialize(using = EpochPointJson.Writer.class)
@JsonDeserialize(using = EpochPointJson.Reader.class)
public record EpochPoint(
        int epoch,
        double trainLoss,
        Map<String, Double> training,
        double testLoss,
        Map<String, Double> test,
        double gradientNorm,
        double parameterNorm,
        double learningRate) {
    public EpochPoint {
        if (epoch < 1) {
            throw new IllegalArgumentException("epoch is " + epoch + ": it must be at least 1");
        }
        TrialOutcome.requireNotNegative("gradientNorm", gradientNorm);
        TrialOutcome.requireNotNegative("parameterNorm", parameterNorm);
        training = Map.copyOf(training);
        test = Map.copyOf(test);
    }

    /** NaN where it was not measured. */
    public double test(Figure judge) {
        return test.getOrDefault(judge.name(), Double.NaN);
    }
}
