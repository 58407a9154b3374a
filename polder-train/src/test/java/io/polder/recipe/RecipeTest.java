package io.polder.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.config.ConfigException;
import io.polder.config.RandomRecipes;
import io.polder.penalty.Perturbation;
import io.polder.schedule.Schedule;
import io.polder.tensor.Precision;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecipeTest {
    private static final String NAME = "wrn-28-10-cifar10";

    @Test
    void aPrintedRecipeReadsBackToTheSameRecipeAndHash() {
        Set<String> hashes = new HashSet<>();
        Set<Class<?>> schemes = new HashSet<>();
        for (int seed = 0; seed < 300; seed++) {
            Recipe recipe = new RandomRecipes(seed).next();
            String text = recipe.toYaml();
            Recipe again = RecipeReader.read(text, "seed " + seed, List.of());
            assertThat(again).as("seed %d:\n%s", seed, text).isEqualTo(recipe);
            assertThat(again.toYaml()).isEqualTo(text);
            assertThat(again.hash()).isEqualTo(recipe.hash());
            hashes.add(recipe.hash());
            schemes.add(recipe.scheme().getClass());
        }
        assertThat(hashes).as("they differ, and so do their hashes").hasSize(300);
        assertThat(schemes).hasSize(9);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name=other",
                "data.dir=/data/cifar",
                "data.cache=/tmp/cache",
                "data.loaderThreads=4",
                "checkpoint.everyEpochs=7",
                "checkpoint.everySteps=100",
                "checkpoint.keep=9",
                "probes={every: 3}",
                "watchdogMinutes=1"
            })
    void whatDeterminesNoResultIsNotHashed(String override) {
        assertThat(read(override)).isNotEqualTo(read());
        assertThat(read(override).hash()).isEqualTo(read().hash());
    }

    @Test
    void checkpointsAreHashedWhereARunMayGoBackToOne() {
        assertThat(read("onDivergence=restore", "checkpoint.everyEpochs=7").hash())
                .isNotEqualTo(read("onDivergence=restore").hash());
        assertThat(read("onDivergence=restore", "checkpoint.keep=7").hash())
                .isEqualTo(read("onDivergence=restore").hash());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "seed=1",
                "epochs=201",
                "steps=201",
                "model=wrn-28-9",
                "model.classes=11",
                "model.init=a.safetensors",
                "data.name=cifar100",
                "data.augment=cutout",
                "data.mix=cutmix",
                "data.batch=128",
                "data.evaluateOn=validation",
                "data.images=5000",
                "data.onBadImage=skip",
                "scheme=standard",
                "scheme.r=0.05",
                "scheme.alpha=0.7",
                "scheme.lambda=0.08",
                "scheme.mix=direction",
                "scheme.perturbation=adaptive",
                "scheme.probability=0.5",
                "scheme.warmup={of: r, epochs: 1}",
                "optimizer.l2=0",
                "optimizer.clip=null",
                "learningRate.base=0.2",
                "learningRate.warmupEpochs=5",
                "labelSmoothing=0.1",
                "microBatch=64",
                "precision=bf16",
                "average.decay=0.99",
                "replicas=2",
                "syncBatchNorm=true",
                "evaluateEvery=2",
                "onDivergence=restore"
            })
    void whatDeterminesAResultIsHashed(String override) {
        assertThat(read(override).hash()).isNotEqualTo(read().hash());
    }

    /** So that a later version does not rename old trials by mistake; where the meaning of a field changes, so must this. */
    @Test
    void aHashStaysWhatItIs() {
        assertThat(read().hash()).isEqualTo("ecfba6b10111be131492aebb9bdcb938072f2df9cefea6367d40e9e53f704ece");
    }

    @Test
    void howARecipeIsWrittenDoesNotChangeItsHash() {
        String rewritten =
                "# mine\n" + Recipes.text(NAME).replace("1.0e-3", "0.001").replace("0.1 ", "1e-1 ");
        assertThat(RecipeReader.read(rewritten, "x", List.of()).hash()).isEqualTo(read().hash());
        assertThat(read("scheme.r={schedule: constant, base: 0.1}").hash()).isEqualTo(read().hash());
    }

    @Test
    void recordsMadeInJavaAreHeldToTheSameRanges() {
        assertThatThrownBy(() -> new OptimizerRecipe.Sgd(1, true, 0, false, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("momentum is 1.0: it must be a number of at least 0 and below 1");
        assertThatThrownBy(() -> new SchemeRecipe.Warmup(null, 3))
                .hasMessage("of is null: it must be r, lambda or zero");
        assertThatThrownBy(() -> ScheduledNumber.of(Double.NaN)).hasMessage("base is NaN: it must be a number");
        assertThatThrownBy(() -> new SchemeRecipe.Sam(
                        ScheduledNumber.of(-1),
                        Perturbation.L2,
                        false,
                        ScheduledNumber.of(1),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null))
                .hasMessageStartingWith("r is Constant[base=-1.0]: it must be a number of at least 0");
        Recipe good = read();
        assertThatThrownBy(() -> new Recipe(
                        good.name(),
                        0,
                        null,
                        null,
                        good.model(),
                        good.data(),
                        good.scheme(),
                        good.optimizer(),
                        good.learningRate(),
                        null,
                        null,
                        null,
                        0,
                        null,
                        Precision.FLOAT32,
                        null,
                        3,
                        false,
                        1,
                        null,
                        good.checkpoint(),
                        good.onDivergence(),
                        null,
                        10))
                .isInstanceOf(ConfigException.class)
                .hasMessage("epochs: is missing; it or steps must be given\n"
                        + "replicas: is 3 and data.batch is 256; the batch must be a multiple of the replicas");
    }

    @Test
    void timesInEpochsBecomeSteps() {
        Schedule rate = new LearningRate.Cosine(0.2, 2).over(10, 100);
        assertThat(rate.at(0)).isZero();
        assertThat(rate.at(10)).isCloseTo(0.5 * 0.2 * 0.5 * (1 + Math.cos(Math.PI * 0.1)), within(1e-15));
        assertThat(rate.at(50)).isCloseTo(0.1, within(1e-15));
        assertThat(rate.at(100)).isZero();
        assertThat(new LearningRate.Constant(0.2, 0).over(10, 100).at(0)).isEqualTo(0.2);
        Schedule stairs = new LearningRate.Stairs(1, 0.5, 2.5, 0).over(10, 100);
        assertThat(stairs.at(24)).isEqualTo(1);
        assertThat(stairs.at(25)).isEqualTo(0.5);
        assertThat(new LearningRate.Exponential(1, 0.25, 2, 0).over(10, 100).at(10))
                .isCloseTo(0.5, within(1e-15));

        Schedule half = new ScheduledNumber.Linear(0, 1, 4.0).over(10, 100);
        assertThat(half.at(20)).isEqualTo(0.5);
        assertThat(half.at(40)).isEqualTo(1);
        assertThat(new ScheduledNumber.Linear(0, 1, null).over(10, 100).at(50)).isEqualTo(0.5);
        assertThat(new ScheduledNumber.Cosine(1, 0.5, null).over(10, 100).at(50))
                .isCloseTo(0.75, within(1e-15));
        assertThat(new ScheduledNumber.Stairs(8, 0.5, 1).over(10, 100).at(30)).isEqualTo(1);
        assertThat(new ScheduledNumber.Exponential(8, 0.5, 1).over(10, 100).at(30))
                .isCloseTo(1, within(1e-15));
        assertThat(new SchemeRecipe.Warmup(SchemeRecipe.Warmup.Quantity.ZERO, 0.5).steps(10))
                .isEqualTo(5);
        assertThat(read().totalSteps(195)).isEqualTo(39_000);
        assertThat(read("steps=7").totalSteps(195)).isEqualTo(7);
    }

    /** The hash is what the version before {@code model.redraw} gave: stores of trials are looked up by it. */
    @Test
    void aFieldThatCameLaterLeavesOldHashesAsTheyWere() {
        Recipe old = RecipeReader.read("""
                name: old
                epochs: 9
                model: { torchscript: my-model.ts, classes: 10 }
                data: { name: cifar10, batch: 64 }
                scheme: { name: gradient-norm-penalty, r: 0.05, alpha: 0.8 }
                optimizer: { name: sgd, momentum: 0.9, l2: 1.0e-3 }
                learningRate: { schedule: cosine, base: 0.1 }
                """, "old.yaml", List.of());
        assertThat(old.hash()).isEqualTo("1d9e1d834750f8f0fd242052b44e5704f0128e24c2ae6e5df385901b30a980fd");
    }

    private static Recipe read(String... overrides) {
        return Recipes.read(NAME, List.of(overrides));
    }
}
