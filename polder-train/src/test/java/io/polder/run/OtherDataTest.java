package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polder.recipe.Recipe;
import io.polder.tensor.Device;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run is of the images and files that it began with, by what is in them. */
class OtherDataTest {
    @TempDir
    private Path directory;

    private Path run;

    @BeforeEach
    void name() {
        run = directory.resolve("run");
    }

    @Test
    void testImagesWhoseLabelsWereExchangedAreRefused() throws IOException {
        Path images = folder("images");
        stopped(recipe(images));
        Path cats = images.resolve("test/cat");
        Path aside = Files.move(cats, images.resolve("test/aside"));
        Files.move(images.resolve("test/dog"), cats);
        Files.move(aside, images.resolve("test/dog"));
        assertRefused("the images in " + images + " are not those that the run began with");
    }

    @Test
    void aTestImageThatWasExchangedIsRefusedAlsoIfItsSizeAndTimeAreTheSame() throws IOException {
        Path images = folder("images");
        stopped(recipe(images));
        Path image = images.resolve("test/cat/0.bmp");
        FileTime time = Files.getLastModifiedTime(image);
        byte[] before = Files.readAllBytes(image);
        Files.copy(images.resolve("test/dog/0.bmp"), image, StandardCopyOption.REPLACE_EXISTING);
        Files.setLastModifiedTime(image, time);
        assertRefused("are not those that the run began with");
        Files.write(image, before);
        assertThat(TrainingRun.resume(run, TinyRun.SETTINGS, new TinyRun.Observer())
                        .status())
                .isEqualTo(RunInfo.Status.done);
    }

    @Test
    void cifarFilesThatWereReplacedByNoiseAreRefused() throws IOException {
        Path cifar = Files.createDirectory(directory.resolve("cifar"));
        fillCifar(cifar, 1);
        Recipe recipe = TinyRun.recipe(
                "data={name: cifar10, dir: " + cifar + ", batch: 4, evaluateOn: test, augment: none}",
                "model.image=32");
        stopped(recipe);
        fillCifar(cifar, 2);
        assertRefused("the images in " + cifar + " are not those that the run began with");
    }

    @Test
    void aRunFromBeforeImagesWereKnownByTheirContentGoesOnAndKnowsThemFromThen() throws IOException {
        stopped(recipe(folder("images")));
        Path file = run.resolve("run.json");
        var json = new ObjectMapper();
        var info = (ObjectNode) json.readTree(file.toFile());
        info.remove("checksum"); // came later, too
        String contents = info.remove("contents").textValue();
        json.writeValue(file.toFile(), info);
        RunInfo resumed = TrainingRun.resume(run, TinyRun.SETTINGS, new TinyRun.Observer());
        assertThat(resumed.status()).isEqualTo(RunInfo.Status.done);
        assertThat(resumed.contents()).isEqualTo(contents);
    }

    @Test
    void aTorchScriptFileThatWasReplacedInTheRunIsRefused() throws IOException {
        Path script = directory.resolve("ten.ts");
        try (InputStream stream = getClass().getResourceAsStream("/torchscript/ten.ts")) {
            Files.copy(stream, script);
        }
        stopped(TinyRun.recipe("model={torchscript: " + script + "}"));
        Files.write(run.resolve("model.ts"), new byte[] {1}, StandardOpenOption.APPEND);
        assertRefused("model.ts is not the file that the run began with");
    }

    @Test
    void imagesOtherThanThoseAskedForAreNotTrainedOn() throws IOException {
        Path images = folder("images");
        Recipe recipe = recipe(images);
        String contents = Contents.of(recipe.data(), Optional.empty());
        Path other = folder("other");
        Files.copy(
                images.resolve("test/cat/0.bmp"), other.resolve("test/dog/0.bmp"), StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> TrainingRun.start(recipe, run, asking(contents, other), new TinyRun.Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the images in " + other + " are not those that were asked for");
        assertThat(run).doesNotExist();
        assertThat(TrainingRun.start(recipe, run, asking(contents, images), new TinyRun.Observer())
                        .contents())
                .isEqualTo(contents);
    }

    private static RunSettings asking(String contents, Path data) {
        return new RunSettings(1, Device.CPU, Optional.of(data), Optional.of(contents), "test", "none", "");
    }

    private void stopped(Recipe recipe) throws IOException {
        TrainingRun.start(recipe, run, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(1));
    }

    private void assertRefused(String sentence) throws IOException {
        assertThatThrownBy(() -> TrainingRun.resume(run, TinyRun.SETTINGS, new TinyRun.Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(sentence)
                .hasMessageNotContaining("\n");
        assertThat(new RunDirectory(run).info().status()).isEqualTo(RunInfo.Status.stopped);
    }

    private static Recipe recipe(Path images) {
        return TinyRun.recipe(
                "data={name: image-folder, dir: " + images + ", batch: 2, evaluateOn: test, augment: none}",
                "model.image=16");
    }

    /** Two classes, three pictures of each for training and one for testing, all files of the same length. */
    private Path folder(String name) throws IOException {
        Path folder = directory.resolve(name);
        for (String kind : new String[] {"cat", "dog"}) {
            for (int i = 0; i < 4; i++) {
                Path file =
                        folder.resolve(i == 0 ? "test" : "train").resolve(kind).resolve(i + ".bmp");
                Files.createDirectories(file.getParent());
                var picture = new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB);
                picture.setRGB(i, i, kind.equals("cat") ? 0xff8000 : 0x0080ff);
                ImageIO.write(picture, "bmp", file.toFile());
            }
        }
        return folder;
    }

    /** Two images in each file. */
    private static void fillCifar(Path folder, int seed) throws IOException {
        var random = new Random(seed);
        for (int i = 0; i < 6; i++) {
            byte[] file = new byte[2 * 3073];
            random.nextBytes(file);
            file[0] = (byte) random.nextInt(10);
            file[3073] = (byte) random.nextInt(10);
            Files.write(folder.resolve(i == 0 ? "test_batch.bin" : "data_batch_" + i + ".bin"), file);
        }
    }
}
