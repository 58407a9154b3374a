package io.polder.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.polder.tensor.Engine;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.Test;

final class DecoderTest {
    private static final int HEIGHT = 60;
    private static final int WIDTH = 80;
    private static final byte[] SMOOTH = smooth(HEIGHT, WIDTH);

    @Test
    void pngComesBackBitForBit() throws IOException {
        assertThat(decode(Encoder.png(SMOOTH, HEIGHT, WIDTH), whole(HEIGHT, WIDTH)))
                .isEqualTo(SMOOTH);
    }

    @Test
    void redStaysRed() throws IOException {
        byte[] red = new byte[16 * 16 * 3];
        for (int i = 0; i < red.length; i += 3) {
            red[i] = (byte) 255;
        }
        for (byte[] file : new byte[][] {Encoder.png(red, 16, 16), Encoder.jpeg(red, 16, 16, 95)}) {
            byte[] pixel = decode(file, Frame.of(new Area(5, 5, 1, 1), 1, 1, false));
            assertThat(Byte.toUnsignedInt(pixel[0])).isGreaterThan(250);
            assertThat(Byte.toUnsignedInt(pixel[1])).isLessThan(6);
            assertThat(Byte.toUnsignedInt(pixel[2])).isLessThan(6);
        }
    }

    /** Quality 95 and a smooth picture: a level or two of 256. */
    @Test
    void jpegComesBackNearly() throws IOException {
        assertThat(meanDifference(decode(Encoder.jpeg(SMOOTH, HEIGHT, WIDTH, 95), whole(HEIGHT, WIDTH)), SMOOTH))
                .isLessThan(2);
    }

