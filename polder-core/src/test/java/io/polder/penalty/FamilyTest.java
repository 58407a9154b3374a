package io.polder.penalty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.nn.Pass;
import io.polder.schedule.Schedule;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cheaper schemes and those of others on L = ½ θᵀAθ + ¼ Σθ⁴: by their laws, and beside a public library's steps, which
 * {@code tools/golden-schemes.py} wrote.
 */
class FamilyTest {
    private static final double[] A = {3, 1, 0, 1, 2, -0.5, 0, -0.5, 0.7};
    private static final double[] START = {0.4, -1.1, 2.0};
    private static final double RATE = 0.05;

    private Scope scope;
    private Tensor theta;
    private FlatParameters parameters;
    private final List<Pass> passes = new ArrayList<>();

    @BeforeEach
    void makeParameters() {
        scope = Scope.open();
        theta = vector(START).set_requires_grad(true);
        parameters = FlatParameters.of(Map.of("theta", theta));
    }

    @AfterEach
    void free() {
        parameters.close();
        scope.close();
    }

    /** A batch of examples, of which the loss of example i is i times that of the surface. */
    private final class Surface implements LossPass {
        private final long[] examples;

        Surface(long... examples) {
            this.examples = examples;
        }

        @Override
        public double compute(Pass pass) {
            passes.add(pass);
            parameters.gradient().setZero();
            double factor = Arrays.stream(examples).average().orElseThrow();
            Tensor loss = height().mul(new Scalar(factor));
            loss.backward();
            return loss.item_double();
        }

        private Tensor height() {
            Tensor bowl = theta.dot(vector(A).view(3, 3).mv(theta)).mul(new Scalar(0.5));
            return bowl.add(theta.pow(new Scalar(4)).sum().mul(new Scalar(0.25)));
        }

        @Override
        public double compute(Pass pass, double[] losses) {
            System.arraycopy(losses(pass), 0, losses, 0, losses.length);
            return compute(pass);
        }

        @Override
        public double[] losses(Pass pass) {
            double height = height().item_double();
            return Arrays.stream(examples).mapToDouble(i -> i * height).toArray();
        }

        @Override
        public long examples() {
            return examples.length;
        }

        @Override
        public LossPass part(long from, long some) {
            return new Surface(Arrays.copyOfRange(examples, (int) from, (int) (from + some)));
        }

        @Override
        public LossPass only(long... places) {
            return new Surface(Arrays.stream(places).map(i -> examples[(int) i]).toArray());
        }
    }

    /** The mean loss of these is the surface itself. */
    private final LossPass surface = new Surface(0, 1, 2);

    static Stream<Arguments> schemesOfOthers() {
        var always = Schedule.constant(0.3);
        return Stream.of(
                Arguments.of("sam", (Supplier<GradientScheme>) () -> GradientScheme.sam(0.3)),
                Arguments.of("gsam", (Supplier<GradientScheme>) () ->
                        new GradientNormPenalty(Coefficients.constant(0.3, 0.4), Perturbation.L2, Mix.SURROGATE_GAP)),
                // WSAM's γ is the penalty's α = γ/(1 − γ)
                Arguments.of("wsam", (Supplier<GradientScheme>)
                        () -> GradientScheme.gradientNormPenalty(0.3, 0.4 / (1 - 0.4))),
                Arguments.of("looksam", (Supplier<GradientScheme>) () -> new ReusingScheme(
                        GradientScheme.sam(0.3), Turns.every(3), -1, Reuse.ORTHOGONAL, Schedule.constant(0.7))),
                Arguments.of("friendly", (Supplier<GradientScheme>) () -> new FriendlySam(always, 0.8, 0.9)));
    }

