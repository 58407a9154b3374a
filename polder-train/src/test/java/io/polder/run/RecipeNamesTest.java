package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.Datasets;
import io.polder.data.ImageShape;
import io.polder.data.KnownDataset;
import io.polder.data.Pipeline;
import io.polder.recipe.AugmentName;
import io.polder.recipe.DatasetName;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Recipes must not load the engine or open files, so they have lists of names of their own: here they are held to the real ones. */
class RecipeNamesTest {
    @Test
    void everyPipelineHasANameInRecipesAndTheOtherWayRound() {
        assertThat(Arrays.stream(AugmentName.values()).map(AugmentName::text))
                .containsExactlyInAnyOrderElementsOf(Pipeline.names());
        for (String name : Pipeline.names()) {
            assertThat(Pipeline.named(name, new ImageShape(3, 32, 32)).name()).isEqualTo(name);
        }
    }

    @Test
    void everyDataSetHasANameInRecipesAndTheOtherWayRound() {
        assertThat(Arrays.stream(DatasetName.values())
                        .filter(name -> name != DatasetName.CIFAR100_COARSE) // the same files, other labels
                        .map(DatasetName::text))
                .containsExactlyInAnyOrderElementsOf(
                        Datasets.all().stream().map(KnownDataset::name).toList());
        for (DatasetName name : DatasetName.values()) {
            if (name != DatasetName.CIFAR100_COARSE) {
                assertThat(Datasets.named(name.text()).isBundled()).isEqualTo(name.isBundled());
            }
        }
    }
}
