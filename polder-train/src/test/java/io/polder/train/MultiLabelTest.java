package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.tensor.Scope;
import java.util.Map;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

class MultiLabelTest {
    private static final double EXACT = 1e-15;

    /** The example of scikit-learn's average_precision_score, which prints 0.83: ½·1 + ½·⅔. */
    @Test
    void averagePrecisionIsThatOfScikitLearn() {
        assertThat(meanAveragePrecision(1, new float[] {0.1f, 0.4f, 0.35f, 0.8f}, new float[] {0, 0, 1, 1}))
                .isCloseTo(5.0 / 6, within(EXACT));
    }

    /** Its other example, which prints 0.77: the labels have 5/6, 3/4 and 3/4, two of them with scores that are equal. */
    @Test
    void theMeanIsOverLabels() {
        float[] scores = {
            0.7f, 0.2f, 0.1f, 0.4f, 0.3f, 0.3f, 0.1f, 0.8f, 0.1f, 0.2f, 0.3f, 0.5f, 0.4f, 0.4f, 0.2f, 0.1f, 0.2f, 0.7f
        };
        float[] truth = {1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1};
        assertThat(meanAveragePrecision(3, scores, truth)).isCloseTo(7.0 / 9, within(EXACT));
    }

    @Test
    void equalScoresCountTogetherWhateverTheirOrder() {
        assertThat(meanAveragePrecision(1, new float[] {1, 1, 1, 1}, new float[] {1, 0, 1, 0}))
                .isEqualTo(0.5);
        assertThat(meanAveragePrecision(1, new float[] {1, 1, 1, 1}, new float[] {0, 0, 1, 1}))
                .isEqualTo(0.5);
        assertThat(meanAveragePrecision(1, new float[] {0f, -0f}, new float[] {1, 0}))
                .isEqualTo(0.5);
    }

    @Test
    void perfectOrderIsOneAndTheWorstIsThatOfTheLastPlaces() {
        assertThat(meanAveragePrecision(1, new float[] {-5, -2, -9, 3}, new float[] {0, 1, 0, 1}))
                .isEqualTo(1);
        assertThat(meanAveragePrecision(1, new float[] {-5, -2, -9, 3}, new float[] {0, 0, 1, 0}))
                .isEqualTo(0.25);
    }

    @Test
    void aLabelThatNoExampleHasIsLeftOutOfTheMean() {
        assertThat(meanAveragePrecision(2, new float[] {1, 9, 0, 8}, new float[] {1, 0, 0, 0}))
                .isEqualTo(1);
        assertThat(meanAveragePrecision(2, new float[] {1, 9, 0, 8}, new float[] {0, 0, 0, 0}))
                .isZero();
    }

    @Test
    void aScoreThatIsNoNumberMakesTheMeanNone() {
        assertThat(meanAveragePrecision(1, new float[] {Float.NaN, 1}, new float[] {1, 0}))
                .isNaN();
    }

    @Test
    void figuresAreTheSameHoweverExamplesAreCutIntoBatches() {
        var random = new Random(7);
        float[] scores = new float[60];
        float[] truth = new float[60];
        for (int i = 0; i < 60; i++) {
            scores[i] = random.nextInt(9) - 4;
            truth[i] = random.nextInt(2);
        }
        try (var scope = Scope.open()) {
            Tensor all = Tensor.create(scores, 20, 3);
            Tensor targets = Tensor.create(truth, 20, 3);
            var whole = new MultiLabel(0).evaluationTally();
            whole.add(all, targets);
            var parts = new MultiLabel(0).evaluationTally();
            for (int first = 0; first < 20; first += 7) {
                int count = Math.min(7, 20 - first);
                parts.add(all.narrow(0, first, count), targets.narrow(0, first, count));
            }
            assertThat(parts.figures().get("meanAveragePrecision"))
                    .isEqualTo(whole.figures().get("meanAveragePrecision"));
            assertThat(parts.figures().get("labelError"))
                    .isEqualTo(whole.figures().get("labelError"));
            assertThat(parts.figures().get("loss")).isCloseTo(whole.figures().get("loss"), within(1e-6)); // float32
        }
    }

    @Test
    void evaluationIsWithoutSmoothingAndTrainingCountsWrongLabels() {
        try (var scope = Scope.open()) {
            Tensor logits = Tensor.create(new float[] {2, -1, 3, 1}, 2, 2);
            Tensor targets = Tensor.create(new float[] {1, 0, 1, 0}, 2, 2);
            var training = new MultiLabel(0.1).trainingTally();
            training.add(logits, targets);
            assertThat(training.figures()).isEqualTo(Map.of("labelError", 0.25));
            var plain = new MultiLabel(0).evaluationTally();
            var smoothed = new MultiLabel(0.1).evaluationTally();
            plain.add(logits, targets);
            smoothed.add(logits, targets);
            assertThat(smoothed.figures()).isEqualTo(plain.figures());
            assertThat(plain.figures())
                    .containsOnlyKeys(MultiLabel.FIGURES.evaluation().stream()
                            .map(Figure::name)
                            .toList());
        }
        assertThatThrownBy(() -> new MultiLabel(-1)).hasMessageStartingWith("labelSmoothing is -1.0");
    }

    private static double meanAveragePrecision(int labels, float[] scores, float[] truth) {
        try (var scope = Scope.open()) {
            var tally = new MultiLabel(0).evaluationTally();
            tally.add(
                    Tensor.create(scores, scores.length / labels, labels),
                    Tensor.create(truth, truth.length / labels, labels));
            return tally.figures().get("meanAveragePrecision");
        }
    }
}
