package io.polder.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.tensor.Scope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

class BinaryCrossEntropyTest {
    private static final float[] LOGITS = {2, -1, 0, 0.5f, -3, 1};
    private static final float[] TARGETS = {1, 0, 1, 0, 0.25f, 1};

    /** Float32 sums of six numbers of about 1. */
    private static final double ROUNDING = 1e-6;

    @Test
    void theLossIsTheMeanOverLabelsAndExamples() {
        assertThat(loss(0, LOGITS, TARGETS)).isCloseTo(byHand(0), within(ROUNDING));
    }

    @Test
    void smoothingMovesEveryTargetTowardsAHalf() {
        assertThat(loss(0.2, LOGITS, TARGETS)).isCloseTo(byHand(0.2), within(ROUNDING));
        assertThat(loss(0.2, new float[] {0}, new float[] {1})).isCloseTo(Math.log(2), within(ROUNDING));
    }

    @Test
    void aNetworkThatIsSureHasAFiniteLoss() {
        assertThat(loss(0, new float[] {1000, -1000}, new float[] {1, 0})).isZero();
        assertThat(loss(0, new float[] {1000, -1000}, new float[] {0, 1})).isEqualTo(1000);
    }

    @Test
    void probabilitiesAreOfEachLabelByItself() {
        try (var scope = Scope.open()) {
            double[][] rows = BinaryCrossEntropy.probabilities(tensor(LOGITS, 3));
            assertThat(rows).hasDimensions(2, 3);
            assertThat(rows[0]).containsExactly(new double[] {sigmoid(2), sigmoid(-1), 0.5}, within(1e-15));
            assertThat(rows[1][1]).isCloseTo(sigmoid(-3), within(1e-15));
        }
    }

    @Test
    void errorsAreTheLabelsOnTheWrongSideOfAHalf() {
        try (var scope = Scope.open()) {
            assertThat(BinaryCrossEntropy.errors(tensor(LOGITS, 3), tensor(TARGETS, 3)))
                    .isEqualTo(2); // 0 is no yes, and 0.5 is one
        }
    }

    @Test
    void badValuesAreRefused() {
        assertThatThrownBy(() -> new BinaryCrossEntropy(1))
                .hasMessage("labelSmoothing is 1.0: it must be at least 0 and below 1");
        try (var scope = Scope.open()) {
            assertThatThrownBy(() -> new BinaryCrossEntropy(0).mean(tensor(LOGITS, 3), tensor(TARGETS, 2)))
                    .hasMessage("the network has 3 outputs where there are 2 classes: give it one for each class");
        }
    }

    private static double loss(double smoothing, float[] logits, float[] targets) {
        try (var scope = Scope.open()) {
            return new BinaryCrossEntropy(smoothing)
                    .mean(tensor(logits, logits.length), tensor(targets, targets.length))
                    .item_double();
        }
    }

    private static double byHand(double smoothing) {
        double sum = 0;
        for (int i = 0; i < LOGITS.length; i++) {
            double q = (1 - smoothing) * TARGETS[i] + smoothing / 2;
            sum -= q * Math.log(sigmoid(LOGITS[i])) + (1 - q) * Math.log(1 - sigmoid(LOGITS[i]));
        }
        return sum / LOGITS.length;
    }

    private static double sigmoid(double z) {
        return 1 / (1 + Math.exp(-z));
    }

    private static Tensor tensor(float[] numbers, int columns) {
        return Tensor.create(numbers, numbers.length / columns, columns);
    }
}
