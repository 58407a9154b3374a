package io.polder.run;

import static io.polder.run.TinyRun.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.config.ConfigException;
import io.polder.image.Encoder;
import io.polder.metrics.MetricsHistory;
import io.polder.recipe.EvaluateOn;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.run.TinyRun.Observer;
import io.polder.tensor.Device;
import io.polder.train.MultiLabel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pictures with a red bar, a green square, both or neither, from the files to what a trained network says of one. */
class MultiLabelRunTest {
    private static final int SIDE = 12;
    private static final String RECIPE = """
            name: shapes
            seed: 4
            epochs: 4
            task: multi-label
            model: { name: resnet-small }
            data: { name: labelled-folder, augment: none, mix: mixup, batch: 16 }
            scheme: { name: gradient-norm-penalty, r: 0.05, alpha: 0.7 }
            optimizer: { name: sgd, l2: 1.0e-3 }
            learningRate: { schedule: cosine, base: 0.05 }
            labelSmoothing: 0.05
            checkpoint: { everySteps: 4 }
            """;

    @TempDir
    private Path directory;

    private Path data;

    @BeforeEach
    void draw() throws IOException {
        data = Files.createDirectory(directory.resolve("data"));
        var csv = new StringBuilder("file,split,red bar,green square\n");
        var random = new Random(3);
        for (int i = 0; i < 160; i++) {
            boolean red = random.nextInt(3) == 0;
            boolean green = random.nextBoolean();
            Files.write(data.resolve(i + ".png"), picture(red, green, random));
            csv.append("%d.png,%s,%d,%d\n".formatted(i, i < 112 ? "train" : "test", red ? 1 : 0, green ? 1 : 0));
        }
        Files.writeString(data.resolve("labels.csv"), csv);
    }

    @Test
    void aRunLearnsTheLabelsAndItsNetworkTellsThem() throws IOException {
        Path run = directory.resolve("run");
        Recipe recipe = recipe("data.cache=" + directory, "data.mix=none", "epochs=10");
        RunInfo info = TrainingRun.start(recipe, run, settings(), new Observer());
        assertThat(info.figures()).isEqualTo(MultiLabel.FIGURES);
        assertThat(info.images().classNames()).containsExactly("red bar", "green square");
        var epochs = MetricsHistory.read(run.resolve("metrics.jsonl")).epochs();
        double first = epochs.get(0).metrics().test().orElseThrow().figure("meanAveragePrecision");
        double last = epochs.get(9).metrics().test().orElseThrow().figure("meanAveragePrecision");
        assertThat(last).isGreaterThan(first).isGreaterThan(0.9);

        try (var network = TrainedNetwork.open(run, RunDirectory.Which.NEWEST, Device.CPU, System.err::println)) {
            assertThat(network.evaluate(Optional.empty(), Optional.empty()).figure(MultiLabel.MEAN_AVERAGE_PRECISION))
                    .isEqualTo(last);
            assertThat(network.evaluate(Optional.of(data), Optional.of(EvaluateOn.VALIDATION))
                            .examples())
                    .isEqualTo(11); // a tenth of what is trained on, with the recipe's default
            assertThat(network.hasSeveralLabels()).isTrue();
            Path both = Files.write(directory.resolve("both.png"), picture(true, true, new Random(9)));
            Path none = Files.write(directory.resolve("none.png"), picture(false, false, new Random(9)));
            var guesses = network.predict(List.of(both, none), 2);
            assertThat(guesses.get(0)).allMatch(guess -> guess.probability() > 0.5);
            assertThat(guesses.get(1)).allMatch(guess -> guess.probability() < 0.5);
        }
    }

    @Test
    void aStoppedAndResumedRunEndsWithTheSameBits() throws IOException {
        Path whole = directory.resolve("whole");
        Path parts = directory.resolve("parts");
        Recipe recipe = recipe("data.cache=" + directory, "epochs=2");
        RunInfo expected = TrainingRun.start(recipe, whole, settings(), new Observer());
        TrainingRun.start(recipe, parts, settings(), new Observer().stoppingAfter(9));
        RunInfo resumed = TrainingRun.resume(parts, settings(), new Observer());
        assertThat(resumed.result().figures()).isEqualTo(expected.result().figures());
        assertThat(weights(parts)).hasSameBinaryContentAs(weights(whole));
    }

    @Test
    void aChangedLabelIsAnotherSet() throws IOException {
        Path run = directory.resolve("run");
        TrainingRun.start(recipe("data.cache=" + directory), run, settings(), new Observer().stoppingAfter(2));
        Path labels = data.resolve("labels.csv");
        String line = Files.readAllLines(labels).get(1);
        String other = line.substring(0, line.length() - 1) + (line.endsWith("0") ? "1" : "0");
        Files.writeString(labels, Files.readString(labels).replace(line, other));
        assertThatThrownBy(() -> TrainingRun.resume(run, settings(), new Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("are not those that the run began with");
    }

    @Test
    void taskAndImagesMustBeOfOneKind() {
        assertThatThrownBy(() -> recipe("task=null"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "data.name: is labelled-folder, whose images have several labels each; say task: multi-label");
        assertThatThrownBy(() -> recipe("data.name=image-folder"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("task: is multi-label, and the images of image-folder have one class each");
    }

    @Test
    void classificationByNameIsTheRecipeThatNamesNoTask() {
        Recipe named = recipe("task=classification", "data.name=image-folder");
        Recipe silent = recipe("task=null", "data.name=image-folder");
        assertThat(named).isEqualTo(silent);
        assertThat(named.hash()).isEqualTo(silent.hash()).isNotEqualTo(recipe().hash());
        assertThat(RecipeReader.read(recipe().toYaml(), "shapes.yaml", List.of()))
                .isEqualTo(recipe());
    }

    private RunSettings settings() {
        return TinyRun.settings(1, Optional.of(data));
    }

    private static Recipe recipe(String... overrides) {
        return RecipeReader.read(RECIPE, "shapes.yaml", List.of(overrides));
    }

    private static byte[] picture(boolean red, boolean green, Random random) {
        byte[] pixels = new byte[3 * SIDE * SIDE];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) random.nextInt(60);
        }
        if (red) {
            fill(pixels, random.nextInt(SIDE - 2), random.nextInt(4), 2, 8, 0);
        }
        if (green) {
            fill(pixels, random.nextInt(SIDE - 4), random.nextInt(SIDE - 4), 4, 4, 1);
        }
        return Encoder.png(pixels, SIDE, SIDE);
    }

    private static void fill(byte[] pixels, int top, int left, int height, int width, int channel) {
        for (int y = top; y < top + height; y++) {
            for (int x = left; x < left + width; x++) {
                pixels[3 * (y * SIDE + x) + channel] = (byte) 220;
            }
        }
    }
}
