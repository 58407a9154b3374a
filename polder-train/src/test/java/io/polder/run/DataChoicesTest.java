package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.config.ConfigException;
import io.polder.data.load.LoaderOptions;
import io.polder.recipe.EvaluateOn;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.recipe.Recipes;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run says to a choice of images that its data set cannot serve. */
class DataChoicesTest {
    @TempDir
    private Path directory;

    @Test
    void aPathForImagesThatComeWithPolderIsRefusedBeforeAnythingIsWritten() {
        Path run = directory.resolve("run");
        assertThatThrownBy(() -> TrainingRun.start(
                        TinyRun.recipe(), run, TinyRun.settings(1, Optional.of(directory)), new TinyRun.Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("fashion-mnist-2000 comes with Polder, and " + directory + " was given: ");
        assertThat(run).doesNotExist();
    }

    @Test
    void anEarlierRunThatNotedSuchAPathGoesOnAndIsEvaluated() throws IOException {
        Path run = directory.resolve("run");
        TrainingRun.start(TinyRun.recipe(), run, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(1));
        var written = new RunDirectory(run);
        RunInfo info = written.info();
        info.at(Optional.of(directory), info.contents()).write(written.infoFile());
        try (var network = TrainedNetwork.open(run, RunDirectory.Which.NEWEST, Device.CPU, sentence -> {})) {
            assertThat(network.evaluate(Optional.empty(), Optional.empty()).examples())
                    .isPositive();
            assertThatThrownBy(() -> network.evaluate(Optional.of(directory), Optional.empty()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("fashion-mnist-2000 comes with Polder");
        }
        RunInfo resumed = TrainingRun.resume(run, TinyRun.SETTINGS, new TinyRun.Observer());
        assertThat(resumed.status()).isEqualTo(RunInfo.Status.done);
        assertThat(resumed.data()).isNull();
    }

    @Test
    void aTenthIsHeldBackWhereTheCustomaryNumberOfValidationImagesIsNotThere() throws IOException {
        Recipe recipe = quickFashion("data.evaluateOn=validation");
        assertThat(recipe.data().validation()).isEqualTo(5000);
        try (var images = images(recipe)) {
            assertThat(images.splits().evaluation().size()).isEqualTo(200);
            assertThat(images.splits().train().size()).isEqualTo(1800);
        }
    }

    @Test
    void aNumberOfImagesThatIsNotThereIsRefusedByTheNameOfItsField() {
        assertThatThrownBy(() -> images(quickFashion("data.evaluateOn=validation", "data.validation=2000")))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "data.validation is 2000: it must be 1 to 1999, as fashion-mnist-2000 has 2000 training images");
        assertThatThrownBy(() ->
                        images(quickFashion("data.evaluateOn=validation", "data.validation=400", "data.images=1601")))
                .isInstanceOf(IOException.class)
                .hasMessage("data.images is 1601: it must be 1 to 1600, as that many training images are there");
    }

    /** Test images under the name of validation images would be the worst of answers. */
    @Test
    void whereNoValidationImagesAreHeldBackNothingIsEvaluatedOnThem() throws IOException {
        Recipe recipe = quickFashion("data.evaluateOn=test", "data.validation=0");
        try (var images = images(recipe)) {
            assertThat(images.splits().evaluation().size()).isEqualTo(10_000);
        }
        assertThatThrownBy(() -> Assembly.images(
                        recipe, EvaluateOn.VALIDATION, Optional.empty(), new RandomStreams(recipe.seed())))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "data.validation is 0: it must be 1 to 1999, as fashion-mnist-2000 has 2000 training images");
    }

    @Test
    void theMostLoaderThreadsOfARecipeAreTheLoadersMost() {
        int most = LoaderOptions.MOST_THREADS;
        assertThat(quickFashion("data.loaderThreads=" + most).data().loaderThreads())
                .isEqualTo(most);
        assertThat(LoaderOptions.evaluation(1).withThreads(most).threads()).isEqualTo(most);
        assertThatThrownBy(() -> quickFashion("data.loaderThreads=" + (most + 1)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("at most " + most);
    }

    private static Assembly.Images images(Recipe recipe) throws IOException {
        return Assembly.images(recipe, recipe.data().evaluateOn(), Optional.empty(), new RandomStreams(recipe.seed()));
    }

    private static Recipe quickFashion(String... overrides) {
        return RecipeReader.read(Recipes.text("quick-fashion"), "quick-fashion.yaml", List.of(overrides), name -> {});
    }
}
