package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On a transformer, whose products of matrices are large enough for OpenBLAS to share among its threads. */
@Timeout(600)
class ThreadsTest {
    @TempDir
    private Path folder;

    @Test
    @Tag("slow")
    void aTrainingAndTheSameTrialOfAStudyEndWithTheSameBits() throws Exception {
        Path images = images();
        Path study = folder.resolve("study.yaml");
        Files.writeString(study, """
                name: x
                base: quick-fashion
                set: { model.name: vit-ti-4, model.classes: 2, data.name: image-folder, data.batch: 8, epochs: 1 }
                methods: [standard]
                seeds: 1
                """);
        Path trials = folder.resolve("trials");
        run("study", study, "--data", images, "--store", trials, "--out", folder.resolve("study"), "--threads", 1);
        Path recipe = newest(trials, "recipe.yaml");

        Path training = folder.resolve("training");
        run("train", recipe, "--data", images, "--out", training, "--threads", 1);
        assertThat(newest(training, "weights.safetensors"))
                .hasSameBinaryContentAs(newest(trials, "weights.safetensors"));
    }

    private Path images() throws IOException {
        var random = new Random(1);
        Path images = folder.resolve("images");
        for (String split : List.of("train/cat", "train/dog", "test/cat", "test/dog")) {
            Files.createDirectories(images.resolve(split));
            for (int i = 0; i < 8; i++) {
                var image = new BufferedImage(32, 32, BufferedImage.TYPE_INT_RGB);
                for (int pixel = 0; pixel < 32 * 32; pixel++) {
                    image.setRGB(pixel % 32, pixel / 32, random.nextInt());
                }
                ImageIO.write(
                        image, "png", images.resolve(split).resolve(i + ".png").toFile());
            }
        }
        return images;
    }

    /** In a process that nobody has told how many threads to start. */
    private void run(Object... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Path output = folder.resolve("output.txt");
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().remove("OMP_NUM_THREADS");
        assertThat(builder.start().waitFor()).as(() -> read(output)).isZero();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static Path newest(Path directory, String name) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(file -> file.endsWith(name))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
    }
}
