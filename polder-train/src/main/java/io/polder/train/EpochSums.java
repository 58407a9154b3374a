package io.polder.train;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.polder.penalty.StepGradient;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the steps of one epoch add up to, so far.
 *
 * @param figures of the task, each times the examples of its step
 */
record EpochSums(
        long steps,
        long images,
        double loss,
        Map<String, Double> figures,
        double norms,
        double parameterNorm,
        double learningRate) {
    static final EpochSums NONE = new EpochSums(0, 0, 0, Map.of(), 0, 0, 0);

    EpochSums {
        figures = Map.copyOf(figures);
    }

    /** @param wrong what checkpoints of before there were tasks have instead of figures */
    @JsonCreator
    static EpochSums read(
            @JsonProperty("steps") long steps,
            @JsonProperty("images") long images,
            @JsonProperty("loss") double loss,
            @JsonProperty("figures") Map<String, Double> figures,
            @JsonProperty("wrong") double wrong,
            @JsonProperty("norms") double norms,
            @JsonProperty("parameterNorm") double parameterNorm,
            @JsonProperty("learningRate") double learningRate) {
        Map<String, Double> sums = figures == null ? Map.of(Classification.ERROR.name(), wrong) : figures;
        return new EpochSums(steps, images, loss, sums, norms, parameterNorm, learningRate);
    }

    /** @param figures of the step's batch */
    EpochSums plus(
            int size, StepGradient gradient, Map<String, Double> figures, double parameterNorm, double learningRate) {
        Map<String, Double> sums = new TreeMap<>(this.figures);
        figures.forEach((name, value) -> sums.merge(name, value * size, Double::sum));
        return new EpochSums(
                steps + 1,
                images + size,
                loss + gradient.loss() * size,
                sums,
                norms + gradient.referenceNorm(),
                parameterNorm,
                learningRate);
    }

    /** Of the epoch so far: means over its examples. */
    Map<String, Double> means() {
        Map<String, Double> means = new TreeMap<>(figures);
        means.replaceAll((name, sum) -> sum / images);
        return means;
    }
}
