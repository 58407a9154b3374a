package io.polder.train;

import io.polder.tensor.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/**
 * Mean average precision: of each label Σ (R_n − R_(n−1))·P_n over the scores from the highest down, with the recall R and the precision P
 * of all examples that score at least so much, averaged over the labels that any example has. This is scikit-learn's {@code
 * average_precision_score(average="macro")} but for labels that no example has: those would count as 0 there and say nothing of the network.
 *
 * <p>Keeps every score: 5 bytes a label and example.
 */
final class AveragePrecision {
    private static final double NO_EXAMPLE = -1;

    private final List<float[]> scores = new ArrayList<>();
    private final List<boolean[]> truths = new ArrayList<>();
    private int labels;
    private int examples;

    /**
     * @param logits their order is that of the probabilities, which would round to 1 where a network is sure
     * @param targets a label is there where they are above ½
     */
    void add(Tensor logits, Tensor targets) {
        float[] score = numbers(logits);
        float[] target = numbers(targets);
        boolean[] truth = new boolean[target.length];
        for (int i = 0; i < truth.length; i++) {
            truth[i] = target[i] > 0.5f;
        }
        scores.add(score);
        truths.add(truth);
        labels = (int) logits.size(1);
        examples += (int) logits.size(0);
    }

    /** 0 where no example has any label; NaN where a score is. */
    double mean() {
        double sum = 0;
        int counted = 0;
        for (int label = 0; label < labels; label++) {
            double precision = of(label);
            if (precision != NO_EXAMPLE) {
                sum += precision;
                counted++;
            }
        }
        return counted == 0 ? 0 : sum / counted;
    }

    private double of(int label) {
        long[] ranked = new long[examples];
        int positives = 0;
        int at = 0;
        for (int batch = 0; batch < scores.size(); batch++) {
            float[] score = scores.get(batch);
            boolean[] truth = truths.get(batch);
            for (int i = label; i < score.length; i += labels) {
                if (Float.isNaN(score[i])) {
                    return Double.NaN;
                }
                positives += truth[i] ? 1 : 0;
                ranked[at++] = (long) sortable(score[i]) << 1 | (truth[i] ? 1 : 0);
            }
        }
        if (positives == 0) {
            return NO_EXAMPLE;
        }
        Arrays.sort(ranked);
        double sum = 0;
        long found = 0;
        long foundBefore = 0;
        for (int i = examples - 1; i >= 0; i--) {
            found += ranked[i] & 1;
            boolean isLastOfEquals = i == 0 || ranked[i - 1] >> 1 != ranked[i] >> 1;
            if (isLastOfEquals) {
                sum += (double) (found - foundBefore) / positives * found / (examples - i);
                foundBefore = found;
            }
        }
        return sum;
    }

    /** In the order of the scores, as whole numbers; both zeros are one. */
    private static int sortable(float score) {
        int bits = Float.floatToIntBits(score + 0f);
        return bits >= 0 ? bits : bits ^ Integer.MAX_VALUE;
    }

    private static float[] numbers(Tensor tensor) {
        double[] read = Numbers.of(tensor);
        float[] numbers = new float[read.length]; // as they were: half of the memory
        for (int i = 0; i < read.length; i++) {
            numbers[i] = (float) read[i];
        }
        return numbers;
    }
}
