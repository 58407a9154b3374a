package io.polder.train;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a network said of examples whose classes are known, one each: which classes it confuses, and whether it knows when it does.
 *
 * @param labels the class of each example
 * @param probabilities of each example, those of all classes
 */
public record Predictions(int[] labels, List<double[]> probabilities) {
    /** Of confidence, each of the same width: what the literature on calibration uses, since Guo et al. (ICML 2017). */
    public static final int BINS = 15;

    public Predictions {
        labels = labels.clone();
        probabilities = List.copyOf(probabilities);
        if (labels.length != probabilities.size()) {
            throw new IllegalArgumentException(
                    "probabilities are of " + probabilities.size() + " examples: they must be of " + labels.length);
        }
    }

    public int size() {
        return labels.length;
    }

    /** The likeliest class; of equally likely ones the first. */
    public int guess(int example) {
        double[] each = probabilities.get(example);
        int guess = 0;
        for (int label = 1; label < each.length; label++) {
            if (each[label] > each[guess]) {
                guess = label;
            }
        }
        return guess;
    }

    /** How likely the network thinks its guess is. */
    public double confidence(int example) {
        return probabilities.get(example)[guess(example)];
    }

    public boolean isWrong(int example) {
        return guess(example) != labels[example];
    }

    /** How many examples of a class (the row) were taken for each class (the column). */
    public int[][] confusion(int classes) {
        int[][] confusion = new int[classes][classes];
        for (int i = 0; i < size(); i++) {
            confusion[labels[i]][guess(i)]++;
        }
        return confusion;
    }

    /**
     * The expected calibration error: how far confidence is from the share that is right, on average over the examples. They are put
     * into {@link #BINS} bins by confidence; Σ (n_b / n) · |right_b / n_b − mean confidence_b|. 0 is a network that is right as often as it
     * says; NaN where there are no examples.
     */
    public double calibrationError() {
        double[] excess = new double[BINS];
        for (int i = 0; i < size(); i++) {
            int bin = Math.min(BINS - 1, (int) (BINS * confidence(i)));
            excess[bin] += confidence(i) - (isWrong(i) ? 0 : 1);
        }
        return IntStream.range(0, BINS)
                        .mapToDouble(bin -> Math.abs(excess[bin]))
                        .sum()
                / size();
    }

    /** The examples that were taken for a wrong class, those of which the network was surest first. */
    public List<Integer> mostConfidentlyWrong(int most) {
        return IntStream.range(0, size())
                .filter(this::isWrong)
                .boxed()
                .sorted(Comparator.comparingDouble(example -> -confidence(example)))
                .limit(most)
                .toList();
    }
}
