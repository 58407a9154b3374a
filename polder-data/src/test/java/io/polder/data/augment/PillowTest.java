package io.polder.data.augment;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.ImageShape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

/**
 * Every operation of a policy against what Pillow made of the same image (tools/pillow_golden.py), bit for bit: there is no
 * tolerance. Levels go through tables of whole numbers, geometry is in Pillow's fixed point, and what Pillow computes in
 * single precision Java does too, to the same bits on every machine.
 */
final class PillowTest {
    private record Golden(String image, String operation, double argument, byte[] bytes) {
        ImageShape shape() {
            return switch (image) {
                case "square", "dull" -> new ImageShape(3, 32, 32);
                case "wide" -> new ImageShape(3, 14, 19);
                case "grey" -> new ImageShape(1, 17, 24);
                case "tiny" -> new ImageShape(3, 4, 5);
                default -> throw new AssertionError(image);
            };
        }

        byte[] original() {
            var shape = shape();
            byte[] pixels = new byte[shape.bytes()];
            for (int i = 0; i < pixels.length; i++) {
                int channel = i % shape.channels();
                int x = i / shape.channels() % shape.width();
                int y = i / shape.channels() / shape.width();
                if (image.equals("dull")) {
                    pixels[i] = (byte) (channel == 2 ? 77 : 90 + (x * 3 + y * 2 + channel * 5) % 61);
                } else {
                    pixels[i] = (byte) (x * x + y * 7 * (channel + 1) + x * y + 31 * channel);
                }
            }
            return pixels;
        }

        byte[] result() {
            byte[] pixels = original();
            var canvas = Canvas.on(pixels, shape());
            if (operation.equals("Hue")) {
                canvas.hue((int) argument);
            } else {
                Operation.named(operation).apply(canvas, argument, new SplittableRandom(1));
            }
            return pixels;
        }
    }

    @Test
    void everyOperationMakesOfEveryImageWhatPillowDoes() throws IOException {
        for (Golden golden : goldens()) {
            assertThat(golden.result())
                    .as("%s %s of %s", golden.operation, golden.argument, golden.image)
                    .isEqualTo(golden.bytes);
        }
    }

    /** All but the cutout, whose place is random; CanvasTest has it. */
    @Test
    void everyOperationIsThereAndMostChangeSomething() throws IOException {
        var seen = EnumSet.of(Operation.CUTOUT);
        for (Golden golden : goldens()) {
            if (!golden.operation.equals("Hue")) {
                seen.add(Operation.named(golden.operation));
            }
        }
        assertThat(seen).isEqualTo(EnumSet.allOf(Operation.class));
        long unchanged = goldens().stream()
                .filter(golden -> Arrays.equals(golden.bytes, golden.original()))
                .count();
        assertThat(unchanged).as("of 230").isLessThan(60);
    }

    private static List<Golden> goldens() throws IOException {
        try (InputStream file = PillowTest.class.getResourceAsStream("/golden/pillow.csv")) {
            Stream<String> lines = new String(file.readAllBytes(), StandardCharsets.US_ASCII).lines();
            return lines.filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(","))
                    .map(fields -> new Golden(fields[0], fields[1], Double.parseDouble(fields[2]), inflated(fields[3])))
                    .toList();
        }
    }

    private static byte[] inflated(String text) {
        try (var bytes = new InflaterInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            return bytes.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
