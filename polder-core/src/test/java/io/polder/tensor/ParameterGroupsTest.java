package io.polder.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.tensor.ParameterGroups.Group;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenScope.class)
class ParameterGroupsTest {
    private static Map<String, Tensor> network() {
        Map<String, Tensor> named = new LinkedHashMap<>();
        named.put("stem.weight", torch.ones(2, 3, 3, 3).requires_grad_(true));
        named.put("stem.bias", torch.ones(2).requires_grad_(true));
        named.put("layer1.0.weight", torch.ones(3, 2).requires_grad_(true));
        named.put("fc.bias", torch.ones(3).requires_grad_(true));
        return named;
    }

    private static ParameterGroups groups(Group... groups) {
        return new ParameterGroups(List.of(groups));
    }

    @Test
    void aStarStandsForAnyLettersDotsTooAndOtherLettersForThemselves() {
        assertThat(new Group("stem.*", null, null, null).matches("stem.weight")).isTrue();
        assertThat(new Group("stem.*", null, null, null).matches("stemXweight")).isFalse();
        assertThat(new Group("stem.*", null, null, null).matches("my.stem.weight"))
                .isFalse();
        assertThat(new Group("*.bias", null, null, null).matches("layer1.0.bias"))
                .isTrue();
        assertThat(new Group("layer1*weight", null, null, null).matches("layer1.0.weight"))
                .isTrue();
        assertThat(new Group("*", null, null, null).matches("fc.bias")).isTrue();
        assertThat(new Group("fc", null, null, null).matches("fc.bias")).isFalse();
    }

    @Test
    void theLastGroupThatSaysSomethingOfAMatterCounts() {
        var groups = groups(
                new Group("*", 0.5, 2.0, true),
                new Group("fc.*", null, null, false),
                new Group("*.bias", null, 0.0, null));
        assertThat(groups.isFrozen("stem.weight")).isTrue();
        assertThat(groups.isFrozen("fc.bias")).isFalse();
        assertThat(groups.learningRateFactor("fc.bias")).isEqualTo(0.5);
        assertThat(groups.decayFactor("fc.bias")).isZero();
        assertThat(groups.decayFactor("fc.weight")).isEqualTo(2);
        assertThat(ParameterGroups.NONE.learningRateFactor("fc.bias")).isEqualTo(1);
        assertThat(ParameterGroups.NONE.isFrozen("fc.bias")).isFalse();
    }

    @Test
    void factorsAreAVectorOnlyWhereOneOfThemIsNotOne() {
        try (var flat = FlatParameters.of(network())) {
            assertThat(ParameterGroups.NONE.learningRates(flat)).isNull();
            assertThat(groups(new Group("*", 1.0, null, null)).learningRates(flat))
                    .isNull();
            try (FlatVector decays =
                    groups(new Group("*.bias", null, 0.25, null)).decays(flat)) {
                double[] expected = new double[54 + 2 + 6 + 3];
                Arrays.fill(expected, 1);
                for (int i : new int[] {54, 55, 62, 63, 64}) {
                    expected[i] = 0.25;
                }
                assertThat(decays.toArray()).isEqualTo(expected);
            }
        }
    }

    @Test
    void whatIsFrozenRequiresNoGradientAndLiesChannelsLast() {
        var named = network();
        groups(new Group("stem.*", null, null, true)).freeze(named);
        assertThat(named.get("stem.weight").requires_grad()).isFalse();
        assertThat(named.get("stem.weight").is_contiguous(torch.MemoryFormat.ChannelsLast))
                .isTrue();
        assertThat(named.get("stem.bias").requires_grad()).isFalse();
        assertThat(named.get("fc.bias").requires_grad()).isTrue();
    }

    @Test
    void namesThatNoParameterHasAreRefusedWithWhatWasMeant() {
        assertThatThrownBy(() -> groups(new Group("*", 0.1, null, null), new Group("layr1.*", null, null, true))
                        .freeze(network()))
                .hasMessage(
                        "parameters[1].names is \"layr1.*\", and no parameter of the network is called so: did you mean \"layer1.*\"?");
        assertThatThrownBy(() -> groups(new Group("*.bais", null, null, true)).freeze(network()))
                .hasMessageEndingWith(": did you mean \"*.bias\"?");
        assertThatThrownBy(() -> groups(new Group("transformer.encoder", null, null, true))
                        .freeze(network()))
                .hasMessageEndingWith(": their names are such as stem.weight, stem.bias, layer1.0.weight, fc.bias");
        var named = network();
        assertThatThrownBy(() -> groups(new Group("*", null, null, true)).freeze(named))
                .hasMessage(
                        "parameters freezes every parameter of the network: leave one to train, such as the last layer");
        assertThat(named.values()).allMatch(Tensor::requires_grad);
        assertThatThrownBy(() -> new Group("*", 0.0, null, null))
                .hasMessage("learningRateFactor is 0.0: it must be a finite number above 0");
    }
}
