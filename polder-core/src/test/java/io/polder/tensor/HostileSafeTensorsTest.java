package io.polder.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are broken or made to break their reader: each is one sentence, and nothing is allocated on its word. */
class HostileSafeTensorsTest {
    private static final String GOOD = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
            + "\"b\":{\"dtype\":\"BOOL\",\"shape\":[2,2],\"data_offsets\":[8,12]}}";

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("hostile.safetensors");
    }

    @Test
    void whatTheOthersAreMadeFromIsGood() throws IOException {
        Files.write(file, bytes(GOOD, 12));
        readAll();
    }

    @Test
    void anEmptyFile() throws IOException {
        Files.write(file, new byte[0]);
        assertRefused().isEqualTo(" is empty: fetch it again");
    }

    @Test
    void aFileCutShortAnywhere() throws IOException {
        byte[] good = bytes(GOOD, 12);
        for (int length = 1; length < good.length; length++) {
            Files.write(file, Arrays.copyOf(good, length));
            assertRefused().as("%d bytes", length).isNotEmpty();
        }
        Files.write(file, Arrays.copyOf(good, 5));
        assertRefused().isEqualTo(" is cut short: it has 5 bytes and a safetensors file at least 10; fetch it again");
    }

    @ParameterizedTest
    @CsvSource({
        "112, 112",
        "640, 640",
        "99999999, 99999999",
        "9223372036854775807, 9223372036854775807",
        "-9223372036854775808, 9223372036854775808",
        "-1, 18446744073709551615"
    })
    void aHeaderLongerThanTheFile(long length, String shown) throws IOException {
        byte[] bytes = bytes(GOOD, 0);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(length);
        Files.write(file, bytes);
        var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = memory.getCurrentThreadAllocatedBytes();
        assertRefused()
                .isEqualTo(" is cut short or not a safetensors file: it promises a header of " + shown
                        + " bytes where at most " + (bytes.length - 8)
                        + " can be; give another file or fetch it again");
        assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(4 << 20);
    }

    @Test
    void aHeaderOfMoreThanAHundredMegabytesEvenWhereTheFileHasThem() throws IOException {
        try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.writeLong(Long.reverseBytes(100_000_001));
            sparse.setLength(200_000_000);
        }
        assertRefused().contains("a header of 100000001 bytes where at most 100000000 can be");
    }

    @Test
    void aPickleIsCalledByItsName() throws IOException {
        String refusal = " is a file of torch.save: that is a program, and Polder runs none; convert it to safetensors";
        Files.write(file, "PK\3\4\0\0\b\b\0\0archive/data.pkl".getBytes(StandardCharsets.ISO_8859_1));
        assertRefused().isEqualTo(refusal);
        Files.write(file, "\u0080\2\u008a\nl\u00fc\u009cF\u00f9 j\u00a8P\u0019.".getBytes(StandardCharsets.ISO_8859_1));
        assertRefused().isEqualTo(refusal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " {}", "[]", "null", "\ufeff{}", "hello"})
    void aHeaderThatIsNoObject(String json) throws IOException {
        assertHeader(json, 0)
                .isEqualTo(" is not a safetensors file: its header does not begin with a brace; give another file");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{}}",
                "{'a':1}",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1,],\"data_offsets\":[0,4]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[01],\"data_offsets\":[0,4]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[NaN],\"data_offsets\":[0,4]}}",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1",
                "{}\0",
                "{\"unended"
            })
    void aHeaderThatIsNotJson(String json) throws IOException {
        assertHeader(json, 4)
                .startsWith(" has a header that is not valid JSON (")
                .endsWith("): fetch it again");
    }

    @Test
    void somethingAfterTheHeadersEnd() throws IOException {
        assertHeader("{} {}", 0).isEqualTo(" has something after its header's last brace: fetch it again");
    }

    @Test
    void aHeaderThatIsNotUtf8() throws IOException {
        String json = "{\"__metadata__\":{\"k\":\"ü\"}}";
        Files.write(file, withLength(json.getBytes(StandardCharsets.ISO_8859_1), 0));
        assertRefused().isEqualTo(" has a header that is not UTF-8: fetch it again");
        Files.write(file, withLength(json.getBytes(StandardCharsets.UTF_16LE), 0));
        assertRefused().startsWith(" has a header that is not");
        byte[] overlong = json.replace("ü", "??").getBytes(StandardCharsets.UTF_8);
        int at = new String(overlong, StandardCharsets.UTF_8).indexOf('?');
        overlong[at] = (byte) 0xc0;
        overlong[at + 1] = (byte) 0x80;
        Files.write(file, withLength(overlong, 0));
        assertRefused().isEqualTo(" has a header that is not UTF-8: fetch it again");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s",
                "{\"a\":%s",
                "{\"__metadata__\":%s",
                "{\"__metadata__\":{\"k\":%s",
                "{\"a\":{\"dtype\":%s",
                "{\"a\":{\"shape\":%s",
                "{\"a\":{\"data_offsets\":[%s",
                "{\"a\":{\"other\":%s"
            })
    void depthCostsNothing(String beginning) throws IOException {
        for (String opening : new String[] {"[", "{\"a\":"}) {
            assertHeader(beginning.formatted(opening.repeat(1_000_000)), 0)
                    .hasSizeLessThan(300)
                    .startsWith(" ");
        }
    }

    @Test
    void anUnknownType() throws IOException {
        assertHeader(GOOD.replace("BOOL", "F8_E4M3"), 12)
                .isEqualTo(" has tensor b of the dtype F8_E4M3, which Polder does not know: convert it to one of"
                        + " [I64, F64, F32, I32, BF16, F16, I16, I8, U8, BOOL]");
        assertHeader(GOOD.replace("F32", "f32"), 12).contains("of the dtype f32,");
        assertHeader(GOOD.replace("F32", "\\u001b[31m" + "x".repeat(5000)), 12)
                .contains("of the dtype ?[31mxxx")
                .hasSizeLessThan(300);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "1e3", "\"2\"", "null", "9223372036854775808", "[2]", "true"})
    void aSizeThatIsNone(String size) throws IOException {
        assertHeader(GOOD.replace("[2]", "[" + size + "]"), 12)
                .isEqualTo(" has a damaged header: a has a shape with something that is not a whole number"
                        + " from 0 to 2^63 - 1; fetch it again");
        assertHeader(GOOD.replace("[0,8]", "[" + size + ",8]"), 12)
                .contains("a has a data_offsets with something that is not a whole number");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775807",
                "4294967296,4294967296",
                "3037000500,3037000500",
                "2305843009213693952,4,0",
                "0,4611686018427387904,4",
                "2,2147483648,2147483648,2147483648"
            })
    void shapesThatOverflow(String shape) throws IOException {
        assertHeader(GOOD.replace("[2]", "[" + shape + "]"), 12)
                .isEqualTo(" has a damaged header: a has the shape [" + shape.replace(",", ", ")
                        + "], which is more than 2^63 bytes; fetch it again");
    }

    @Test
    void moreDimensionsThanAnybodyHas() throws IOException {
        assertHeader(GOOD.replace("[2]", "[2" + ",1".repeat(64) + "]"), 12)
                .isEqualTo(" has a damaged header: a has more than 64 numbers in its shape; fetch it again");
        Files.write(file, bytes(GOOD.replace("[2]", "[2" + ",1".repeat(63) + "]"), 12));
        readAll();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "[0,8]; [8,0]; a lies from byte 8 to 0 of the 12 bytes of data",
                "[8,12]; [9,13]; b lies from byte 9 to 13 of the 12 bytes of data",
                "[8,12]; [8,9223372036854775807]; b lies from byte 8 to 9223372036854775807 of the 12 bytes of data",
                "[0,8]; [0,4]; a has 4 bytes where F32 of shape [2] takes 8",
                "[2]; [3]; a has 8 bytes where F32 of shape [3] takes 12",
                "[2]; [0]; a has 8 bytes where F32 of shape [0] takes 0",
                "[8,12]; [4,8]; b begins at byte 4 of the data, inside the tensor before it, which ends at 8",
                "[8,12]; [0,4]; a begins at byte 0 of the data, inside the tensor before it, which ends at 4",
                "[0,8]; [0,8,8]; a has more than 2 numbers in its data_offsets",
                "[0,8]; [8]; a has 1 data_offsets instead of 2",
                "[0,8]; 8; a has a data_offsets that is not an array",
                "[2]; {}; a has a shape that is not an array",
                "'\"F32\"'; 32; a has a dtype that is not a string",
                "',\"shape\":[2]'; ''; a lacks its dtype, shape or data_offsets",
                "'\"shape\":[2]'; '\"shape\":[2],\"strides\":[1]'; a has the field strides, which the format does not know"
            })
    void aDescriptionThatIsWrong(String good, String wrong, String sentence) throws IOException {
        assertThat(GOOD).contains(good);
        assertHeader(GOOD.replace(good, wrong), 12)
                .isEqualTo(" has a damaged header: " + sentence + "; fetch it again");
    }

    @Test
    void aHoleBetweenTensorsOrBeforeThem() throws IOException {
        assertHeader(GOOD.replace("[8,12]", "[9,13]"), 13)
                .isEqualTo(" has a damaged header: b begins at byte 9 of the data, but the tensor before it ends at 8;"
                        + " fetch it again");
        assertHeader(GOOD.replace("[8,12]", "[9,13]").replace("[0,8]", "[1,9]"), 13)
                .contains("a begins at byte 1 of the data, but the tensor before it ends at 0");
    }

    @Test
    void bytesAfterTheLastTensor() throws IOException {
        assertHeader(GOOD, 13).isEqualTo(" goes on for 1 bytes after the last of its tensors: fetch it again");
        assertHeader("{}", 5).isEqualTo(" goes on for 5 bytes after the last of its tensors: fetch it again");
    }

    @Test
    void namesThatComeTwice() throws IOException {
        assertHeader(GOOD.replace("\"b\"", "\"a\""), 12)
                .isEqualTo(" has a header that is not valid JSON (Duplicate field 'a'): fetch it again");
        assertHeader(GOOD.replace("\"b\"", "\"\\u0061\""), 12).contains("Duplicate field 'a'");
        assertHeader(GOOD.replace("\"shape\":[2]", "\"shape\":[2],\"shape\":[2]"), 12)
                .contains("Duplicate field 'shape'");
        assertHeader("{\"__metadata__\":{},\"__metadata__\":{}}", 0).contains("Duplicate field '__metadata__'");
    }

    @Test
    void namesThatWouldSpoilAMessage() throws IOException {
        assertHeader(GOOD.replace("\"a\"", "\"a\\nb\\u001b[2J\""), 12)
                .isEqualTo(" has a tensor named a?b?[2J: a name must have at most 1000 characters and no control"
                        + " characters");
        assertHeader(GOOD.replace("\"a\"", "\"" + "a".repeat(1001) + "\""), 12).hasSizeLessThan(300);
        assertHeader(GOOD.replace("\"a\"", "\"" + "a".repeat(100_000) + "\""), 12)
                .hasSizeLessThan(300);
    }

    @Test
    void metadataThatIsNotStrings() throws IOException {
        assertHeader("{\"__metadata__\":[]}", 0)
                .isEqualTo(" has a damaged header: __metadata__ is not an object; fetch it again");
        assertHeader("{\"__metadata__\":{\"epoch\":3}}", 0)
                .isEqualTo(" has a damaged header: __metadata__ has a value that is not a string; fetch it again");
    }

    @Test
    void aTensorThatIsNotDescribed() throws IOException {
        assertHeader("{\"a\":3}", 0)
                .isEqualTo(" has a damaged header: a is not described by an object; fetch it again");
    }

    @Test
    void aFileThatIsNoneOrADirectory() {
        String sentence = " is not a file that can be read: check the path and its permissions";
        assertRefused().isEqualTo(sentence);
        file = folder;
        assertRefused().isEqualTo(sentence);
    }

    @Test
    void aFileCutShortAfterItWasOpened() throws IOException {
        Files.write(file, bytes(GOOD, 12));
        try (var scope = Scope.open();
                var stored = SafeTensors.open(file)) {
            Files.write(file, bytes(GOOD, 4));
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> stored.read("a"))
                    .withMessage(file + " was cut short while tensor a was read: fetch it again");
        }
    }

    /** Flips, deletes, inserts and copies bytes of a good file. {@code -Dpolder.test.seed=…} repeats a run. */
    @Test
    void randomDamageIsAFaultOrHarmless() throws IOException {
        long seed = Long.getLong("polder.test.seed", System.nanoTime());
        System.out.println("HostileSafeTensorsTest.randomDamageIsAFaultOrHarmless: seed " + seed);
        Random random = new Random(seed);
        byte[] good = bytes("{\"__metadata__\":{\"k\":\"v\"}," + GOOD.substring(1), 12);
        int faults = 0;
        for (int trial = 0; trial < 4000; trial++) {
            byte[] damaged = good.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged = damaged(damaged, random);
            }
            Files.write(file, damaged);
            try {
                readAll();
            } catch (IOException e) {
                assertThat(e).as("seed %d, trial %d", seed, trial).hasMessageStartingWith(file + " ");
                faults++;
            } catch (Throwable e) {
                throw new AssertionError("seed " + seed + ", trial " + trial, e);
            }
        }
        assertThat(faults).as("seed %d", seed).isBetween(2000, 3999);
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        int at = random.nextInt(bytes.length);
        byte[] other = bytes.clone();
        switch (random.nextInt(6)) {
            case 0 -> other[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> other[at] = (byte) random.nextInt();
            case 2 -> other[at] = (byte) ('0' + random.nextInt(10));
            case 3 -> other[at] = (byte) "{}[],:\"\\-0.eE \n".charAt(random.nextInt(15));
            case 4 -> {
                // A piece goes elsewhere, which may repeat a name or an offset.
                int from = random.nextInt(bytes.length);
                System.arraycopy(
                        bytes, from, other, at, Math.min(random.nextInt(12), bytes.length - Math.max(from, at)));
            }
            default -> {
                // A byte more or less in the header, which the length in front agrees with.
                boolean more = random.nextBoolean();
                at = Math.max(8, at);
                other = Arrays.copyOf(bytes, bytes.length + (more ? 1 : -1));
                if (more) {
                    System.arraycopy(bytes, at, other, at + 1, bytes.length - at);
                } else {
                    System.arraycopy(bytes, at + 1, other, at, Math.max(0, bytes.length - at - 1));
                }
                other[0] += (byte) (more ? 1 : -1);
            }
        }
        return other;
    }

    private void readAll() throws IOException {
        try (var scope = Scope.open();
                var stored = SafeTensors.open(file)) {
            for (var entry : stored.entries().entrySet()) {
                var tensor = stored.read(entry.getKey());
                assertThat(tensor.nbytes()).isEqualTo(entry.getValue().length());
            }
        }
    }

    private AbstractStringAssert<?> assertHeader(String json, int data) throws IOException {
        Files.write(file, bytes(json, data));
        return assertRefused();
    }

    /** Gives what follows the file's name in the message. */
    private AbstractStringAssert<?> assertRefused() {
        var thrown = assertThatExceptionOfType(IOException.class)
                .isThrownBy(this::readAll)
                .actual();
        assertThat(thrown.getMessage()).startsWith(file.toString()).doesNotContain("\n");
        return assertThat(thrown.getMessage().substring(file.toString().length()));
    }

    private static byte[] bytes(String json, int data) {
        return withLength(json.getBytes(StandardCharsets.UTF_8), data);
    }

    private static byte[] withLength(byte[] json, int data) {
        return ByteBuffer.allocate(8 + json.length + data)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(json.length)
                .put(json)
                .array();
    }
}
