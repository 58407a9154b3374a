package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PredictionsTest {
    /** Of two classes, in order: right by 0.9, wrong by 0.9, right by 0.6, wrong by 0.8. */
    private static final Predictions FOUR = of(
            new int[] {0, 0, 1, 1},
            new double[] {0.9, 0.1},
            new double[] {0.1, 0.9},
            new double[] {0.4, 0.6},
            new double[] {0.8, 0.2});

    private static Predictions of(int[] labels, double[]... probabilities) {
        return new Predictions(
                labels, Stream.of(probabilities).map(Predictions.Guess::of).toList());
    }

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
        var honest = of(new int[] {0, 1}, new double[] {0.5, 0.5}, new double[] {0.5, 0.5});
        assertThat(honest.calibrationError()).isZero();
        var certain = of(new int[] {0}, new double[] {1, 0});
        assertThat(certain.calibrationError()).isZero();
        var mistaken = of(new int[] {1}, new double[] {1, 0});
        assertThat(mistaken.calibrationError()).isEqualTo(1);
    }

    @Test
    void aBinHasTheMeanConfidenceOfItsExamplesAndTheShareThatIsRight() {
        var bins = of(new int[] {0, 1, 1}, new double[] {0.9, 0.1}, new double[] {0.88, 0.12}, new double[] {0.4, 0.6})
                .reliability();
        assertThat(bins).hasSize(Predictions.BINS);
        assertThat(bins.get(13).examples()).isEqualTo(2);
        assertThat(bins.get(13).confidence()).isCloseTo(0.89, within(1e-12));
        assertThat(bins.get(13).right()).isEqualTo(0.5);
        assertThat(bins.get(9)).isEqualTo(new Predictions.Bin(1, 0.6, 1));
        assertThat(bins.get(0)).isEqualTo(new Predictions.Bin(0, Double.NaN, Double.NaN));
    }

    @Test
    void ofEquallyLikelyClassesTheFirstIsTheGuess() {
        var even = of(new int[] {1}, new double[] {0.5, 0.5});
        assertThat(even.guess(0)).isZero();
        assertThat(even.isWrong(0)).isTrue();
    }

    @Test
    void everyExampleHasItsGuess() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(new int[2], new double[2]))
                .withMessage("guesses are for 1 examples: they must be for 2");
    }
}
