package io.polder.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.tensor.Numbers;
import io.polder.tensor.Scope;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

/**
 * Class weights and the focal loss. The golden numbers are PyTorch 2.10's, in double precision: {@code cross_entropy} with probabilities and {@code
 * weight}, {@code binary_cross_entropy_with_logits} with {@code pos_weight}, torchvision's {@code sigmoid_focal_loss} with {@code alpha=-1}, and
 * −(1 − p)^γ·log p of {@code log_softmax}.
 */
class WeightedLossesTest {
    private static final float[] LOGITS = {2, -1, 0, 0.5f, -3, 1};
    private static final float[] PROBABILITIES = {0, 1, 0, 0.25f, 0, 0.75f};
    private static final float[] ONE_HOT = {0, 1, 0, 0, 0, 1};
    private static final float[] LABELS = {1, 0, 1, 0, 0, 1};
    private static final List<Double> WEIGHTS = List.of(0.5, 2.0, 1.25);
    private static final List<Double> ONES = List.of(1.0, 1.0, 1.0);

    /** Float32 sums of six numbers of about 1. */
    private static final double ROUNDING = 1e-6;

    @Test
    void weightedCrossEntropyIsThatOfPyTorch() {
        assertThat(loss(new SoftCrossEntropy(0, WEIGHTS), PROBABILITIES)).isCloseTo(3.45897179578, within(ROUNDING));
        assertThat(loss(new SoftCrossEntropy(0.1, WEIGHTS), PROBABILITIES)).isCloseTo(3.43319498571, within(ROUNDING));
    }

    @Test
    void weightedBinaryCrossEntropyIsThatOfPyTorch() {
        assertThat(loss(new BinaryCrossEntropy(0, WEIGHTS), LABELS)).isCloseTo(0.44290018565, within(ROUNDING));
    }

    @Test
    void theFocalLossOfLabelsIsThatOfTorchvision() {
        assertThat(loss(FocalLoss.ofLabels(2, 0, List.of()), LABELS)).isCloseTo(0.09965455953, within(ROUNDING));
        assertThat(loss(FocalLoss.ofLabels(0.5, 0, List.of()), LABELS)).isCloseTo(0.27299233460, within(ROUNDING));
    }

    @Test
    void theFocalLossOfOneClassIsItsFormula() {
        assertThat(loss(FocalLoss.ofOneClass(2, 0, List.of()), ONE_HOT)).isCloseTo(1.49044719126, within(ROUNDING));
        assertThat(loss(FocalLoss.ofOneClass(0.5, 0, WEIGHTS), ONE_HOT)).isCloseTo(3.29068500263, within(ROUNDING));
        assertThat(gradient(FocalLoss.ofOneClass(2, 0, List.of()), LOGITS, ONE_HOT))
                .containsExactly(
                        new double[] {0.49483794, -0.56180698, 0.06696903, 0.07048601, 0.00212849, -0.07261450},
                        within(ROUNDING));
    }

    /** Two classes and the logits 0, ln 3: p of the right one is ¾, so (1 − p)²·log p is ln(¾)/16. */
    @Test
    void byHand() {
        float[] logits = {0, (float) Math.log(3)};
        assertThat(loss(FocalLoss.ofOneClass(2, 0, List.of()), logits, new float[] {0, 1}))
                .isCloseTo(Math.log(4.0 / 3) / 16, within(ROUNDING));
        assertThat(loss(FocalLoss.ofOneClass(2, 0, List.of(1.0, 8.0)), logits, new float[] {0, 1}))
                .isCloseTo(Math.log(4.0 / 3) / 2, within(ROUNDING));
        assertThat(loss(new SoftCrossEntropy(0, List.of(3.0, 5.0)), new float[] {0, 0}, new float[] {1, 0}))
                .isCloseTo(3 * Math.log(2), within(ROUNDING));
        assertThat(loss(new BinaryCrossEntropy(0, List.of(3.0)), new float[] {0}, new float[] {1}))
                .isCloseTo(3 * Math.log(2), within(ROUNDING));
        assertThat(loss(new BinaryCrossEntropy(0, List.of(3.0)), new float[] {0}, new float[] {0}))
                .as("no is not weighted")
                .isCloseTo(Math.log(2), within(ROUNDING));
    }