    /** Its ε of 1e-12 and 1e-8 in quotients are not ours. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("schemesOfOthers")
    void stepsEqualThoseOfAPublicLibrary(String name, Supplier<GradientScheme> made) throws IOException {
        JsonNode golden;
        try (var file = FamilyTest.class.getResourceAsStream("/golden/schemes.json")) {
            golden = new ObjectMapper().readTree(file).get(name);
        }
        assertThat(golden).hasSize(7);
        try (var scheme = made.get()) {
            for (int step = 0; step < golden.size(); step++) {
                descend(scheme, step);
                for (int i = 0; i < 3; i++) {
                    assertThat(parameters.values().toArray()[i])
                            .as("step %d, element %d", step, i)
                            .isCloseTo(golden.get(step).get(i).asDouble(), within(1e-7));
                }
            }
        }
    }

    @Test
    void reuseAddsTheLastDifferenceToTheFreshGradient() {
        double share = 0.8;
        try (var scheme = reusing(Turns.every(3), -1, share)) {
            descend(scheme, 0);
            double[] theta0 = START;
            double[] mixed = gradientOf(GradientScheme.gradientNormPenalty(0.3, 0.6), theta0);
            double[] plain = gradientOf(GradientScheme.standard(), theta0);
            for (int step = 1; step < 3; step++) {
                double[] here = parameters.values().toArray();
                passes.clear();
                scheme.computeGradient(surface, parameters, step);
                assertThat(passes).containsExactly(Pass.ONLY);
                double[] g = parameters.gradient().toArray();
                double[] fresh = gradientOf(GradientScheme.standard(), here);
                for (int i = 0; i < 3; i++) {
                    assertThat(g[i]).isCloseTo(fresh[i] + share * (mixed[i] - plain[i]), within(1e-13));
                }
            }
            passes.clear();
            StepGradient renewed = scheme.computeGradient(surface, parameters, 3);
            assertThat(passes).containsExactly(Pass.REFERENCE, Pass.PERTURBED);
            assertThat(renewed.figures()).containsEntry(ReusingScheme.PASSES, 2.0);
        }
    }

    @Test
    void reuseAtEveryStepIsTheSchemeBitForBit() {
        try (var scheme = reusing(Turns.every(1), -1, 1)) {
            for (int step = 0; step < 4; step++) {
                scheme.computeGradient(surface, parameters, step);
                double[] g = parameters.gradient().toArray();
                assertThat(g)
                        .isEqualTo(gradientOf(
                                GradientScheme.gradientNormPenalty(0.3, 0.6),
                                parameters.values().toArray()));
                parameters.values().add(-RATE, parameters.gradient());
            }
        }
    }

    @Test
    void withNothingToReuseItIsStandardBitForBit() {
        try (var scheme = reusing(Turns.every(2), -1, 0)) {
            descend(scheme, 0);
            scheme.computeGradient(surface, parameters, 1);
            assertThat(parameters.gradient().toArray())
                    .isEqualTo(gradientOf(
                            GradientScheme.standard(), parameters.values().toArray()));
        }
    }

    @Test
    void howMuchIsReusedMayChangeOverTheSteps() {
        try (var growing = reusing(Turns.every(1000), -1, Schedule.linear(0, 1, 4));
                var half = reusing(Turns.every(1000), -1, 0.5)) {
            growing.computeGradient(surface, parameters, 0);
            half.computeGradient(surface, parameters, 0);
            growing.computeGradient(surface, parameters, 2);
            double[] g = parameters.gradient().toArray();
            half.computeGradient(surface, parameters, 2);
            assertThat(g).isEqualTo(parameters.gradient().toArray());
            growing.computeGradient(surface, parameters, 3);
            assertThat(g).isNotEqualTo(parameters.gradient().toArray());
        }
        assertThatThrownBy(() ->
                        reusing(Turns.every(2), -1, Schedule.linear(1, 0, 4).times(step -> Double.NaN)))
                .hasMessage("reuse is NaN: it must be a finite number");
    }

    /** θ is one layer here. */
    @Test
    void reuseByLayerAddsAsMuchOfTheDifferenceAsTheGradientStillPointsThere() {
        double share = 0.8;
        try (var scheme = new ReusingScheme(
                GradientScheme.gradientNormPenalty(0.3, 0.6),
                Turns.every(1000),
                ReusingScheme.NEVER,
                Reuse.DIFFERENCE_BY_LAYER,
                Schedule.constant(share))) {
            descend(scheme, 0);
            double[] mixed = gradientOf(GradientScheme.gradientNormPenalty(0.3, 0.6), START);
            double[] then = gradientOf(GradientScheme.standard(), START);
            for (double[] here : List.of(START, new double[] {-0.3, -1, 1}, new double[] {-0.4, 1.1, -2})) {
                setTheta(here);
                scheme.computeGradient(surface, parameters, 1);
                double[] g = parameters.gradient().toArray();
                double[] now = gradientOf(GradientScheme.standard(), here);
                double cosine = dot(now, then) / (norm(now) * norm(then));
                for (int i = 0; i < 3; i++) {
                    double term = share * Math.max(0, cosine) * (mixed[i] - then[i]);
                    assertThat(g[i]).isCloseTo(now[i] + term, within(1e-13));
                }
            }
        }
    }

