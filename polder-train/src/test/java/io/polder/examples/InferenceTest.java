package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.recipe.RecipeReader;
import io.polder.run.RunDirectory;
import io.polder.run.RunObserver;
import io.polder.run.RunSettings;
import io.polder.run.TrainedNetwork;
import io.polder.run.TrainingRun;
import io.polder.tensor.Device;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first example of docs/java.md, which {@link DocumentationTest} holds to what is here. */
class InferenceTest {
    private static final String RECIPE = """
            name: tiny
            steps: 1
            model: { name: resnet-small }
            data: { name: fashion-mnist-2000, augment: none, batch: 8, images: 16, evaluateOn: validation, validation: 16 }
            scheme: { name: standard }
            optimizer: { name: sgd }
            learningRate: { schedule: constant, base: 0.01 }
            """;

    @TempDir
    private Path directory;

    static String whatIsIt(Path run, Path picture) throws IOException {
        try (var network = TrainedNetwork.open(run, RunDirectory.Which.BEST, Device.CPU, System.err::println)) {
            var likeliest = network.predict(List.of(picture), 1).get(0).get(0);
            return likeliest.className() + ", " + Math.round(100 * likeliest.probability()) + " %";
        }
    }

    @Test
    void aPictureIsTakenForAClass() throws IOException {
        Path run = directory.resolve("run");
        var settings = new RunSettings(1, Device.CPU, Optional.empty(), Optional.empty(), "test", "none", "test");
        TrainingRun.start(RecipeReader.read(RECIPE, "tiny.yaml", List.of()), run, settings, new RunObserver() {});
        Path picture = directory.resolve("picture.png");
        ImageIO.write(new BufferedImage(28, 28, BufferedImage.TYPE_BYTE_GRAY), "png", picture.toFile());
        assertThat(whatIsIt(run, picture)).matches("\\D+, \\d+ %");
    }
}
