package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.models.Architectures;
import io.polder.nn.Weights;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/photos.md} leads somebody through, with pictures of another kind: upright bars and lying ones. */
class PhotosCommandTest {
    @TempDir
    private Path directory;

    private Path photos;
    private String run;
    private final Random random = new Random(3);

    @BeforeEach
    void takePhotos() throws IOException {
        photos = directory.resolve("photos");
        run = directory.resolve("run").toString();
        for (int i = 0; i < 40; i++) {
            picture(photos.resolve("lying"), i + ".jpg", false, 1);
            // Half of the others lie on their side in the file, as a phone that was turned stores them.
            picture(photos.resolve("upright"), i + ".jpg", i % 2 == 0, i % 2 == 0 ? 1 : 6);
        }
    }

    @Test
    void picturesInFoldersBecomeANetworkThatTellsThemApart() throws Exception {
        var trained = train(
                "my-photos",
                "-s",
                "model.name=resnet-small",
                "-s",
                "model.image=32",
                "-s",
                "data.packedSide=48",
                "-s",
                "data.batch=8",
                "-s",
                "epochs=15");
        assertThat(trained.errors()).contains("58 training images, 10 validation images");
        assertThat(trained.output()).contains("validation error ");

        var judged = polder("evaluate", run, "--on", "test");
        assertThat(judged)
                .contains("test error ", "on 12 images", "expected calibration error ")
                .containsPattern("class +images +error +lying +upright\n")
                .containsPattern("lying +6 +[0-9.]+ % +[0-6] +[0-6]\n")
                .containsPattern("upright +6 +[0-9.]+ % +[0-6] +[0-6]\n");
        JsonNode test = new ObjectMapper().readTree(polder("evaluate", run, "--on", "test", "--json"));
        assertThat(test.get("error").asDouble()).isLessThan(0.1);

        // A picture of the network's own kind, one that is turned, and what is none.
        Path upright = picture(directory, "upright.jpg", true, 1);
        Path turned = picture(directory, "turned.jpg", false, 6);
        Path none = Files.writeString(directory.resolve("none.jpg"), "no picture");
        var predicted = PolderProcess.here(
                "predict",
                run,
                upright.toString(),
                none.toString(),
                directory + "/gone.jpg",
                turned.toString(),
                "--top",
                "1");
        assertThat(predicted.exitCode()).isEqualTo(1);
        assertThat(predicted.output()).matches(upright + ": upright [0-9.]+ %\n" + turned + ": upright [0-9.]+ %\n");
        assertThat(predicted.errors().lines())
                .containsExactly(
                        "polder: " + none + " is no image that can be read: JPEG, PNG, WebP and BMP can",
                        "polder: " + directory
                                + "/gone.jpg cannot be read (there is no such file or directory): give the file of a picture");
        List<String> objects = PolderProcess.here("predict", run, none.toString(), upright.toString(), "--json")
                .output()
                .lines()
                .toList();
        assertThat(new ObjectMapper().readTree(objects.get(0)).get("error").textValue())
                .startsWith(none + " is no image");
        assertThat(new ObjectMapper()
                        .readTree(objects.get(1))
                        .at("/guesses/0/className")
                        .textValue())
                .isEqualTo("upright");
    }

    @Test
    void whatIsWrongIsToldByClassAndDrawn() throws Exception {
        train("my-photos", "-s", "model.name=resnet-small", "-s", "model.image=32", "-s", "steps=1");
        // As if all pictures were in the wrong folder: whatever an untrained network says, it is wrong here or there.
        Path swapped = Files.createDirectory(directory.resolve("swapped"));
        Files.move(photos.resolve("lying"), swapped.resolve("upright"));
        Files.move(photos.resolve("upright"), swapped.resolve("lying"));
        JsonNode one = new ObjectMapper().readTree(polder("evaluate", run, "--data", swapped.toString(), "--json"));
        Path sheet = directory.resolve("wrong.png");
        assertThat(polder("evaluate", run, "--data", swapped.toString(), "--wrong", sheet.toString()))
                .contains("The most confidently wrong: " + sheet);
        assertThat(ImageIO.read(sheet.toFile()).getWidth()).isGreaterThan(128);
        assertThat(Path.of(run, "report.html"))
                .content()
                .contains("Where it errs", "id=\"reliability\"", "src=\"data:image/png;base64,")
                .doesNotContain(": null");
        assertThat(new ObjectMapper().readTree(Path.of(run, "examination.json").toFile()))
                .isEqualTo(one);
        assertThat(one.get("calibrationError").asDouble()).isBetween(0.0, 1.0);
        assertThat(one.at("/classes/0/class").textValue()).isEqualTo("lying");
        int wrong = one.at("/confusion/0/1").asInt() + one.at("/confusion/1/0").asInt();
        assertThat(one.get("error").asDouble())
                .isEqualTo((double) wrong / one.get("images").asInt());
        assertThat(one.at("/classes/1/error").asDouble())
                .isEqualTo(one.at("/confusion/1/0").asDouble()
                        / one.at("/classes/1/images").asInt());
    }

