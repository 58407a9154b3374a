package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.image.Encoder;
import io.polder.models.Architectures;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.recipe.Recipes;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.StepMetrics;
import io.polder.train.Trainer;
import io.polder.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every built-in recipe builds its pipeline and network and trains, at a reduced size: small images, small siblings of the networks. */
@Tag("slow")
class BuiltInRecipesTest {
    private static final int SIDE = 32;

    private static final Map<String, String> SIBLINGS = Map.of(
            "wrn-28-10", "wrn-10-1",
            "wrn-ss-2x96", "wrn-ss-2x4",
            "pyramidnet-272-200-shakedrop", "pyramidnet-20-12-shakedrop",
            "resnet-101-imagenet", "resnet-50-imagenet");

    /** Each large network is trained in the first recipe that has it; in its others this one stands for it. */
    private static final String STAND_IN = "wrn-10-1";

    private static final Set<String> TRAINED = new HashSet<>();

    @TempDir
    private static Path images;

    @BeforeAll
    static void writeImages() throws IOException {
        var random = new SplittableRandom(1);
        byte[] pixels = new byte[3 * SIDE * SIDE];
        for (String split : List.of("train", "test")) {
            for (String name : List.of("dike", "mill")) {
                Path folder = Files.createDirectories(images.resolve(split).resolve(name));
                for (int i = 0; i < 4; i++) {
                    random.nextBytes(pixels);
                    Files.write(folder.resolve(i + ".png"), Encoder.png(pixels, SIDE, SIDE));
                }
            }
        }
    }

    static List<String> recipes() {
        return Recipes.names();
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void takesTwoSteps(String name) throws IOException {
        Recipe whole = RecipeReader.read(Recipes.text(name), name, List.of(), Architectures::named);
        assertTakesTwoSteps(RecipeReader.read(Recipes.text(name), name, reduction(whole), Architectures::named));
    }

    @Test
    void imageFoldersMayBePacked(@TempDir Path cache) throws IOException {
        assertTakesTwoSteps(Recipes.read(
                "resnet-50-imagenet",
                List.of(
                        "steps=2",
                        "model.name=" + STAND_IN,
                        "model.classes=2",
                        "model.image=" + SIDE,
                        "data.name=image-folder",
                        "data.batch=2",
                        "data.packedSide=" + SIDE,
                        "data.cache=" + cache)));
        assertThat(cache.resolve("packed")).isNotEmptyDirectory();
    }

    private static void assertTakesTwoSteps(Recipe recipe) throws IOException {
        var streams = new RandomStreams(recipe.seed());
        List<StepMetrics> steps = new ArrayList<>();
        Optional<Path> place = recipe.data().isBundled() ? Optional.empty() : Optional.of(BuiltInRecipesTest.images);
        try (var scope = Scope.open();
                var images = Assembly.images(recipe, recipe.data().evaluateOn(), place, streams)) {
            var network = Assembly.network(recipe, null, images.splits().evaluation(), streams);
            var plan =
                    Assembly.plan(recipe, recipe.data().batch(), images.train().batchesPerEpoch(), streams);
            var listener = new TrainingListener() {
                @Override
                public void onStep(StepMetrics metrics) {
                    steps.add(metrics);
                }
            };
            try (var trainer =
                    new Trainer(network, plan, images.forTraining(), Device.CPU, streams, List.of(listener))) {
                trainer.run();
            }
        }
        assertThat(steps).hasSize(2).allMatch(step -> Double.isFinite(step.loss()) && step.parameterNorm() > 0);
    }

    /** All but the method, the augmentation, the optimizer and the family of the network, which are the recipe. */
    private static List<String> reduction(Recipe recipe) {
        List<String> overrides = new ArrayList<>(List.of("steps=2", "data.batch=2", "data.evaluationBatch=8"));
        if (recipe.data().isBundled()) {
            overrides.addAll(List.of("data.images=10", "data.evaluateOn=validation", "data.validation=10"));
        } else if (recipe.data().name().equals("photos")) { // which has fields that no other has
            overrides.add("data.packedSide=null");
        } else {
            overrides.addAll(List.of("data.name=image-folder", "model.classes=2"));
            if (recipe.data().images() != null) {
                overrides.add("data.images=8");
            }
        }
        String model = recipe.model().name();
        if (SIBLINGS.containsKey(model)) {
            overrides.add("model.name=" + SIBLINGS.get(model));
        } else if (!TRAINED.add(model)) {
            overrides.add("model.name=" + (model.startsWith("vit-") ? "vit-ti-4" : STAND_IN));
        }
        if (model.endsWith("-imagenet")) {
            overrides.add("model.image=" + SIDE);
        }
        if (recipe.scheme() instanceof io.polder.recipe.SchemeRecipe.TwoPasses two && two.warmup() != null) {
            overrides.add("scheme.warmup.epochs=0.25");
        }
        return overrides;
    }
}
