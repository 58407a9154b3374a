package io.polder.train;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a network said of examples whose classes are known, one each: which classes it confuses, and whether it knows when it does.
 *
 * @param labels the class of each example
 * @param guesses for each; the probabilities of all classes would be gigabytes for a large set
 */
public record Predictions(int[] labels, List<Guess> guesses) {
    /** Of confidence, each of the same width: what the literature on calibration uses, since Guo et al. (ICML 2017). */
    public static final int BINS = 15;

    public Predictions {
        labels = labels.clone();
        guesses = List.copyOf(guesses);
        if (labels.length != guesses.size()) {
            throw new IllegalArgumentException(
                    "guesses are for " + guesses.size() + " examples: they must be for " + labels.length);
        }
    }

    /**
     * What an example was taken for.
     *
     * @param confidence how likely the network thinks it is
     */
    public record Guess(int label, double confidence) {
        /** The likeliest class; of equally likely ones the first. */
        public static Guess of(double[] probabilities) {
            int guess = 0;
            for (int label = 1; label < probabilities.length; label++) {
                if (probabilities[label] > probabilities[guess]) {
                    guess = label;
                }
            }
            return new Guess(guess, probabilities[guess]);
        }
    }

    public int size() {
        return labels.length;
    }

    public int guess(int example) {
        return guesses.get(example).label();
    }

    public double confidence(int example) {
        return guesses.get(example).confidence();
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
     * The examples of which the network is about as sure.
     *
     * @param confidence their mean; NaN where there are none
     * @param right the share of them that is right; NaN where there are none
     */
    public record Bin(int examples, double confidence, double right) {}

    /** The examples by confidence, in {@link #BINS} bins of the same width, the least sure first. */
    public List<Bin> reliability() {
        int[] examples = new int[BINS];
        double[] confidence = new double[BINS];
        double[] right = new double[BINS];
        for (int i = 0; i < size(); i++) {
            int bin = Math.min(BINS - 1, (int) (BINS * confidence(i)));
            examples[bin]++;
            confidence[bin] += confidence(i);
            right[bin] += isWrong(i) ? 0 : 1;
        }
        return IntStream.range(0, BINS)
                .mapToObj(bin -> new Bin(examples[bin], confidence[bin] / examples[bin], right[bin] / examples[bin]))
                .toList();
    }

    /**
     * The expected calibration error: how far confidence is from the share that is right, on average over the examples in the bins of
     * {@link #reliability}: Σ (n_b / n) · |right_b − confidence_b|. 0 is a network that is right as often as it says; NaN where there are no
     * examples.
     */
    public double calibrationError() {
        return reliability().stream()
                        .filter(bin -> bin.examples() > 0)
                        .mapToDouble(bin -> bin.examples() * Math.abs(bin.right() - bin.confidence()))
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
