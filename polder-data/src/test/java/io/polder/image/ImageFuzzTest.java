package io.polder.image;

import io.polder.fuzz.Fuzz;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged image files: pixels, or one sentence that names the file. Only PNG has a checksum, over each of its chunks. */
@Tag("slow")
class ImageFuzzTest {
    private static final int HEIGHT = 40;
    private static final int WIDTH = 56;
    private static final int SIDE = 24;
    private static final int FIRST_CHUNK = 8;

    @ParameterizedTest
    @ValueSource(strings = {"jpeg", "bmp", "webp"})
    void aFormatWithoutChecksums(String format) throws Exception {
        Fuzz.of(format, seed(format)).oneCaseOf(2).run(ImageFuzzTest::pixels);
    }

    /** Pieces of no meaning for the pixels may change, the marks of their lengths included. */
    @ParameterizedTest
    @ValueSource(strings = "png")
    void aFormatWithChecksums(String format) throws Exception {
        Fuzz.of(format, seed(format)).oneCaseOf(2).sameOrRefused().run(ImageFuzzTest::pixels);
    }

    /** The decoder sees what the checksums would have kept from it. */
    @ParameterizedTest
    @ValueSource(strings = "png")
    void aFormatWhoseChecksumsWereMadeToFit(String format) throws Exception {
        Fuzz.of("sealed " + format, seed(format)).oneCaseOf(2).run(bytes -> pixels(sealed(bytes)));
    }

    private static byte[] seed(String format) {
        return Encoder.encode("." + format, DecoderTest.smooth(HEIGHT, WIDTH), HEIGHT, WIDTH);
    }

    private static Object pixels(byte[] file) throws IOException {
        ImageHeader header = ImageHeader.of("cat", file, file.length);
        Frame frame = Frame.of(Area.of(header.height(), header.width()), SIDE, SIDE, false);
        byte[] pixels = new byte[3 * SIDE * SIDE];
        Decoder.decode("cat", file, file.length, header, frame, pixels);
        return Arrays.hashCode(pixels);
    }

    private static byte[] sealed(byte[] png) {
        ByteBuffer bytes = ByteBuffer.wrap(png);
        for (int at = FIRST_CHUNK; at + 12 <= png.length; ) {
            int length = bytes.getInt(at);
            if (length < 0 || length > png.length - at - 12) {
                break;
            }
            var sum = new CRC32();
            sum.update(png, at + 4, length + 4);
            bytes.putInt(at + 8 + length, (int) sum.getValue());
            at += 12 + length;
        }
        return png;
    }
}