    @Test
    void itGoesOnFromTorchvisionsWeightsByOneOption() throws Exception {
        Path weights = directory.resolve("resnet18.safetensors");
        try (var scope = Scope.open()) {
            // With torchvision's names and a head of its thousand classes.
            Weights.save(Architectures.named("resnet-18-imagenet").build(64, 1000, new RandomStreams(5)), weights);
        }
        train(
                "my-photos-fine-tune",
                "--fine-tune",
                weights.toString(),
                "-s",
                "model.image=32",
                "-s",
                "data.packedSide=48",
                "-s",
                "steps=1",
                "-s",
                "data.batch=8");
        assertThat(directory.resolve("run/recipe.yaml")).content().contains("init: \"" + weights, "resetHead: true");
        assertThat(PolderProcess.here(
                                "train",
                                "my-photos-fine-tune",
                                "--data",
                                photos.toString(),
                                "--out",
                                run + 2,
                                "--init",
                                weights.toString())
                        .errors())
                .contains("fc.weight is [1000, 512]: it must be [2, 512]");
    }

    private PolderProcess.Outcome train(String recipe, String... options) {
        var arguments = new java.util.ArrayList<>(List.of(
                "train",
                recipe,
                "--data",
                photos.toString(),
                "--out",
                run,
                "--threads",
                "1",
                "-s",
                "data.cache=" + directory.resolve("cache")));
        arguments.addAll(List.of(options));
        var outcome = PolderProcess.here(arguments.toArray(String[]::new));
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        return outcome;
    }

    private static String polder(String... arguments) {
        var outcome = PolderProcess.here(arguments);
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        return outcome.output();
    }

    /** A bar on a ground of some colour. */
    private Path picture(Path folder, String name, boolean upright, int orientation) throws IOException {
        var image = new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB);
        var canvas = image.createGraphics();
        canvas.setColor(new Color(random.nextInt(100), random.nextInt(100), random.nextInt(100)));
        canvas.fillRect(0, 0, 64, 64);
        canvas.setColor(Color.WHITE);
        int place = 20 + random.nextInt(16);
        if (upright) {
            canvas.fillRect(place, 4, 8, 56);
        } else {
            canvas.fillRect(4, place, 56, 8);
        }
        canvas.dispose();
        Files.createDirectories(folder);
        Path file = folder.resolve(name);
        ImageIO.write(image, "jpg", file.toFile());
        if (orientation != 1) {
            Files.write(file, noted(Files.readAllBytes(file), orientation));
        }
        return file;
    }

    /** With a note of the camera right after the first mark: EXIF's header and one entry. */
    private static byte[] noted(byte[] jpeg, int orientation) {
        var note = ByteBuffer.allocate(4 + 6 + 8 + 2 + 12 + 4);
        note.putShort((short) 0xffe1).putShort((short) (note.capacity() - 2));
        note.put("Exif\0\0MM\0*".getBytes(java.nio.charset.StandardCharsets.US_ASCII))
                .putInt(8);
        note.putShort((short) 1)
                .putShort((short) 0x0112)
                .putShort((short) 3)
                .putInt(1)
                .putShort((short) orientation);
        return ByteBuffer.allocate(jpeg.length + note.capacity())
                .put(jpeg, 0, 2)
                .put(note.array())
                .put(jpeg, 2, jpeg.length - 2)
                .array();
    }
}
