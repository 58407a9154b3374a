package io.polder.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.penalty.AscentShare;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.IntermittentScheme;
import io.polder.penalty.PartwiseScheme;
import io.polder.penalty.ReusingScheme;
import io.polder.tensor.RandomStreams;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemeRecipeTest {
    @Test
    void fieldsMakeTheSchemesThatTheyName() {
        assertThat(scheme()).isInstanceOf(io.polder.penalty.GradientNormPenalty.class);
        assertThat(scheme("every=5")).isInstanceOf(IntermittentScheme.class);
        assertThat(scheme("probability=0.5")).isInstanceOf(IntermittentScheme.class);
        assertThat(scheme("every=5", "between=reuse")).isInstanceOf(ReusingScheme.class);
        assertThat(scheme("probability=0.2", "between=reuse", "reuse=0.8")).isInstanceOf(ReusingScheme.class);
        assertThat(scheme("turned=0.5", "between=reuse")).isInstanceOf(ReusingScheme.class);
        assertThat(scheme("every=5", "between=reuse", "reuse={schedule: linear, from: 0.5, to: 1.5}"))
                .isInstanceOf(ReusingScheme.class);
        assertThat(scheme("every=5", "between=reuse-by-layer")).isInstanceOf(ReusingScheme.class);
        assertThat(scheme("ascentShare=0.25")).isInstanceOf(AscentShare.class);
        assertThat(scheme("perturbationExamples=16")).isInstanceOf(PartwiseScheme.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"look-sam", "gsam", "friendly-sam", "esam", "momentum-sam"})
    void schemesOfOthersNeedARadiusOnly(String name) {
        Recipe recipe = Recipes.read("quick-fashion", List.of("scheme={name: " + name + ", r: 0.1}"));
        assertThat(recipe.scheme().called()).isEqualTo(name);
        recipe.scheme().scheme(10, 100, new RandomStreams(1)).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gsam", "friendly-sam", "esam"})
    void anySchemeOfTwoPassesMayTakeThemAtSomeStepsOnly(String name) {
        for (String when : List.of("every: 5", "probability: 0.2")) {
            assertThat(other(name, when)).isInstanceOf(IntermittentScheme.class);
        }
        assertThat(other(name, "every: null")).isNotInstanceOf(IntermittentScheme.class);
        assertThatThrownBy(() -> other(name, "every: 5, probability: 0.2"))
                .hasMessageContaining("scheme.every: contradicts scheme.probability");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gsam", "friendly-sam"})
    void theTermOfAnotherSchemeIsReused(String name) {
        assertThat(other(name, "every: 5, between: reuse")).isInstanceOf(ReusingScheme.class);
        assertThat(other(name, "turned: 0.5, between: reuse-by-layer")).isInstanceOf(ReusingScheme.class);
        assertThatThrownBy(() -> other(name, "between: reuse"))
                .hasMessageContaining("scheme.between: reuses, but no step is without a second gradient");
    }

    /** Its two gradients are of other examples. */
    @Test
    void theTermOfEsamIsNotReused() {
        assertThatThrownBy(() -> other("esam", "every: 5, between: reuse")).hasMessageContaining("scheme.between");
    }

    private static GradientScheme other(String name, String settings) {
        return Recipes.read("quick-fashion", List.of("scheme={name: " + name + ", r: 0.1, " + settings + "}"))
                .scheme()
                .scheme(10, 100, new RandomStreams(1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    every=5 probability=0.5                | scheme.every: contradicts scheme.probability
                    between=reuse                          | scheme.between: reuses, but no step is without a second gradient
                    every=5 reuse=0.8                      | scheme.reuse: is given, but nothing is reused
                    every=5 turned=0.8                     | scheme.turned: is given, but nothing is reused
                    every=5 between=reuse ascentShare=0.5  | scheme.ascentShare: is given with reuse between
                    every=5 between=reuse perturbationExamples=8 | scheme.perturbationExamples: is given with reuse between
                    ascentShare=0.5 perturbationExamples=8 | scheme.ascentShare: contradicts scheme.perturbationExamples
                    """)
    void whatContradictsIsRefusedByItsField(String settings, String sentence) {
        assertThatThrownBy(() -> scheme(settings.split(" +"))).hasMessageContaining(sentence);
    }

    @Test
    void whatARecipeOfBeforeDoesNotSayLeavesItsHash() {
        String hash = Recipes.read("quick-fashion", List.of()).hash();
        assertThat(Recipes.read("quick-fashion", List.of("scheme.every=null", "scheme.between=null"))
                        .hash())
                .isEqualTo(hash);
        assertThat(Recipes.read("quick-fashion", List.of("scheme.every=5")).hash())
                .isNotEqualTo(hash);
    }

    private static GradientScheme scheme(String... settings) {
        List<String> paths =
                Arrays.stream(settings).map(setting -> "scheme." + setting).toList();
        return Recipes.read("quick-fashion", paths).scheme().scheme(10, 100, new RandomStreams(1));
    }
}
