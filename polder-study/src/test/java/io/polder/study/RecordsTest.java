package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordsTest {
    @Test
    void errorsAreFractionsOrUnknown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Samples.epoch(1, 16.4, 1))
                .withMessage("testError is 16.4: it must be a fraction from 0 to 1");
        assertThat(Samples.epoch(1, Double.NaN, 1).testError()).isNaN();
    }

    @Test
    void epochsAscend() {
        List<EpochRecord> backwards = List.of(Samples.epoch(2, 0.2, 1), Samples.epoch(1, 0.1, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TrialRecord("sam", 1, backwards, 1, 1))
                .withMessage("epoch 1 follows epoch 2: epochs must ascend");
    }

    @Test
    void aTrialEndsWithItsLastEpoch() {
        TrialRecord trial =
                new TrialRecord("sam", 1, List.of(Samples.epoch(1, 0.3, 2), Samples.epoch(2, 0.2, 0.5)), 400, 100);
        assertThat(trial.finalTestError()).isEqualTo(0.2);
        assertThat(trial.finalGradientNorm()).isEqualTo(0.5);
    }

    @Test
    void aTrialWithoutEpochsEndsUnknown() {
        TrialRecord trial = new TrialRecord("sam", 1, List.of(), 0, 0);
        assertThat(trial.finalTestError()).isNaN();
        assertThat(trial.finalGradientNorm()).isNaN();
    }

    @Test
    void everyMethodNeedsEverySeedOnce() {
        List<Method> methods = List.of(Samples.STANDARD, Samples.SAM);
        TrialRecord standard1 = new TrialRecord("standard", 1, List.of(), 0, 0);
        TrialRecord standard2 = new TrialRecord("standard", 2, List.of(), 0, 0);
        TrialRecord sam1 = new TrialRecord("sam", 1, List.of(), 0, 0);
        TrialRecord sam3 = new TrialRecord("sam", 3, List.of(), 0, 0);
        for (List<TrialRecord> unpaired : List.of(
                List.of(standard1, standard2, sam1),
                List.of(standard1, standard2, sam1, sam3),
                List.of(standard1, standard2),
                List.of(standard1, standard1, sam1, sam1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Samples.comparison(methods, unpaired))
                    .withMessageContaining("every method needs one trial for each of the seeds");
        }
        assertThat(Samples.comparison(methods, List.of(sam1, standard1)).seeds())
                .containsExactly(1);
    }

    @Test
    void aComparisonIsNotEmptyAndNamesItsMethodsOnce() {
        TrialRecord trial = new TrialRecord("sam", 1, List.of(), 0, 0);
        assertThatIllegalArgumentException().isThrownBy(() -> Samples.comparison(List.of(Samples.SAM), List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Samples.comparison(List.of(Samples.STANDARD), List.of(trial)))
                .withMessageContaining("a trial names 'sam', not one of [standard]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Samples.comparison(List.of(Samples.SAM, Samples.SAM), List.of(trial)))
                .withMessageContaining("share a name");
    }

    @Test
    void aComparisonKeepsItsOwnCopies() {
        List<TrialRecord> trials = new ArrayList<>(Samples.study().trials());
        Comparison comparison = Samples.comparison(Samples.study().methods(), trials);
        trials.clear();
        assertThat(comparison.trials()).hasSize(9);
        assertThatThrownBy(() -> comparison.settings().put("Epochs", "1"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(comparison.settings().keySet()).startsWith("Images", "Network", "Epochs");
    }
}