    @Test
    void gammaZeroIsCrossEntropy() {
        for (double smoothing : new double[] {0, 0.2}) {
            assertThat(loss(FocalLoss.ofOneClass(0, smoothing, WEIGHTS), PROBABILITIES))
                    .isCloseTo(loss(new SoftCrossEntropy(smoothing, WEIGHTS), PROBABILITIES), within(ROUNDING));
            assertThat(loss(FocalLoss.ofLabels(0, smoothing, WEIGHTS), LABELS))
                    .isCloseTo(loss(new BinaryCrossEntropy(smoothing, WEIGHTS), LABELS), within(ROUNDING));
        }
    }

    @Test
    void weightsOfOneChangeNothing() {
        assertThat(loss(new SoftCrossEntropy(0.1, ONES), PROBABILITIES))
                .isEqualTo(loss(new SoftCrossEntropy(0.1), PROBABILITIES));
        assertThat(loss(new BinaryCrossEntropy(0.1, ONES), LABELS))
                .isCloseTo(loss(new BinaryCrossEntropy(0.1), LABELS), within(ROUNDING));
    }

    /** A power below 1 has no derivative at 0, where p is 1. */
    @Test
    void aNetworkThatIsSureHasAFiniteLossAndGradient() {
        float[] sure = {1000, -1000, 0, 1000, -1000, 0};
        for (Loss loss : List.of(
                FocalLoss.ofOneClass(0.5, 0, WEIGHTS),
                FocalLoss.ofOneClass(0, 0, List.of()),
                FocalLoss.ofOneClass(2, 0, List.of()),
                FocalLoss.ofLabels(0.5, 0, WEIGHTS),
                FocalLoss.ofLabels(2, 0, List.of()))) {
            for (float[] targets : new float[][] {{1, 0, 0, 0, 1, 0}, {1, 0, 0, 1, 0, 0}}) {
                assertThat(loss(loss, sure, targets)).isFinite();
                assertThat(gradient(loss, sure, targets))
                        .doesNotContain(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
            }
        }
    }

    @Test
    void thePartsOfABatchAddUpByTheirSizes() {
        for (Loss loss : List.of(
                new SoftCrossEntropy(0.1, WEIGHTS),
                new BinaryCrossEntropy(0.1, WEIGHTS),
                FocalLoss.ofOneClass(2, 0.1, WEIGHTS),
                FocalLoss.ofLabels(2, 0.1, WEIGHTS))) {
            try (var scope = Scope.open()) {
                Tensor logits = tensor(LOGITS);
                Tensor targets = tensor(PROBABILITIES);
                double[] each = Numbers.of(loss.each(logits, targets));
                assertThat(each).hasSize(2);
                assertThat(loss.mean(logits, targets).item_double())
                        .isCloseTo((each[0] + each[1]) / 2, within(ROUNDING));
                assertThat(loss.mean(logits.narrow(0, 1, 1), targets.narrow(0, 1, 1))
                                .item_double())
                        .isCloseTo(each[1], within(ROUNDING));
            }
        }
    }

    @Test
    void badValuesAreRefused() {
        assertThatThrownBy(() -> new SoftCrossEntropy(0, List.of(1.0, 0.0)))
                .hasMessage("a class weight is 0.0: it must be a finite number above 0");
        assertThatThrownBy(() -> FocalLoss.ofLabels(-1, 0, List.of()))
                .hasMessage("gamma is -1.0: it must be a finite number of at least 0");
        assertThatThrownBy(() -> loss(new BinaryCrossEntropy(0, List.of(1.0, 2.0)), LABELS))
                .hasMessage("there are 2 class weights where there are 3 classes: give one for each class");
    }

    private static double loss(Loss loss, float[] targets) {
        try (var scope = Scope.open()) {
            return loss.mean(tensor(LOGITS), tensor(targets)).item_double();
        }
    }

    /** Of one example, or of examples of three classes. */
    private static double loss(Loss loss, float[] logits, float[] targets) {
        int columns = logits.length == 6 ? 3 : logits.length;
        try (var scope = Scope.open()) {
            return loss.mean(
                            Tensor.create(logits, logits.length / columns, columns),
                            Tensor.create(targets, targets.length / columns, columns))
                    .item_double();
        }
    }

    private static double[] gradient(Loss loss, float[] logits, float[] targets) {
        try (var scope = Scope.open()) {
            Tensor recorded = tensor(logits).requires_grad_(true);
            loss.mean(recorded, tensor(targets)).backward();
            return Numbers.of(recorded.grad());
        }
    }

    private static Tensor tensor(float[] numbers) {
        return Tensor.create(numbers, 2, 3);
    }
}
