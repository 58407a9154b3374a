package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.bytedeco.pytorch.Tensor;

/** How widely first weights are spread, judged by what so many draws can tell. */
final class FirstDeviations {
    private FirstDeviations() {}

    /** The sample deviation of n normal draws has itself a relative deviation of 1/√(2n): five of those, for a fixed seed. */
    static void assertNormal(String name, Tensor parameter, double deviation) {
        double tolerance = 5 * deviation / Math.sqrt(2.0 * parameter.numel());
        assertThat(parameter.detach().std().item_double()).as(name).isCloseTo(deviation, within(tolerance));
        assertThat(parameter.detach().abs().max().item_double()).as(name).isGreaterThan(1.8 * deviation);
    }

    /** A uniform distribution has the deviation bound/√3, and no draw outside. */
    static void assertUniform(String name, Tensor parameter, double bound) {
        double deviation = bound / Math.sqrt(3);
        double tolerance = 5 * deviation / Math.sqrt(2.0 * parameter.numel());
        assertThat(parameter.detach().std().item_double()).as(name).isCloseTo(deviation, within(tolerance));
        // Bounds in single precision.
        assertThat(parameter.detach().abs().max().item_double()).as(name).isLessThanOrEqualTo(bound * (1 + 1e-6));
    }

    static void assertConstant(String name, Tensor parameter, double value) {
        assertThat(parameter.min().item_double()).as(name).isEqualTo(value);
        assertThat(parameter.max().item_double()).as(name).isEqualTo(value);
    }
}
