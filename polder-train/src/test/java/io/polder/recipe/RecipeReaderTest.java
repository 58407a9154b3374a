package io.polder.recipe;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.polder.config.ConfigException;
import io.polder.data.ImageShape;
import io.polder.data.augment.ColourJitter;
import io.polder.data.load.Pipeline;
import io.polder.penalty.Mix;
import io.polder.penalty.Perturbation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecipeReaderTest {
    private static final String GOOD = """
            name: mine
            epochs: 20
            model: { name: wrn-16-1, classes: 10 }
            data:
              name: cifar10
              batch: 64
            scheme:
              name: gradient-norm-penalty
              r: 0.1
              alpha: 0.8
            optimizer:
              name: sgd
              l2: 1e-3
            learningRate:
              schedule: cosine
              base: 0.1
            """;

    @Test
    void whatIsLeftOutHasItsDefault() {
        Recipe recipe = read(GOOD);
        assertThat(recipe.seed()).isZero();
        assertThat(recipe.steps()).isNull();
        assertThat(recipe.data().augment()).isEqualTo(new AugmentRecipe("none", null));
        assertThat(recipe.data().mix()).isEqualTo(new BatchMixing.None());
        assertThat(recipe.optimizer()).isEqualTo(new OptimizerRecipe.Sgd(0.9, true, 1e-3, false, null));
        assertThat(recipe.checkpoint()).isEqualTo(new Recipe.Checkpoints(1, null, 2));
        assertThat(recipe.onDivergence()).isEqualTo(new Recipe.Divergence(Recipe.Divergence.Action.STOP, 100, 3, 0.5));
        assertThat(recipe.scheme())
                .isEqualTo(new SchemeRecipe.GradientNormPenalty(
                        ScheduledNumber.of(0.1),
                        ScheduledNumber.of(0.8),
                        null,
                        Mix.GRADIENT,
                        Perturbation.L2,
                        false,
                        ScheduledNumber.of(1),
                        null));
    }

    @Test
    void aNameAloneStandsForItsGroup() {
        Recipe recipe = read(GOOD, "scheme=standard", "model=vit-s-4", "data.mix=mixup", "onDivergence=restore");
        assertThat(recipe.scheme()).isEqualTo(new SchemeRecipe.Standard());
        assertThat(recipe.model().name()).isEqualTo("vit-s-4");
        assertThat(recipe.data().mix()).isEqualTo(new BatchMixing.Mixup(0.2, 1));
        assertThat(recipe.onDivergence().action()).isEqualTo(Recipe.Divergence.Action.RESTORE);
    }

    @Test
    void microBatchesAreACountOrAuto() {
        assertThat(read(GOOD, "microBatch=16").microBatch()).isEqualTo(16);
        assertThat(read(GOOD, "microBatch=auto").microBatch()).isZero();
        assertThat(read(GOOD).microBatch()).isNull();
        assertThat(mistakes(GOOD, "microBatch=atuo"))
                .containsExactly(
                        "-s: microBatch: is \"atuo\"; it must be a whole number of at least 1, or auto, or null; did you mean auto?");
    }

    /** Field, what is written there, and what is told: one of each kind of type, range and name. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            name        | a b                     | is "a b"; it must be a text of letters, digits, dots, hyphens and underscores, at most 100
            name        | 12                      | is "12"; it must be a text of letters, digits, dots, hyphens and underscores, at most 100
            name        | null                    | is null; it must be a text of letters, digits, dots, hyphens and underscores, at most 100
            seed        | 1.5                     | is "1.5"; it must be a whole number
            seed        | 9223372036854775808     | is "9223372036854775808"; it must be a whole number
            epochs      | many                    | is "many"; it must be a whole number of at least 1 and at most 1000000, or null
            epochs      | 0                       | is "0"; it must be a whole number of at least 1 and at most 1000000, or null
            epochs      | "20"                    | is "20"; it must be a whole number of at least 1 and at most 1000000, or null; leave out the quotes
            epochs      | [20]                    | is a list; it must be a whole number of at least 1 and at most 1000000, or null
            epochs      | { a: 1 }                | is a group of fields; it must be a whole number of at least 1 and at most 1000000, or null
            labelSmoothing | 1                    | is "1"; it must be a number of at least 0 and below 1
            labelSmoothing | .nan                 | is ".nan"; it must be a number of at least 0 and below 1
            labelSmoothing | 1e999                | is "1e999"; it must be a number of at least 0 and below 1
            precision   | float23                 | is "float23"; it must be float32 or bf16; did you mean float32?
            precision   | 16                      | is "16"; it must be float32 or bf16
            replicas    | 99999999999             | is "99999999999"; it must be a whole number of at least 1 and at most 4096
            watchdogMinutes | 0                   | is "0"; it must be a number above 0
            average     | 0.999                   | is "0.999"; it must be a group of fields (decay), or null
            checkpoint  | null                    | is null; it must be a group of fields (everyEpochs, everySteps, keep)
            """)
    void aWrongValueIsToldWithItsLineAndWhatWasExpected(String field, String value, String told) {
        String text = GOOD.replace("name: mine\n", field.equals("name") ? "" : "name: mine\n")
                .replace("epochs: 20\n", field.equals("epochs") ? "" : "epochs: 20\n");
        int line = (int) text.lines().count() + 1;
        assertThat(mistakes(text + field + ": " + value + "\n"))
                .containsExactly("my.yaml:" + line + ": " + field + ": " + told);
    }

    @Test
    void colourJitterComesAfterThePipelineItNamesWithItsOwnStrengths() {
        var natural = new ImageShape(3, 32, 32);
        AugmentRecipe usual = read(GOOD, "data.augment=colour-jitter").data().augment();
        Pipeline byName = Pipeline.named("colour-jitter", natural);
        assertThat(usual.pipeline(natural, OptionalInt.empty())).isEqualTo(byName);
        Recipe own = read(
                GOOD, "data.augment={name: colour-jitter, after: imagenet, brightness: 0.8, saturation: 0, hue: 0.5}");
        Pipeline imagenet = Pipeline.named("imagenet", natural, OptionalInt.of(64));
        assertThat(own.data().augment().pipeline(natural, OptionalInt.of(64)))
                .isEqualTo(imagenet.then("colour-jitter", new ColourJitter(0.8, 0.4, 0, 0.5)));
        assertThat(read(own.toYaml())).isEqualTo(own);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AugmentRecipe("colour-jitter", null))
                .withMessage("colour-jitter has fields of its own: give them");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            optimizer.nestrov=true        | optimizer.nestrov: sgd has no such field; did you mean nesterov?
            optimizer.nesterov=yes        | optimizer.nesterov: is "yes"; it must be true or false
            optimizer.name=adamv          | optimizer.name: is "adamv"; it must be sgd, adamw or rmsprop; did you mean adamw?
            data.bacth=3                  | data.bacth: there is no such field; did you mean batch?
            data.evaluate_on=test         | data.evaluate_on: there is no such field; did you mean evaluateOn?
            data.augment=cutot            | data.augment.name: is "cutot"; it must be none, basic, basic-reflect, pad-crop, cutout, autoaugment-cifar, randaugment, random-erasing, colour-jitter, heavy, imagenet, autoaugment-imagenet or photos; did you mean cutout?
            data.augment={name: colour-jitter, hue: 0.6} | data.augment.hue: is "0.6"; it must be a number of at least 0 and at most 0.5
            data.augment={name: colour-jitter, after: colour-jitter} | data.augment.after: is "colour-jitter"; it must be none, basic, basic-reflect, pad-crop, cutout, autoaugment-cifar, randaugment, random-erasing, heavy, imagenet, autoaugment-imagenet or photos
            data.augment={name: colour-jitter, brigthness: 1} | data.augment.brigthness: colour-jitter has no such field; did you mean brightness?
            data.augment={name: cutout, hue: 0.1} | data.augment.hue: there is no such field; the fields here are name
            data.mix=cutmx                | data.mix.name: is "cutmx"; it must be none, cutmix, mixup or cutmix-or-mixup; did you mean cutmix?
            data.name=cifar               | data.name: is "cifar"; it must be cifar10, cifar100, cifar100-coarse, mnist, fashion-mnist, idx, fashion-mnist-2000, fashion-mnist-2000-measured, photos, image-folder, labelled-folder, parquet, webdataset or imagenet
            batch=3                       | batch: there is no such field; did you mean data.batch?
            zzz=3                         | zzz: there is no such field; the fields here are name, seed, epochs, steps, model, data, scheme, optimizer, learningRate, parameters, task, loss, labelSmoothing, microBatch, precision, average, replicas, syncBatchNorm, evaluateEvery, earlyStopping, checkpoint, onDivergence, probes, watchdogMinutes
            scheme.r=-0.1                 | scheme.r: is "-0.1"; it must be a number of at least 0, or a schedule of such numbers
            scheme.r={schedule: linear, from: -1, to: 0}     | scheme.r: is a group of fields; it must be a number of at least 0, or a schedule of such numbers
            scheme.probability=2          | scheme.probability: is "2"; it must be a number of at least 0 and at most 1, or a schedule of such numbers
            scheme.alpha={from: 1, to: 0} | scheme.alpha.schedule: is missing; it must be constant, linear, cosine, exponential or stairs
            scheme.alpha={schedule: cosine, from: high} | scheme.alpha.from: is "high"; it must be a number
            scheme.warmup={of: zero}      | scheme.warmup.epochs: is missing; it must be a number above 0
            learningRate.base=0           | learningRate.base: is "0"; it must be a number above 0
            learningRate=constant         | learningRate.base: is missing; it must be a number above 0
            optimizer.clip=0              | optimizer.clip: is "0"; it must be a number above 0, or null
            average.decay=1               | average.decay: is "1"; it must be a number of at least 0 and below 1
            epochs.x=1                    | epochs.x: epochs is a single value and has no fields
            optimizer.lr=0.1              | optimizer.lr: sgd has no such field; did you mean learningRate.base?
            optimizer.weight_decay=0.1    | optimizer.weight_decay: sgd has no such field; did you mean l2?
            optimizer={name: adamw, weight_decay: 0.1} | optimizer.weight_decay: adamw has no such field; did you mean weightDecay?
            optimizer={name: adamw, wd: 0.1} | optimizer.wd: adamw has no such field; did you mean weightDecay?
            data.batch_size=3             | data.batch_size: there is no such field; did you mean batch?
            num_workers=3                 | num_workers: there is no such field; did you mean data.loaderThreads?
            scheme.rho=0.1                | scheme.rho: gradient-norm-penalty has no such field; did you mean r?
            """)
    void aWrongOverrideIsToldInTheSameWay(String override, String told) {
        assertThat(mistakes(GOOD, override)).contains("-s: " + told);
    }

    @Test
    void aMethodOfOthersIsToldAsWhatItIsHere() {
        assertThat(mistakes(GOOD, "scheme=asam"))
                .singleElement(as(STRING))
                .startsWith("-s: scheme.name: is \"asam\"; it must be ")
                .endsWith("; did you mean {name: sam, perturbation: adaptive}?");
        assertThat(mistakes(GOOD, "scheme=GNP"))
                .singleElement(as(STRING))
                .endsWith("; did you mean gradient-norm-penalty?");
        assertThat(read(GOOD, "scheme={name: sam, perturbation: adaptive, r: 0.5}")
                        .scheme())
                .isInstanceOf(SchemeRecipe.Sam.class);
    }

    /** What no field shows by itself. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            scheme.r=0                               | scheme.r: is 0, which perturbs nothing, and scheme.alpha is not; it must be above 0 (scheme: standard is training without the penalty)
            scheme={name: sam, r: 0}                 | scheme.r: is 0, which perturbs nothing; SAM needs an r above 0 (scheme: standard is training without it)
            scheme.alpha=null                        | scheme.alpha: is missing; it or scheme.lambda must be given
            epochs=null                              | epochs: is missing; it or steps must be given
            model={classes: 10}                      | model.name: is missing; it or model.torchscript must be given
            model.resetHead=true                     | model.resetHead: is true without model.init; there is a head to leave out only where weights are loaded
            model.redraw=true                        | model.redraw: is given without model.torchscript; the seed always draws the weights of a network by name
            model.dropPath=0.1                       | model.dropPath: only vision transformers (vit-…) have it, and the model is wrn-16-1
            replicas=3                               | replicas: is 3 and data.batch is 64; the batch must be a multiple of the replicas
            microBatch=65                            | microBatch: is 65; it must be at most the batch of a replica, 64
            data={name: cifar10, batch: 8, evaluateOn: validation, validation: 0} | data.validation: is 0 with evaluateOn: validation; it must be at least 1 to have images to evaluate on
            data.images=63                           | data.images: is less than data.batch, which is 64; an epoch must have at least one step
            data={name: cifar10, batch: 1, mix: cutmix} | data.mix: needs a data.batch of at least 2, as an image is mixed with another one
            data={name: fashion-mnist-2000, batch: 8, dir: x} | data.dir: is given, and fashion-mnist-2000 comes with Polder; leave it out, or name another data set
            optimizer.momentum=0                     | optimizer.nesterov: is true with a momentum of 0; it is a form of momentum, which must be above 0
            optimizer={name: adamw, l2: 1e-3, weightDecay: 0.1} | optimizer.l2: is given with weightDecay; weights decay in the loss or apart from it, not both
            learningRate.warmupEpochs=20.5           | learningRate.warmupEpochs: takes 20.5 epochs, longer than the run of 20; it must end with the run or before
            scheme.warmup={of: zero, epochs: 21}     | scheme.warmup.epochs: takes 21.0 epochs, longer than the run of 20; it must end with the run or before
            scheme.r={schedule: linear, from: 0, to: 1, epochs: 30} | scheme.r: takes 30.0 epochs, longer than the run of 20; it must end with the run or before
            scheme={name: gradient-norm-penalty, r: 0.1, lambda: 0.1, warmup: {of: r, epochs: 2}} | scheme.lambda: is given with a warm-up of r, during which α = λ/r has no bound; give alpha instead, or warm lambda up
            scheme={name: gradient-norm-penalty, r: {schedule: cosine, from: 1}, lambda: 0.1} | scheme.lambda: is given with an r that starts or ends at 0, where α = λ/r has no bound; give alpha instead
            """)
    void aContradictionIsTold(String override, String told) {
        assertThat(mistakes(GOOD, override)).hasSize(1).first().asString().endsWith(": " + told);
    }

    @Test
    void twoOfWhatExcludesEachOtherAreAContradictionInAFile() {
        assertThat(mistakes(GOOD + "steps: 5\n"))
                .containsExactly("my.yaml:17: steps: contradicts epochs; exactly one of both must be given");
        assertThat(mistakes(GOOD.replace("  alpha: 0.8\n", "  alpha: 0.8\n  lambda: 0.08\n")))
                .containsExactly(
                        "my.yaml:11: scheme.lambda: contradicts scheme.alpha; exactly one of both must be given");
        assertThat(mistakes(GOOD.replace("{ name: wrn-16-1,", "{ name: wrn-16-1, torchscript: a.ts,")))
                .containsExactly(
                        "my.yaml:3: model.torchscript: contradicts model.name; exactly one of both must be given");
        assertThat(mistakes(GOOD, "onDivergence=restore", "checkpoint={everyEpochs: null}"))
                .containsExactly(
                        "-s: onDivergence.action: is restore without checkpoints to go back to; give checkpoint.everyEpochs or checkpoint.everySteps");
    }

    @Test
    void whatIsANoOpForThisRunIsNoContradiction() {
        // A recipe is run with other replicas and on other splits by an override; what then changes nothing must not
        // stand in its way.
        assertThat(read(GOOD, "scheme.syncPerturbation=true", "replicas=1")).isNotNull();
        assertThat(read(GOOD, "data.validation=0")).isNotNull();
        assertThat(read(GOOD, "scheme.alpha=0")).isNotNull();
        assertThat(read(GOOD, "scheme.alpha=0", "scheme.r=0")).isNotNull();
        assertThat(read(GOOD, "labelSmoothing=0.1", "data.mix=cutmix")).isNotNull();
        assertThat(read(GOOD, "microBatch=auto", "data.batch=1")).isNotNull();
    }

    @Test
    void allMistakesAreToldAtOnceInTheOrderOfTheFile() {
        String text = GOOD.replace("epochs: 20", "epochs: -1")
                .replace("batch: 64", "batch: 64\n  augmentation: basic\n  validation: 0\n  evaluateOn: validation")
                .replace("r: 0.1", "r: 0")
                .replace("name: sgd", "name: sgd\n  momentum: 2\n  nesterov: 3");
        assertThat(mistakes(text, "replicas=7", "nonsense"))
                .containsExactly(
                        "my.yaml:2: epochs: is \"-1\"; it must be a whole number of at least 1 and at most 1000000, or null",
                        "my.yaml:7: data.augmentation: there is no such field; the fields here are name, dir, augment, mix, batch,"
                                + " evaluateOn, validation, images, onBadImage, packedSide, cache, loaderThreads, evaluationBatch,"
                                + " evaluationImages",
                        "my.yaml:8: data.validation: is 0 with evaluateOn: validation; it must be at least 1 to have images to evaluate on",
                        "my.yaml:12: scheme.r: is 0, which perturbs nothing, and scheme.alpha is not; it must be above 0"
                                + " (scheme: standard is training without the penalty)",
                        "my.yaml:16: optimizer.momentum: is \"2\"; it must be a number of at least 0 and below 1",
                        "my.yaml:17: optimizer.nesterov: is \"3\"; it must be true or false",
                        "-s: \"nonsense\" must be path=value, such as data.batch=128",
                        "-s: replicas: is 7 and data.batch is 64; the batch must be a multiple of the replicas");
    }

    @Test
    void anUnknownModelIsOneMoreMistake() {
        var exception = catchThrowableOfType(
                ConfigException.class,
                () -> RecipeReader.read(GOOD, "my.yaml", List.of("seed=x"), name -> {
                    throw new IllegalArgumentException("no " + name);
                }));
        assertThat(exception.mistakes())
                .containsExactly("my.yaml:3: model.name: no wrn-16-1", "-s: seed: is \"x\"; it must be a whole number");
    }

    @Test
    void overridesReachEveryFieldAndTheLastWins() {
        Recipe recipe = read(
                GOOD,
                "seed=1",
                "seed=2",
                "steps=500",
                "scheme.lambda=0.05",
                "average.decay=0.99",
                "checkpoint.keep=5",
                "data.mix.name=cutmix",
                "data.mix.alpha=0.3",
                "model.init=2024",
                "optimizer.clip=",
                "scheme.warmup={of: lambda, epochs: 3}",
                "learningRate.warmupEpochs = 2");
        assertThat(recipe.seed()).isEqualTo(2);
        assertThat(recipe.epochs()).as("steps take the place of epochs").isNull();
        assertThat(recipe.steps()).isEqualTo(500);
        var scheme = (SchemeRecipe.GradientNormPenalty) recipe.scheme();
        assertThat(scheme.alpha()).as("lambda takes the place of alpha").isNull();
        assertThat(scheme.lambda()).isEqualTo(ScheduledNumber.of(0.05));
        assertThat(scheme.warmup()).isEqualTo(new SchemeRecipe.Warmup(SchemeRecipe.Warmup.Quantity.LAMBDA, 3));
        assertThat(recipe.average()).isEqualTo(new Recipe.Average(0.99));
        assertThat(recipe.checkpoint()).isEqualTo(new Recipe.Checkpoints(1, null, 5));
        assertThat(recipe.data().mix()).isEqualTo(new BatchMixing.CutMix(0.3, 1));
        assertThat(recipe.model().init()).as("no quotes on a command line").isEqualTo("2024");
        assertThat(recipe.learningRate()).isEqualTo(new LearningRate.Cosine(0.1, 2));
    }

    @Test
    void whatIsNoYamlIsToldWithItsLine() {
        assertThat(mistakes(GOOD + "average: {\n"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("my.yaml:18: is no YAML: ");
        assertThat(mistakes("a: 1\n\tb: 2\n")).hasSize(1).first().asString().startsWith("my.yaml:2: is no YAML: ");
        assertThat(mistakes("a: 1\nb: \u0007\n"))
                .containsExactly("my.yaml:2: is no YAML: it has the character U+0007, which cannot be printed");
        assertThat(mistakes("")).containsExactly("my.yaml:1: has no recipe in it");
        assertThat(mistakes("# nothing\n")).containsExactly("my.yaml:1: has no recipe in it");
        assertThat(mistakes("- a\n- b\n")).hasSize(1).first().asString().startsWith("my.yaml:1: is no recipe; ");
        assertThat(mistakes(GOOD + "---\nname: b\n"))
                .containsExactly("my.yaml:17: a second document begins here; a file has one recipe");
        assertThat(mistakes(GOOD, "seed=["))
                .containsExactly("-s: seed: is no YAML: expected the node content, but found '<stream end>'");
    }

    @Test
    void aKeyThatIsThereTwiceIsToldWithBothLines() {
        assertThat(mistakes(GOOD + "epochs: 30\n"))
                .containsExactly("my.yaml:17: has \"epochs\" a second time; the first is at my.yaml:2");
        assertThat(mistakes(GOOD + "? [a]\n: 3\n"))
                .containsExactly("my.yaml:17: has a list or a mapping where the name of a field belongs");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "seed: &a 1\n",
                "model: *a\n",
                "seed: !!int 1\n",
                "average: !!javax.script.ScriptEngineManager [x]\n",
                "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
            })
    void anchorsAliasesAndTagsAreRefused(String line) {
        assertThat(mistakes(GOOD + line))
                .hasSize(1)
                .first()
                .asString()
                .containsPattern("has (an anchor|an alias|the tag)");
    }

    @Test
    void sizesAreBounded() {
        assertThat(mistakes("a".repeat(65537)))
                .containsExactly("my.yaml:1: has 65537 characters; a recipe has at most 65536");
        assertThat(mistakes("a: " + "[".repeat(60_000)))
                .containsExactly("my.yaml:1: is nested deeper than 16 levels, which no recipe is");
        StringBuilder many = new StringBuilder(GOOD);
        for (int i = 0; i < 5_000; i++) {
            many.append("key").append(i).append(": 1\n");
        }
        assertThat(mistakes(many.toString())).hasSize(101).last().isEqualTo("and 4900 more mistakes");
        assertThat(mistakes(GOOD + "x".repeat(1000) + ": 1\n").get(0)).hasSizeLessThan(500);
        assertThat(mistakes(GOOD, "seed=" + "9".repeat(60_000)).get(0)).hasSizeLessThan(200);
    }

    @TempDir
    private Path directory;

    @Test
    void aFileIsReadUpToALimitAndInUtf8Only() throws IOException {
        Path file = directory.resolve("my.yaml");
        Files.writeString(file, GOOD);
        assertThat(RecipeReader.read(file, List.of(), name -> {})).isEqualTo(read(GOOD));
        Files.write(file, "name: Zo\u00eb\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(catchThrowableOfType(ConfigException.class, () -> RecipeReader.read(file, List.of(), name -> {}))
                        .mistakes())
                .containsExactly(file + ": is no text in UTF-8, which a recipe must be");
        Files.write(file, new byte[1 << 20]);
        assertThat(catchThrowableOfType(ConfigException.class, () -> RecipeReader.read(file, List.of(), name -> {}))
                        .mistakes())
                .containsExactly(file + ": has more than 65536 bytes, which no recipe has");
        // Few enough characters, and whole ones up to the limit: the rest must not be left out silently.
        String comment = "#".repeat(1 + GOOD.length() % 2) + "\u00e4".repeat(40_000);
        Files.writeString(file, GOOD + comment + "\nmistake: 1\n");
        assertThat(catchThrowableOfType(ConfigException.class, () -> RecipeReader.read(file, List.of(), name -> {}))
                        .mistakes())
                .containsExactly(file + ": has more than 65536 bytes, which no recipe has");
        assertThatThrownBy(() -> RecipeReader.read(directory, List.of(), name -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(directory + ": ");
    }

    private static Recipe read(String text, String... overrides) {
        return RecipeReader.read(text, "my.yaml", List.of(overrides));
    }

    private static List<String> mistakes(String text, String... overrides) {
        var exception = catchThrowableOfType(ConfigException.class, () -> read(text, overrides));
        assertThat(exception).as("mistakes of " + List.of(overrides)).isNotNull();
        assertThat(exception.getMessage()).isEqualTo(String.join("\n", exception.mistakes()));
        return exception.mistakes();
    }
}
