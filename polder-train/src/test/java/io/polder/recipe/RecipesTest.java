package io.polder.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.models.Architectures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecipesTest {
    static List<String> names() {
        return Recipes.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyRecipeIsCalledWhatItIsListedAsAndNamesARealModel(String name) {
        Recipe recipe = RecipeReader.read(Recipes.text(name), name, List.of(), Architectures::named);
        assertThat(recipe.name()).isEqualTo(name);
        assertThat(recipe.seed()).isGreaterThanOrEqualTo(0);
        assertThat(recipe.data().evaluateOn()).isEqualTo(isOnesOwn(name) ? EvaluateOn.VALIDATION : EvaluateOn.TEST);
        assertThat(Recipes.about(name))
                .doesNotContain("<")
                .doesNotStartWith("#")
                .endsWith(".");
        assertThat(Recipes.text(name)).doesNotContainPattern("[<>%\\[\\]]").endsWith("\n");
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyNumberOfThePapersRunsSaysWhereItIsFrom(String name) {
        assertThat(Recipes.text(name)
                        .lines()
                        .filter(line -> line.matches(" *(?!classes|name|#)\\w+: [0-9].*"))
                        .filter(line -> !line.matches(".*# (the paper|the authors' public recipe|assumed|compare).*"))
                        .filter(line -> !name.startsWith("quick-") && !isOnesOwn(name)))
                .isEmpty();
    }

    /** For pictures that no paper has seen: settings are chosen by them, and so a part of them is kept for the end. */
    private static boolean isOnesOwn(String name) {
        return name.startsWith("my-photos");
    }

    /** {@code golden/recipes.csv} has the runs of the paper; what a cell remarks in brackets is for readers. */
    private record Row(Map<String, String> cells) {
        static List<Row> all() throws IOException {
            try (var file = RecipesTest.class.getResourceAsStream("/golden/recipes.csv")) {
                List<String> lines = new String(file.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .toList();
                List<String> keys = List.of(lines.get(0).split(","));
                List<Row> rows = new ArrayList<>();
                for (String line : lines.subList(1, lines.size())) {
                    String[] cells = line.split(",", -1);
                    Map<String, String> row = new HashMap<>();
                    for (int i = 0; i < cells.length; i++) {
                        row.put(keys.get(i), cells[i].replaceAll(" \\(.*?\\)", ""));
                    }
                    rows.add(new Row(row));
                }
                return rows;
            }
        }

        Stream<String> several(String key) {
            return Stream.of(cells.get(key).split(" (and|or) "));
        }

        double number(String key) {
            return Double.parseDouble(cells.get(key));
        }
    }

    @Test
    void everyRunOfThePaperIsThereWithItsNumbers() throws IOException {
        TreeSet<String> expected = new TreeSet<>();
        for (Row row : Row.all()) {
            boolean isHeavy = row.cells().get("recipe").endsWith("heavy");
            boolean isZero = row.cells().get("recipe").endsWith("zero-warmup");
            for (String model : row.several("model").toList()) {
                for (String data : row.several("dataset").toList()) {
                    for (String augment : row.several("augmentation").toList()) {
                        String name = nameOf(model, data)
                                + (augment.equals("cutout") ? "-cutout" : "")
                                + (isHeavy ? "-heavy" : "")
                                + (isZero ? "-zero-warmup" : "");
                        for (String method : isZero ? List.of("") : List.of("", "-sam", "-standard")) {
                            expected.add(name + method);
                            check(row, Recipes.read(name + method, List.of()), data, augment);
                        }
                    }
                }
            }
        }
        assertThat(new TreeSet<>(Recipes.names().stream()
                        .filter(name -> !name.startsWith("quick-") && !isOnesOwn(name))
                        .toList()))
                .isEqualTo(expected);
    }

    private static String nameOf(String model, String data) {
        String name = model.toLowerCase(Locale.ROOT).replaceAll("^vit-(ti|s)$", "vit-$1-4");
        return name + "-" + data;
    }

    private static void check(Row row, Recipe recipe, String data, String augment) {
        String name = recipe.name();
        assertThat(recipe.epochs()).as(name).isEqualTo((int) row.number("epochs"));
        assertThat(recipe.data().name()).as(name).isEqualTo(data);
        assertThat(recipe.data().augment().name())
                .as(name)
                .isEqualTo(augment.equals("autoaugment") ? "autoaugment-cifar" : augment);
        assertThat(recipe.data().batch()).as(name).isEqualTo((int) row.number("batch"));
        assertThat(recipe.data().mix() instanceof BatchMixing.CutMix)
                .as(name)
                .isEqualTo(row.cells().get("batch_augmentation").equals("cutmix"));
        assertThat(recipe.learningRate())
                .as(name)
                .isEqualTo(new LearningRate.Cosine(row.number("base_learning_rate"), 0));
        assertThat(recipe.optimizer().clip()).as(name).isEqualTo(row.number("clip"));
        if (recipe.optimizer() instanceof OptimizerRecipe.AdamW adam) {
            assertThat(row.cells().get("optimizer")).isEqualTo("adamw");
            assertThat(adam.weightDecay()).as(name).isEqualTo(row.number("decoupled_weight_decay"));
            assertThat(adam.l2()).as(name).isZero();
        } else {
            assertThat(recipe.optimizer())
                    .as(name)
                    .isEqualTo(new OptimizerRecipe.Sgd(0.9, true, row.number("l2_in_loss"), false, row.number("clip")));
        }
        if (recipe.scheme() instanceof SchemeRecipe.TwoPasses scheme) {
            assertThat(scheme.r()).as(name).isEqualTo(ScheduledNumber.of(row.number("r")));
            double alpha = scheme instanceof SchemeRecipe.Sam ? 1 : row.number("alpha");
            assertThat(scheme.alpha()).as(name).isEqualTo(ScheduledNumber.of(alpha));
            assertThat(scheme.warmup())
                    .as(name)
                    .isEqualTo(
                            row.cells().get("warmup").isEmpty()
                                    ? null
                                    : new SchemeRecipe.Warmup(SchemeRecipe.Warmup.Quantity.ZERO, 40));
        }
        String smoothing = row.cells().get("label_smoothing");
        assertThat(recipe.labelSmoothing()).as(name).isEqualTo(smoothing.isEmpty() ? 0 : Double.parseDouble(smoothing));
    }

    @Test
    void theThreeMethodsOfARunDifferInTheSchemeAlone() {
        Recipe penalty = Recipes.read("vit-s-4-cifar100-heavy", List.of("scheme=standard"));
        Recipe standard = Recipes.read("vit-s-4-cifar100-heavy-standard", List.of());
        assertThat(standard.hash()).isEqualTo(penalty.hash());
        assertThat(Recipes.read("vit-s-4-cifar100-heavy-sam", List.of("scheme=standard"))
                        .hash())
                .isEqualTo(penalty.hash());
    }

    @Test
    void anUnknownNameOffersTheNearest() {
        assertThatThrownBy(() -> Recipes.text("wrn-28-10-cifar-10"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "recipe is \"wrn-28-10-cifar-10\": there is no such recipe; did you mean wrn-28-10-cifar10?");
        assertThatThrownBy(() -> Recipes.text("x")).hasMessageEndingWith("./polder recipes lists them");
    }
}