    @Test
    void aCropIsThatPartAndMirrorsOnRequest() throws IOException {
        byte[] file = Encoder.png(SMOOTH, HEIGHT, WIDTH);
        Area area = new Area(7, 11, 20, 30);
        byte[] plain = decode(file, Frame.of(area, 20, 30, false));
        byte[] mirrored = decode(file, Frame.of(area, 20, 30, true));
        for (int y = 0; y < 20; y++) {
            for (int x = 0; x < 30; x++) {
                for (int c = 0; c < 3; c++) {
                    byte expected = SMOOTH[((y + 7) * WIDTH + x + 11) * 3 + c];
                    assertThat(plain[(y * 30 + x) * 3 + c]).isEqualTo(expected);
                    assertThat(mirrored[(y * 30 + 29 - x) * 3 + c]).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void theWindowIsCutFromTheResizedCrop() throws IOException {
        byte[] file = Encoder.png(SMOOTH, HEIGHT, WIDTH);
        byte[] all = decode(file, Frame.of(Area.of(HEIGHT, WIDTH), 30, 40, false));
        byte[] window = decode(file, new Frame(Area.of(HEIGHT, WIDTH), 30, 40, new Area(3, 5, 20, 10), false));
        for (int y = 0; y < 20; y++) {
            assertThat(Arrays.copyOfRange(window, y * 30, (y + 1) * 30))
                    .isEqualTo(Arrays.copyOfRange(all, ((y + 3) * 40 + 5) * 3, ((y + 3) * 40 + 15) * 3));
        }
    }

    /** Black and white columns in turns: sampling would take one or the other, averaging gives grey. */
    @Test
    void makingSmallerDoesNotAlias() throws IOException {
        int side = 64;
        byte[] stripes = new byte[side * side * 3];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = (byte) (i / 3 % 2 == 0 ? 0 : 255);
        }
        for (int smaller : new int[] {32, 16, 8}) {
            byte[] made =
                    decode(Encoder.png(stripes, side, side), Frame.of(Area.of(side, side), smaller, smaller, false));
            for (byte level : made) {
                assertThat(Byte.toUnsignedInt(level)).isBetween(96, 160);
            }
        }
    }

    @Test
    void aJpegIsReducedOnlyAsFarAsTheCropAllows() {
        var header = new ImageHeader(ImageHeader.Format.JPEG, 1000, 1000);
        assertThat(Decoder.scale(header, Frame.of(new Area(0, 0, 223, 500), 112, 112, false)))
                .isEqualTo(1);
        assertThat(Decoder.scale(header, Frame.of(new Area(0, 0, 224, 500), 112, 112, false)))
                .isEqualTo(2);
        assertThat(Decoder.scale(header, Frame.of(new Area(0, 0, 448, 500), 112, 112, false)))
                .isEqualTo(4);
        assertThat(Decoder.scale(header, Frame.of(Area.of(1000, 1000), 112, 112, false)))
                .isEqualTo(8);
        var png = new ImageHeader(ImageHeader.Format.PNG, 1000, 1000);
        assertThat(Decoder.scale(png, Frame.of(Area.of(1000, 1000), 112, 112, false)))
                .isEqualTo(1);
    }

    /**
     * Odd sizes and places: the edges move by four pixels at most, over which this picture changes by 12 levels where it
     * is steepest and by fewer than 8 on the average.
     */
    @Test
    void aReducedJpegShowsTheSame() throws IOException {
        int height = 331;
        int width = 413;
        byte[] picture = smooth(height, width);
        byte[] jpeg = Encoder.jpeg(picture, height, width, 95);
        byte[] png = Encoder.png(picture, height, width);
        var random = new SplittableRandom(5);
        for (int i = 0; i < 200; i++) {
            int h = 16 + random.nextInt(height - 15);
            int w = 16 + random.nextInt(width - 15);
            Area crop = new Area(random.nextInt(height - h + 1), random.nextInt(width - w + 1), h, w);
            Frame frame = Frame.of(crop, 2 + random.nextInt(h / 2), 2 + random.nextInt(w / 2), random.nextBoolean());
            assertThat(meanDifference(decode(jpeg, frame), decode(png, frame)))
                    .as("%s", frame)
                    .isLessThan(8);
        }
    }

    @Test
    void greyBecomesThreeEqualChannels() throws IOException {
        // A PNG of one grey pixel of level 77, from the specification by hand.
        byte[] file = new PngWriter(1, 1, 8, 0).data(new byte[] {0, 77}).file();
        assertThat(decode(file, whole(1, 1))).containsExactly(77, 77, 77);
    }

    @Test
    void sixteenBitsBecomeEightAndTransparencyIsIgnored() throws IOException {
        byte[] deep = new PngWriter(1, 1, 16, 2)
                .data(new byte[] {0, 10, (byte) 200, 20, 0, 30, 0})
                .file();
        assertThat(decode(deep, whole(1, 1))).containsExactly(10, 20, 30);
        byte[] clear =
                new PngWriter(1, 1, 8, 6).data(new byte[] {0, 10, 20, 30, 0}).file();
        assertThat(decode(clear, whole(1, 1))).containsExactly(10, 20, 30);
    }

    /** An EXIF segment that says "turn by 90 degrees": the image keeps its size. */
    @Test
    void theCamerasOrientationIsIgnored() throws IOException {
        byte[] plain = Encoder.jpeg(SMOOTH, HEIGHT, WIDTH, 95);
        byte[] exif = {
            (byte) 0xff,
            (byte) 0xe1,
            0,
            34,
            'E',
            'x',
            'i',
            'f',
            0,
            0,
            'M',
            'M',
            0,
            42,
            0,
            0,
            0,
            8,
            0,
            1,
            0x01,
            0x12,
            0,
            3,
            0,
            0,
            0,
            1,
            0,
            6,
            0,
            0,
            0,
            0,
            0,
            0
        };
        byte[] turned = new byte[plain.length + exif.length];
        System.arraycopy(plain, 0, turned, 0, 2);
        System.arraycopy(exif, 0, turned, 2, exif.length);
        System.arraycopy(plain, 2, turned, 2 + exif.length, plain.length - 2);
        assertThat(decode(turned, whole(HEIGHT, WIDTH))).isEqualTo(decode(plain, whole(HEIGHT, WIDTH)));
    }

    @Test
    void aFrameOutsideTheImageIsRefusedBeforeAnythingNative() throws IOException {
        byte[] file = Encoder.png(SMOOTH, HEIGHT, WIDTH);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> decode(file, Frame.of(new Area(50, 0, 11, 5), 4, 4, false)))
                .withMessageContaining("it must lie within the image of 60 x 80");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Decoder.decode(
                        "x",
                        file,
                        file.length,
                        ImageHeader.of("x", file, file.length),
                        whole(HEIGHT, WIDTH),
                        new byte[10]))
                .withMessage("destination has 10 bytes: it must have at least 14400");
    }

    @Test
    void aHeaderThatLiesAboutTheSizeIsAnIOException() {
        byte[] file = Encoder.png(SMOOTH, HEIGHT, WIDTH);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Decoder.decode(
                        "cat.png",
                        file,
                        file.length,
                        new ImageHeader(ImageHeader.Format.PNG, HEIGHT + 1, WIDTH),
                        whole(HEIGHT, WIDTH),
                        new byte[HEIGHT * WIDTH * 3]))
                .withMessage("cat.png is damaged: its pixels cannot be decoded");
    }

