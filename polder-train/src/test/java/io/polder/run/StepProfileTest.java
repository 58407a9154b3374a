package io.polder.run;

import static io.polder.run.TinyRun.SETTINGS;
import static io.polder.run.TinyRun.recipe;
import static org.assertj.core.api.Assertions.assertThat;

import io.polder.run.StepProfile.Part;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepProfileTest {
    @Test
    void meansAreOverStepsAndAnEpochHasItsShareOfEvaluations() {
        var one = Map.of(Part.LOADER, 0.0, Part.TENSORS, 1.0, Part.FORWARD, 2.0, Part.BACKWARD, 4.0, Part.FLAT, 1.0);
        var other = Map.of(Part.LOADER, 2.0, Part.TENSORS, 1.0, Part.FORWARD, 4.0, Part.BACKWARD, 4.0, Part.FLAT, 1.0);
        var profile = new StepProfile(List.of(one, other), 10, 30, 5);
        assertThat(profile.mean(Part.LOADER)).isEqualTo(1);
        assertThat(profile.mean(Part.FORWARD)).isEqualTo(3);
        assertThat(profile.step()).isEqualTo(10);
        assertThat(profile.evaluationOfEpoch()).isEqualTo(6);
        assertThat(profile.epoch()).isEqualTo(106);
    }

    @Test
    void everySchemeIsTimedWholeAlsoOneThatTakesPartsOfABatch() throws IOException {
        for (String scheme :
                List.of("standard", "{name: sam, r: 0.05, perturbationExamples: 4}", "{name: esam, r: 0.05}")) {
            StepProfile profile =
                    StepProfile.measure(recipe("scheme=" + scheme), SETTINGS, 2, 9, () -> false, done -> {});
            assertThat(profile.steps()).hasSize(9).allSatisfy(step -> {
                assertThat(step).containsOnlyKeys(Part.values());
                assertThat(step.get(Part.FORWARD)).isPositive();
                assertThat(step.get(Part.BACKWARD)).isPositive();
            });
            assertThat(profile.stepsPerEpoch()).isEqualTo(8);
            assertThat(profile.evaluation()).isPositive();
        }
    }

    @Test
    void oneThatIsStoppedHasWhatItTimed() throws IOException {
        int[] steps = {0};
        StepProfile profile =
                StepProfile.measure(recipe(), SETTINGS, 2, 100, () -> steps[0] == 5, done -> steps[0] = done);
        assertThat(profile.steps()).hasSize(3);
        assertThat(profile.evaluation()).isNaN();
    }
}