    @Test
    void nothingIsReusedOfGradientsOfOtherExamples() {
        for (var part : List.of(
                new AscentShare(GradientScheme.sam(0.3), 0.5), new PartwiseScheme(GradientScheme.sam(0.3), 2))) {
            var scheme = new ReusingScheme(
                    part, Turns.every(3), ReusingScheme.NEVER, Reuse.DIFFERENCE, Schedule.constant(1));
            assertThatThrownBy(() -> scheme.computeGradient(surface, parameters, 0))
                    .hasMessageContaining("not of the whole batch");
            scheme.close();
        }
    }

    @Test
    void aGradientThatHasTurnedIsRenewedAtTheCostOfOneMorePass() {
        try (var scheme = reusing(Turns.every(1000), 0.999, 1)) {
            descend(scheme, 0);
            descend(scheme, 1);
            setTheta(-START[0], START[1], -START[2]);
            passes.clear();
            StepGradient step = scheme.computeGradient(surface, parameters, 2);
            assertThat(passes).containsExactly(Pass.REFERENCE, Pass.PERTURBED);
            assertThat(step.figures()).containsEntry(ReusingScheme.PASSES, 2.0);
            assertThat(parameters.gradient().toArray())
                    .isEqualTo(gradientOf(
                            GradientScheme.gradientNormPenalty(0.3, 0.6),
                            parameters.values().toArray()));
            passes.clear();
            assertThat(scheme.computeGradient(surface, parameters, 3).figures())
                    .containsEntry(ReusingScheme.PASSES, 1.0);
            assertThat(passes).containsExactly(Pass.REFERENCE);
        }
    }

    @Test
    void whatIsRememberedIsAllThereIsToResume() {
        for (Supplier<GradientScheme> made : List.<Supplier<GradientScheme>>of(
                () -> reusing(Turns.every(3), -1, 1),
                () -> reusing(Turns.every(100), 0.99, 1),
                () -> new ReusingScheme(
                        GradientScheme.sam(0.3), Turns.every(3), -1, Reuse.DIFFERENCE_BY_LAYER, Schedule.constant(1)),
                () -> new ReusingScheme(
                        GradientScheme.sam(0.3), Turns.every(3), -1, Reuse.ORTHOGONAL, Schedule.constant(0.7)),
                () -> new FriendlySam(Schedule.constant(0.3), 1, 0.9),
                // its first turn comes after the resume
                () -> new IntermittentScheme(new FriendlySam(Schedule.constant(0.3), 1, 0.9), step -> step % 3 == 2),
                () -> new ReusingScheme(
                        new FriendlySam(Schedule.constant(0.3), 1, 0.9),
                        Turns.every(3),
                        -1,
                        Reuse.DIFFERENCE,
                        Schedule.constant(1)),
                () -> new MomentumSam(Schedule.constant(0.3), 0.9))) {
            setTheta(START);
            double[] whole;
            double[] half;
            try (var scheme = made.get();
                    var other = made.get()) {
                for (int step = 0; step < 2; step++) {
                    descend(scheme, step);
                }
                half = parameters.values().toArray();
                var saved = scheme.memory(parameters);
                other.memory(parameters).forEach((name, vector) -> vector.set(saved.get(name)));
                other.resumeAfter(2);
                for (int step = 2; step < 8; step++) {
                    descend(scheme, step);
                }
                whole = parameters.values().toArray();
                setTheta(half);
                for (int step = 2; step < 8; step++) {
                    descend(other, step);
                }
            }
            assertThat(parameters.values().toArray()).isEqualTo(whole);
        }
    }

