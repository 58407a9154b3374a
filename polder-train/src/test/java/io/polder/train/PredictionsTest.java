package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class PredictionsTest {
    /** Of two classes, in order: right by 0.9, wrong by 0.9, right by 0.6, wrong by 0.8. */
    private static final Predictions FOUR = new Predictions(
            new int[] {0, 0, 1, 1},
            List.of(new double[] {0.9, 0.1}, new double[] {0.1, 0.9}, new double[] {0.4, 0.6}, new double[] {0.8, 0.2
            }));

    @Test
    void aRowOfTheConfusionHasTheImagesOfAClassAndAColumnWhatTheyWereTakenFor() {
        assertThat(FOUR.confusion(2)).isDeepEqualTo(new int[][] {{1, 1}, {1, 1}});
        assertThat(FOUR.confusion(3)[2]).containsExactly(0, 0, 0);
    }

    @Test
    void thoseThatWereSurestAndWrongComeFirst() {
        assertThat(FOUR.mostConfidentlyWrong(9)).containsExactly(1, 3);
        assertThat(FOUR.mostConfidentlyWrong(1)).containsExactly(1);
        assertThat(FOUR.mostConfidentlyWrong(0)).isEmpty();
    }

    /** In fifteenths 0.9 is in the 14th bin with one of two right, 0.6 in the 10th, 0.8 in the 13th: (0.8 + 0.4 + 0.8) / 4. */
    @Test
    void theCalibrationErrorIsHowFarConfidenceIsFromTheShareThatIsRight() {
        assertThat(FOUR.calibrationError()).isCloseTo(0.5, within(1e-12));
        var honest = new Predictions(new int[] {0, 1}, List.of(new double[] {0.5, 0.5}, new double[] {0.5, 0.5}));
        assertThat(honest.calibrationError()).isZero();
        var certain = new Predictions(new int[] {0}, List.of(new double[] {1, 0}));
        assertThat(certain.calibrationError()).isZero();
        var mistaken = new Predictions(new int[] {1}, List.of(new double[] {1, 0}));
        assertThat(mistaken.calibrationError()).isEqualTo(1);
    }

    @Test
    void ofEquallyLikelyClassesTheFirstIsTheGuess() {
        var even = new Predictions(new int[] {1}, List.of(new double[] {0.5, 0.5}));
        assertThat(even.guess(0)).isZero();
        assertThat(even.isWrong(0)).isTrue();
    }

    @Test
    void everyExampleHasItsProbabilities() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Predictions(new int[2], List.of(new double[2])))
                .withMessage("probabilities are of 1 examples: they must be of 2");
    }
}