    /** The caller's scope ends before the workspace's life does. */
    @Test
    void aScopeThatIsOpenDoesNotFreeTheWorkspace() throws IOException {
        Engine.load();
        byte[] file = Encoder.png(SMOOTH, HEIGHT, WIDTH);
        for (int i = 0; i < 50; i++) {
            try (var scope = new PointerScope()) {
                assertThat(decode(file, whole(HEIGHT, WIDTH))).isEqualTo(SMOOTH);
            }
        }
        assertThat(decode(file, whole(HEIGHT, WIDTH))).isEqualTo(SMOOTH);
    }

    /** 4,000 decodes of 1.4 MB each would leave 5 GB if each leaked its pixels. */
    @Test
    void nativeMemoryStaysFlat() throws IOException {
        byte[] file = Encoder.jpeg(smooth(600, 800), 600, 800, 60);
        var header = ImageHeader.of("x", file, file.length);
        Frame frame = Frame.of(new Area(3, 3, 500, 700), 64, 64, true);
        byte[] destination = new byte[64 * 64 * 3];
        for (int i = 0; i < 100; i++) {
            Decoder.decode("x", file, file.length, header, frame, destination);
        }
        long before = Pointer.physicalBytes();
        for (int i = 0; i < 1500; i++) {
            Decoder.decode("x", file, file.length, header, frame, destination);
        }
        assertThat(Pointer.physicalBytes() - before).isLessThan(64L << 20);
    }

    private static byte[] decode(byte[] file, Frame frame) throws IOException {
        byte[] destination = new byte[frame.window().height() * frame.window().width() * 3];
        Decoder.decode("test", file, file.length, ImageHeader.of("test", file, file.length), frame, destination);
        return destination;
    }

    private static Frame whole(int height, int width) {
        return Frame.of(Area.of(height, width), height, width, false);
    }

    private static double meanDifference(byte[] a, byte[] b) {
        assertThat(a).hasSameSizeAs(b);
        long sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += Math.abs(Byte.toUnsignedInt(a[i]) - Byte.toUnsignedInt(b[i]));
        }
        return (double) sum / a.length;
    }

    static byte[] smooth(int height, int width) {
        byte[] pixels = new byte[height * width * 3];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                for (int c = 0; c < 3; c++) {
                    pixels[(y * width + x) * 3 + c] =
                            (byte) (128 + 60 * Math.sin(x / (19.0 + 4 * c)) + 50 * Math.cos(y / (23.0 - 3 * c)));
                }
            }
        }
        return pixels;
    }
}