    @Test
    void ascentFromAllOfTheBatchIsTheSchemeBitForBit() {
        var scheme = new AscentShare(GradientScheme.sam(0.3), 1);
        scheme.computeGradient(surface, parameters, 0);
        assertThat(parameters.gradient().toArray()).isEqualTo(gradientOf(GradientScheme.sam(0.3), START));
    }

    @Test
    void ascentFromAShareTakesTheDirectionOfItsFirstExamples() {
        // The first two of three examples have half the surface's gradient: the same direction.
        var step = new AscentShare(GradientScheme.sam(0.3), 2 / 3.0).computeGradient(surface, parameters, 0);
        double[] g = parameters.gradient().toArray();
        assertThat(step.referenceNorm())
                .isCloseTo(norm(gradientOf(GradientScheme.standard(), START)) / 2, within(1e-14));
        double[] sam = gradientOf(GradientScheme.sam(0.3), START);
        for (int i = 0; i < 3; i++) {
            assertThat(g[i]).isCloseTo(sam[i], within(1e-14));
        }
    }

    @Test
    void partsArePerturbedByThemselvesAndAveragedByTheirSizes() {
        // Examples 1, 2, 3 and then 4 alone: the gradients of the parts are 2 and 4 times the surface's, so both
        // perturb alike.
        var batch = new Surface(1, 2, 3, 4);
        passes.clear();
        var step = new PartwiseScheme(GradientScheme.sam(0.3), 3).computeGradient(batch, parameters, 0);
        assertThat(passes).containsExactly(Pass.REFERENCE, Pass.PERTURBED, Pass.REFERENCE, Pass.PERTURBED);
        double[] g = parameters.gradient().toArray();
        double[] sam = gradientOf(GradientScheme.sam(0.3), START);
        for (int i = 0; i < 3; i++) {
            assertThat(g[i]).isCloseTo((0.75 * 2 + 0.25 * 4) * sam[i], within(1e-13));
        }
        assertThat(step.norm()).isCloseTo(norm(g), within(1e-13));
        assertThat(parameters.values().toArray()).isEqualTo(START);
    }

    @Test
    void momentumPerturbsAlongWhatItHasSeenInOnePass() {
        try (var scheme = new MomentumSam(Schedule.constant(0.3), 0.5)) {
            scheme.computeGradient(surface, parameters, 0);
            double[] g0 = gradientOf(GradientScheme.standard(), START);
            assertThat(parameters.gradient().toArray()).isEqualTo(g0);
            passes.clear();
            scheme.computeGradient(surface, parameters, 1);
            assertThat(passes).containsExactly(Pass.ONLY);
            // m = g0: SAM's own perturbation
            double[] g = parameters.gradient().toArray();
            double[] sam = gradientOf(GradientScheme.sam(0.3), START);
            for (int i = 0; i < 3; i++) {
                assertThat(g[i]).isCloseTo(sam[i], within(1e-14));
            }
            assertThat(parameters.values().toArray()).isEqualTo(START);
        }
    }

    @Test
    void esamOfAllWeightsAndAllExamplesIsSam() {
        new Esam(Schedule.constant(0.3), 1, 1, new RandomStreams(1)).computeGradient(surface, parameters, 0);
        double[] g = parameters.gradient().toArray();
        double[] sam = gradientOf(GradientScheme.sam(0.3), START);
        for (int i = 0; i < 3; i++) {
            assertThat(g[i]).isCloseTo(sam[i], within(1e-14));
        }
    }

