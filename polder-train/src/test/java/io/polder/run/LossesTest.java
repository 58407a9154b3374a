package io.polder.run;

import static io.polder.run.TinyRun.SETTINGS;
import static io.polder.run.TinyRun.recipe;
import static io.polder.run.TinyRun.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.data.Dataset;
import io.polder.data.ImageShape;
import io.polder.data.ImagesInMemory;
import io.polder.data.Normalization;
import io.polder.data.Splits;
import io.polder.data.augment.Augmentation;
import io.polder.loss.BinaryCrossEntropy;
import io.polder.loss.FocalLoss;
import io.polder.loss.SoftCrossEntropy;
import io.polder.recipe.LossRecipe;
import io.polder.recipe.Recipe;
import io.polder.run.TinyRun.Observer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Losses by name, from the recipe to the training. */
class LossesTest {
    @TempDir
    private Path directory;

    /** Of four images of a, two of b and two of c, and none of more. */
    private static Assembly.Images images(int classes) {
        int[] labels = {0, 1, 0, 2, 0, 1, 0, 2};
        var images = new ImagesInMemory(new ImageShape(1, 1, 1), classes, new byte[labels.length], labels);
        var names = List.of("a", "b", "c", "d").subList(0, classes);
        var dataset = new Dataset("letters", images, images, names, Optional.empty(), Path.of("unused"));
        var splits = new Splits(images, images, new Normalization(new float[] {0}, new float[] {1}));
        return new Assembly.Images(dataset, splits, Augmentation.NONE, null, null, null);
    }

    private static List<Double> balanced(String loss) throws IOException {
        Recipe settled = Assembly.settled(recipe("loss={name: " + loss + ", balanced: true}"), images(3));
        assertThat(settled.loss().balanced()).isFalse();
        return settled.loss().weights();
    }

    /** n/(classes·n_c), so that the images weigh 1 in the mean; or the noes for each yes. */
    @Test
    void balancedWeightsAreThoseOfTheTrainingLabels() throws IOException {
        assertThat(balanced("cross-entropy")).containsExactly(8 / 12.0, 8 / 6.0, 8 / 6.0);
        assertThat(balanced("focal")).containsExactly(8 / 12.0, 8 / 6.0, 8 / 6.0);
        assertThat(balanced("binary-cross-entropy")).containsExactly(1.0, 3.0, 3.0);
    }

    @Test
    void theTaskHasTheLossThatTheRecipeNames() {
        var given = List.of(1.0, 2.0);
        assertThat(recipe("loss={name: cross-entropy, weights: [1, 2]}", "labelSmoothing=0.1")
                        .learns()
                        .loss())
                .isEqualTo(new SoftCrossEntropy(0.1, given));
        assertThat(recipe("loss=binary-cross-entropy").learns().loss()).isEqualTo(new BinaryCrossEntropy(0));
        assertThat(recipe("loss=focal").learns().loss()).isEqualTo(FocalLoss.ofOneClass(2, 0, List.of()));
        assertThat(recipe(
                                "task=multi-label",
                                "data={name: labelled-folder, batch: 8}",
                                "loss={name: focal, gamma: 1.5, weights: [1, 2]}")
                        .learns()
                        .loss())
                .isEqualTo(FocalLoss.ofLabels(1.5, 0, given));
    }

    @Test
    void toNameTheTasksOwnLossIsToNameNone() {
        assertThat(recipe("loss=cross-entropy")).isEqualTo(recipe());
        String[] labels = {"task=multi-label", "data={name: labelled-folder, batch: 8}"};
        assertThat(recipe(labels[0], labels[1], "loss=binary-cross-entropy")).isEqualTo(recipe(labels));
        assertThat(recipe("loss=binary-cross-entropy").hash()).isNotEqualTo(recipe().hash());
        assertThat(recipe("loss={name: cross-entropy, balanced: true}").loss())
                .isEqualTo(new LossRecipe.CrossEntropy(null, true));
    }

    @Test
    void whatContradictsIsRefused() {
        assertThatThrownBy(() -> recipe("loss={name: focal, balanced: true, weights: [1]}"))
                .hasMessage("-s: loss.weights: contradicts loss.balanced; give one of both");
        assertThatThrownBy(() ->
                        recipe("task=multi-label", "data={name: labelled-folder, batch: 8}", "loss=cross-entropy"))
                .hasMessageContaining(
                        "loss: is cross-entropy, by which an image is of one class, and the task is multi-label");
        assertThatThrownBy(() -> recipe("loss={name: cross-entropy, weights: [1, 0]}"))
                .hasMessageContaining("loss.weights[1]: is \"0\"; it must be a number above 0");
        assertThatThrownBy(() -> recipe("loss=bce")).hasMessageContaining("did you mean binary-cross-entropy?");
        assertThatThrownBy(() -> Assembly.settled(recipe("loss={name: cross-entropy, weights: [1, 2]}"), images(3)))
                .isInstanceOf(IOException.class)
                .hasMessage("loss.weights has 2 numbers: it must have 3, one for each class of letters");
        assertThatThrownBy(() -> Assembly.settled(recipe("loss={name: focal, balanced: true}"), images(4)))
                .isInstanceOf(IOException.class)
                .hasMessage("loss.balanced is true, and no training image is of class d: give loss.weights");
    }

    @Test
    void runsOfALossGoOnToTheSameBitsAndReplicasKnowIt() throws IOException {
        for (String loss : List.of("{name: focal, balanced: true}", "binary-cross-entropy")) {
            Path whole = Files.createTempDirectory(directory, "whole");
            Path parts = Files.createTempDirectory(directory, "parts");
            Recipe recipe = recipe("loss=" + loss, "replicas=2", "data.images=70", "probes={measure: [gradient-norm]}");
            TrainingRun.start(recipe, whole, SETTINGS, new Observer());
            TrainingRun.start(recipe, parts, SETTINGS, new Observer().stoppingAfter(5));
            RunInfo info = TrainingRun.resume(parts, SETTINGS, new Observer());
            assertThat(info.recipeHash()).isEqualTo(recipe.hash());
            assertThat(Files.mismatch(weights(parts), weights(whole))).isEqualTo(-1);
        }
    }
}
