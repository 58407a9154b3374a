package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images with several labels from the command line: looked at, trained on, evaluated, asked about. */
class MultiLabelCommandTest {
    @TempDir
    private Path directory;

    @Test
    void whatATrainedNetworkIsSureOfIsNamed() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        var csv = new StringBuilder("file,split,labels\n");
        var random = new Random(5);
        for (int i = 0; i < 120; i++) {
            boolean red = random.nextBoolean();
            boolean blue = random.nextBoolean();
            draw(data.resolve(i + ".png"), red, blue, random);
            csv.append(
                    "%d.png,%s,%s %s\n".formatted(i, i < 96 ? "train" : "test", red ? "red" : "", blue ? "blue" : ""));
        }
        Files.writeString(data.resolve("labels.csv"), csv);
        Path recipe = Files.writeString(directory.resolve("shapes.yaml"), """
                name: shapes
                epochs: 12
                task: multi-label
                model: { name: resnet-small }
                data: { name: labelled-folder, batch: 16 }
                scheme: { name: standard }
                optimizer: { name: sgd }
                learningRate: { schedule: cosine, base: 0.05 }
                """);
        String run = directory.resolve("run").toString();

        assertThat(polder("datasets", "check", "labelled-folder", data.toString()))
                .containsPattern("blue +\\d+ +\\d+\n")
                .contains("Every image can be decoded.");
        assertThat(polder("train", recipe.toString(), "--data", data.toString(), "--out", run, "--threads", "1"))
                .contains("test mean average precision ")
                .contains("label error ");
        assertThat(directory.resolve("run/report.html")).content().contains("mean average precision");
        var evaluation = new ObjectMapper().readTree(polder("evaluate", run, "--json"));
        assertThat(evaluation.get("meanAveragePrecision").asDouble()).isGreaterThan(0.9);

        Path both = draw(directory.resolve("both.png"), true, true, random);
        Path none = draw(directory.resolve("none.png"), false, false, random);
        assertThat(polder("predict", run, both.toString(), none.toString(), "--checkpoint", "newest"))
                .matches(both + ": (red [0-9.]+ %, blue|blue [0-9.]+ %, red) [0-9.]+ %\n" + none
                        + ": no label is likelier than not\n");
        assertThat(polder("predict", run, none.toString(), "--top", "1")).containsPattern(": (red|blue) [0-9.]+ %");
        assertThat(new ObjectMapper()
                        .readTree(polder("predict", run, none.toString(), "--checkpoint", "newest", "--json"))
                        .get("guesses"))
                .isEmpty();
    }

    private static String polder(String... arguments) {
        var outcome = PolderProcess.here(arguments);
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        return outcome.output();
    }

    private static Path draw(Path file, boolean red, boolean blue, Random random) throws Exception {
        var image = new BufferedImage(12, 12, BufferedImage.TYPE_INT_RGB);
        var canvas = image.createGraphics();
        if (red) {
            canvas.setColor(Color.RED);
            canvas.fillRect(random.nextInt(4), random.nextInt(10), 8, 2);
        }
        if (blue) {
            canvas.setColor(Color.BLUE);
            canvas.fillRect(random.nextInt(10), random.nextInt(4), 2, 8);
        }
        canvas.dispose();
        ImageIO.write(image, "png", file.toFile());
        return file;
    }
}