    @Test
    void esamStepsWithTheExamplesWhoseLossIsRaisedMost() {
        new Esam(Schedule.constant(0.3), 1, 1 / 3.0, new RandomStreams(1))
                .computeGradient(new Surface(1, 7, 2), parameters, 0);
        double[] g = parameters.gradient().toArray();
        double[] sam = gradientOf(GradientScheme.sam(0.3), START);
        for (int i = 0; i < 3; i++) {
            assertThat(g[i]).isCloseTo(7 * sam[i], within(1e-13));
        }
    }

    @Test
    void esamPerturbsALayerWithItsProbabilityAndSoMuchFarther() {
        int perturbed = 0;
        for (int step = 0; step < 200; step++) {
            new Esam(Schedule.constant(0.3), 0.25, 1, new RandomStreams(1)).computeGradient(surface, parameters, step);
            double[] g = parameters.gradient().toArray();
            // θ is one layer here: it is perturbed four times as far, or not at all
            boolean moved = !Arrays.equals(g, gradientOf(GradientScheme.standard(), START));
            if (moved) {
                perturbed++;
                assertThat(g[0]).isCloseTo(gradientOf(GradientScheme.sam(1.2), START)[0], within(1e-13));
            }
        }
        assertThat(perturbed).isBetween(25, 75);
    }

    @Test
    void gsamWithoutItsSecondTermIsSam() {
        new GradientNormPenalty(Coefficients.constant(0.3, 0), Perturbation.L2, Mix.SURROGATE_GAP)
                .computeGradient(surface, parameters, 0);
        double[] g = parameters.gradient().toArray();
        double[] sam = gradientOf(GradientScheme.sam(0.3), START);
        for (int i = 0; i < 3; i++) {
            assertThat(g[i]).isCloseTo(sam[i], within(1e-15));
        }
    }

    @Test
    void everyAndProbabilityAreFunctionsOfTheStep() {
        assertThat(steps(Turns.every(3), 8)).containsExactly(0L, 3L, 6L);
        var half = Turns.withProbability(Schedule.constant(0.5), new RandomStreams(3));
        assertThat(steps(half, 1000)).isEqualTo(steps(half, 1000)).hasSizeBetween(430, 570);
        assertThatThrownBy(() -> Turns.every(0)).hasMessage("every is 0: it must be at least 1");
    }

    private static List<Long> steps(Turns turns, int limit) {
        List<Long> steps = new ArrayList<>();
        for (long step = 0; step < limit; step++) {
            if (turns.at(step)) {
                steps.add(step);
            }
        }
        return steps;
    }

    private static ReusingScheme reusing(Turns turns, double turned, double share) {
        return reusing(turns, turned, Schedule.constant(share));
    }

    private static ReusingScheme reusing(Turns turns, double turned, Schedule share) {
        return new ReusingScheme(GradientScheme.gradientNormPenalty(0.3, 0.6), turns, turned, Reuse.DIFFERENCE, share);
    }

    private void descend(GradientScheme scheme, long step) {
        scheme.computeGradient(surface, parameters, step);
        parameters.values().add(-RATE, parameters.gradient());
    }

    /** Leaves θ as it is now. */
    private double[] gradientOf(GradientScheme scheme, double... at) {
        double[] now = parameters.values().toArray();
        setTheta(at);
        scheme.computeGradient(surface, parameters, 0);
        setTheta(now);
        return parameters.gradient().toArray();
    }

    private void setTheta(double... values) {
        try (var writing = Scope.withoutGradient()) {
            theta.copy_(vector(values));
        }
    }

    private static double norm(double[] x) {
        return Math.sqrt(dot(x, x));
    }

    private static double dot(double[] x, double[] y) {
        return IntStream.range(0, x.length).mapToDouble(i -> x[i] * y[i]).sum();
    }

    private static Tensor vector(double... values) {
        return torch.from_blob(
                        new DoublePointer(values),
                        new long[] {values.length},
                        new TensorOptions(torch.ScalarType.Double))
                .clone();
    }
}
