package io.polder.metrics;

import io.polder.train.EpochMetrics;
import io.polder.train.StepMetrics;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Figures under the names by which other programs show them, in groups, as is their custom: {@code test/top5_error}. */
public final class FiguresByTag {
    private FiguresByTag() {}

    public static Map<String, Double> of(StepMetrics step) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("train/loss", step.loss());
        figures.put("train/gradient_norm", step.referenceNorm());
        figures.put("train/parameter_norm", step.parameterNorm());
        figures.put("train/learning_rate", step.learningRate());
        figures.put("speed/images_per_second", step.imagesPerSecond());
        figures.putAll(grouped("train/", step.figures()));
        return figures;
    }

    /** Of the examples that were not trained on; empty where there was no evaluation. */
    static Map<String, Double> ofTest(EpochMetrics epoch) {
        return epoch.test().map(test -> grouped("test/", test.figures())).orElse(Map.of());
    }

    static Map<String, Double> ofProbes(EpochMetrics epoch) {
        return grouped("probe/", epoch.probes());
    }

    /** The means of its training, its evaluation and its probes. */
    public static Map<String, Double> of(EpochMetrics epoch) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("epoch/loss", epoch.loss());
        figures.put("epoch/gradient_norm", epoch.gradientNorm());
        figures.put("epoch/parameter_norm", epoch.parameterNorm());
        figures.put("epoch/learning_rate", epoch.learningRate());
        figures.put("epoch/images_per_second", epoch.imagesPerSecond());
        figures.put("epoch/seconds", epoch.seconds());
        figures.putAll(grouped("epoch/", epoch.figures()));
        figures.putAll(ofTest(epoch));
        figures.putAll(ofProbes(epoch));
        return figures;
    }

    private static Map<String, Double> grouped(String group, Map<String, Double> figures) {
        Map<String, Double> grouped = new LinkedHashMap<>();
        new TreeMap<>(figures)
                .forEach((name, value) ->
                        grouped.put(group + name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT), value));
        return grouped;
    }
}
