package io.polder.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures as people see them: turned as the camera noted, and on white where they can be seen through. */
class AsShownTest {
    private static final int HEIGHT = 5;
    private static final int WIDTH = 7;

    /** Where the first row of the stored pixels is on the upright picture, and where their first column, by EXIF's own table. */
    private static byte[] turned(byte[] stored, int height, int width, int orientation) {
        boolean onItsSide = orientation > 4;
        int rows = onItsSide ? width : height;
        int columns = onItsSide ? height : width;
        byte[] upright = new byte[stored.length];
        for (int y = 0; y < rows; y++) {
            for (int x = 0; x < columns; x++) {
                int row = switch (orientation) {
                    case 1, 2 -> y;
                    case 3, 4 -> height - 1 - y;
                    case 5, 8 -> x;
                    default -> height - 1 - x;
                };
                int column = switch (orientation) {
                    case 1, 4 -> x;
                    case 2, 3 -> width - 1 - x;
                    case 5, 6 -> y;
                    default -> width - 1 - y;
                };
                System.arraycopy(stored, 3 * (row * width + column), upright, 3 * (y * columns + x), 3);
            }
        }
        return upright;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void aPictureIsTurnedAsTheCameraNoted(int orientation) throws IOException {
        byte[] pixels = noise(HEIGHT, WIDTH);
        byte[] upright = turned(pixels, HEIGHT, WIDTH, orientation);
        byte[] png = pngWith(pixels, exif(orientation, ByteOrder.LITTLE_ENDIAN, false));
        ImageHeader header = ImageHeader.asShown("cat", png, png.length);
        assertThat(header.height()).isEqualTo(orientation > 4 ? WIDTH : HEIGHT);
        assertThat(shown(png)).isEqualTo(upright);
        assertThat(stored(png)).isEqualTo(pixels);

        byte[] plain = Encoder.jpeg(pixels, HEIGHT, WIDTH, 90);
        byte[] noted = withSegment(plain, 0xe1, exif(orientation, ByteOrder.BIG_ENDIAN, true));
        assertThat(shown(noted)).isEqualTo(turned(stored(plain), HEIGHT, WIDTH, orientation));
        assertThat(stored(noted)).isEqualTo(stored(plain));
    }

    @Test
    void aPhotographThatIsDecodedSmallerIsTurnedToo() throws IOException {
        byte[] plain = Encoder.jpeg(noise(160, 240), 160, 240, 90);
        byte[] noted = withSegment(plain, 0xe1, exif(6, ByteOrder.LITTLE_ENDIAN, true));
        ImageHeader header = ImageHeader.asShown("cat", noted, noted.length);
        byte[] upright = new byte[3 * 30 * 20];
        Decoder.decode("cat", noted, noted.length, header, Frame.of(Area.of(240, 160), 30, 20, false), upright);
        byte[] lying = new byte[3 * 20 * 30];
        Decoder.decode(
                "cat",
                plain,
                plain.length,
                ImageHeader.of("cat", plain, plain.length),
                Frame.of(Area.of(160, 240), 20, 30, false),
                lying);
        assertThat(upright).isEqualTo(turned(lying, 20, 30, 6));
    }

    /** A note is no reason to refuse a picture: whatever bytes are in it, it is turned some way or not at all. */
    @Test
    void aBrokenNoteIsPassedOver() throws IOException {
        byte[] good = exif(6, ByteOrder.LITTLE_ENDIAN, false);
        byte[] plain = Encoder.jpeg(noise(HEIGHT, WIDTH), HEIGHT, WIDTH, 90);
        var random = new SplittableRandom(1);
        for (int i = 0; i < 3000; i++) {
            byte[] note = Arrays.copyOf(good, random.nextInt(good.length + 1));
            if (note.length > 0 && random.nextBoolean()) {
                note[random.nextInt(note.length)] = (byte) random.nextInt();
            }
            byte[] file = withSegment(plain, 0xe1, note);
            assertThat(ImageHeader.asShown("cat", file, file.length).orientation())
                    .as("case %d of seed 1", i)
                    .isBetween(1, 8);
        }
        byte[] none = withSegment(plain, 0xe1, exif(9, ByteOrder.LITTLE_ENDIAN, false));
        assertThat(ImageHeader.asShown("cat", none, none.length).orientation()).isEqualTo(1);
    }

    @Test
    void whatCanBeSeenThroughShowsWhite() throws IOException {
        var image = new BufferedImage(3, 1, BufferedImage.TYPE_INT_ARGB);
        image.setRGB(0, 0, 0x00_00_00_00);
        image.setRGB(1, 0, 0x80_c8_64_00);
        image.setRGB(2, 0, 0xff_0a_14_1e);
        byte[] file = written(image);
        // 255 - (255 - colour) * 128 / 255, rounded.
        assertThat(shown(file)).isEqualTo(bytes(255, 255, 255, 227, 177, 127, 10, 20, 30));
        assertThat(stored(file)).isEqualTo(bytes(0, 0, 0, 200, 100, 0, 10, 20, 30));
    }

    @Test
    void soDoesTheColourOfAPaletteThatCanBeSeenThroughAndGreyWithAnOpacity() throws IOException {
        var palette = new IndexColorModel(8, 2, bytes(9, 200), bytes(8, 100), bytes(7, 50), 0);
        var image = new BufferedImage(2, 1, BufferedImage.TYPE_BYTE_INDEXED, palette);
        image.getRaster().setSample(0, 0, 0, 0);
        image.getRaster().setSample(1, 0, 0, 1);
        assertThat(shown(written(image))).isEqualTo(bytes(255, 255, 255, 200, 100, 50));

        byte[] grey = new PngWriter(1, 2, 8, 4).data(bytes(0, 60, 0, 60, 255)).file();
        assertThat(shown(grey)).isEqualTo(bytes(255, 255, 255, 60, 60, 60));

        byte[] deep = new PngWriter(1, 2, 16, 6)
                .data(bytes(0, 10, 10, 20, 20, 30, 30, 255, 255, 1, 1, 2, 2, 3, 3, 0, 0))
                .file();
        assertThat(shown(deep)).isEqualTo(bytes(10, 20, 30, 255, 255, 255));
    }

    @Test
    void greyHasThreeEqualChannels() throws IOException {
        byte[] grey = new PngWriter(1, 2, 8, 0).data(bytes(0, 60, 250)).file();
        assertThat(shown(grey)).isEqualTo(bytes(60, 60, 60, 250, 250, 250));
    }

    /**
     * Printers' inks as Photoshop stores them: 255 less the ink, and a segment that says Adobe. A colour is what the ink and the black let
     * through: (255 - ink) * (255 - black) / 255. One level is lost to the JPEG and one to rounding.
     */
    @Test
    void fourInksBecomeColours() throws IOException {
        int[][] inks = {{0, 0, 0, 0}, {255, 0, 0, 0}, {0, 255, 255, 0}, {0, 0, 0, 255}, {40, 80, 120, 60}};
        for (int[] ink : inks) {
            byte[] file = withSegment(jpegOfInks(ink), 0xee, bytes('A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, 0));
            byte[] pixels = shown(file);
            assertThat(pixels).hasSize(3 * 16 * 16);
            for (int i = 0; i < pixels.length; i++) {
                int through = (255 - ink[i % 3]) * (255 - ink[3]) / 255;
                assertThat(Byte.toUnsignedInt(pixels[i]))
                        .as("ink %s, value %d", Arrays.toString(ink), i)
                        .isCloseTo(through, within(2));
            }
            assertThat(stored(file)).isEqualTo(pixels);
        }
    }

    @Test
    void aPictureOfAPhoneThatCannotBeReadSaysWhatToDo() {
        byte[] heic = bytes(0, 0, 0, 24, 'f', 't', 'y', 'p', 'h', 'e', 'i', 'c', 0, 0, 0, 0);
        assertThatIOException()
                .isThrownBy(() -> ImageHeader.asShown("cat.heic", heic, heic.length))
                .withMessage("cat.heic is a picture in HEIC or AVIF, as some phones take them: save it as JPEG");
    }

    private static byte[] shown(byte[] file) throws IOException {
        return decoded(file, ImageHeader.asShown("cat", file, file.length));
    }

    private static byte[] stored(byte[] file) throws IOException {
        return decoded(file, ImageHeader.of("cat", file, file.length));
    }

    private static byte[] decoded(byte[] file, ImageHeader header) throws IOException {
        byte[] pixels = new byte[3 * header.height() * header.width()];
        Area all = Area.of(header.height(), header.width());
        Decoder.decode("cat", file, file.length, header, Frame.of(all, all.height(), all.width(), false), pixels);
        return pixels;
    }

    private static byte[] noise(int height, int width) {
        byte[] pixels = new byte[3 * height * width];
        new SplittableRandom(7).nextBytes(pixels);
        return pixels;
    }

    private static byte[] pngWith(byte[] pixels, byte[] exif) {
        byte[] rows = new byte[HEIGHT * (1 + 3 * WIDTH)];
        for (int y = 0; y < HEIGHT; y++) {
            System.arraycopy(pixels, 3 * WIDTH * y, rows, y * (1 + 3 * WIDTH) + 1, 3 * WIDTH);
        }
        return new PngWriter(HEIGHT, WIDTH, 8, 2).chunk("eXIf", exif).data(rows).file();
    }

    /** TIFF's header and a directory of two entries, the second of which is the orientation. */
    static byte[] exif(int orientation, ByteOrder order, boolean prefixed) {
        var tiff = ByteBuffer.allocate((prefixed ? 6 : 0) + 8 + 2 + 2 * 12 + 4).order(order);
        if (prefixed) {
            tiff.put(bytes('E', 'x', 'i', 'f', 0, 0));
        }
        tiff.put(order == ByteOrder.LITTLE_ENDIAN ? bytes('I', 'I') : bytes('M', 'M'))
                .putShort((short) 42)
                .putInt(8);
        tiff.putShort((short) 2);
        tiff.putShort((short) 0x0100).putShort((short) 4).putInt(1).putInt(1234);
        tiff.putShort((short) 0x0112).putShort((short) 3).putInt(1).putShort((short) orientation);
        return tiff.array();
    }

    /** Right after the first mark. */
    static byte[] withSegment(byte[] jpeg, int marker, byte[] contents) {
        return ByteBuffer.allocate(jpeg.length + 4 + contents.length)
                .put(jpeg, 0, 2)
                .put((byte) 0xff)
                .put((byte) marker)
                .putShort((short) (contents.length + 2))
                .put(contents)
                .put(jpeg, 2, jpeg.length - 2)
                .array();
    }

    /** Java's own writer stores what it is given: here 255 less each ink. */
    private static byte[] jpegOfInks(int... inks) throws IOException {
        WritableRaster raster = Raster.createInterleavedRaster(DataBuffer.TYPE_BYTE, 16, 16, 4, null);
        for (int i = 0; i < 16 * 16; i++) {
            raster.setPixel(i % 16, i / 16, new int[] {255 - inks[0], 255 - inks[1], 255 - inks[2], 255 - inks[3]});
        }
        var writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        var settings = writer.getDefaultWriteParam();
        settings.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        settings.setCompressionQuality(1);
        var file = new ByteArrayOutputStream();
        try (var stream = ImageIO.createImageOutputStream(file)) {
            writer.setOutput(stream);
            writer.write(null, new IIOImage(raster, null, null), settings);
        } finally {
            writer.dispose();
        }
        return file.toByteArray();
    }

    private static byte[] written(BufferedImage image) throws IOException {
        var file = new ByteArrayOutputStream();
        assertThat(ImageIO.write(image, "png", file)).isTrue();
        return file.toByteArray();
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
