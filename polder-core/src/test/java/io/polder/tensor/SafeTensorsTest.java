package io.polder.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(OpenScope.class)
class SafeTensorsTest {
    @TempDir
    private Path folder;

    /** Written out from the definition of the format, by hand. */
    @Test
    void theBytesAreThoseOfTheFormat() throws IOException {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        tensors.put("b", tensor(ElementType.U8, bytes(7, 8, 9), 3));
        tensors.put("a", tensor(ElementType.F32, bytes(0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0), 1, 2)); // 1 and -2
        Path file = folder.resolve("small.safetensors");
        SafeTensors.write(file, tensors, Map.of("key", "ü"));

        String json = "{\"__metadata__\":{\"key\":\"ü\"},"
                + "\"a\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]},"
                + "\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[8,11]}}";
        assertThat(json.getBytes(StandardCharsets.UTF_8)).hasSize(137);
        assertThat(Files.readAllBytes(file))
                .isEqualTo(joined(
                        bytes(144, 0, 0, 0, 0, 0, 0, 0),
                        (json + "       ").getBytes(StandardCharsets.UTF_8),
                        bytes(0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 7, 8, 9)));
    }

    /** As Python's package writes them: no metadata, tensors in any order, spaces at the end. */
    @Test
    void aFileMadeFromTheDefinitionIsRead() throws IOException {
        Path file = file(
                "{\"late\":{\"dtype\":\"I16\",\"shape\":[],\"data_offsets\":[12,14]}, \"none\":"
                        + "{\"shape\":[0,4],\"data_offsets\":[12,12],\"dtype\":\"F64\"},\n"
                        + "\"early\":{\"dtype\":\"F32\",\"shape\":[3,1],\"data_offsets\":[0,12]}}   ",
                bytes(0, 0, 0x80, 0x3f, 0, 0, 0, 0x40, 0, 0, 0x40, 0x40, 0xfe, 0xff));
        try (var stored = SafeTensors.open(file)) {
            assertThat(stored.metadata()).isEmpty();
            assertThat(stored.entries())
                    .containsExactly(
                            Map.entry("early", new SafeTensors.Entry(ElementType.F32, List.of(3L, 1L), 0, 12)),
                            Map.entry("none", new SafeTensors.Entry(ElementType.F64, List.of(0L, 4L), 12, 0)),
                            Map.entry("late", new SafeTensors.Entry(ElementType.I16, List.of(), 12, 2)));
            Tensor early = stored.read("early");
            assertThat(early.shape()).containsExactly(3, 1);
            assertThat(early.get(0).item_double()).isEqualTo(1);
            assertThat(early.get(2).item_double()).isEqualTo(3);
            assertThat(stored.read("late").item_long()).isEqualTo(-2);
            assertThat(stored.read("none").numel()).isZero();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> stored.read("later"))
                    .withMessage("name is \"later\": it must be that of one of the 3 tensors of " + file);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyTypeComesBackBitForBit(ElementType type) throws IOException {
        byte[] content = new byte[6 * type.bytes()];
        new Random(type.ordinal()).nextBytes(content);
        if (type == ElementType.BOOL) {
            content = bytes(0, 1, 1, 0, 1, 0);
        }
        Path file = folder.resolve("one.safetensors");
        SafeTensors.write(file, Map.of("x", tensor(type, content, 3, 1, 2)), Map.of());
        try (var stored = SafeTensors.open(file)) {
            assertThat(stored.entries().get("x").type()).isEqualTo(type);
            Tensor read = stored.read("x");
            assertThat(ElementType.of("x", read)).isEqualTo(type);
            assertThat(read.shape()).containsExactly(3, 1, 2);
            assertThat(contentOf(read)).isEqualTo(content);
        }
    }

    @Test
    void anyByteButZeroIsTrue() throws IOException {
        Path file = file("{\"x\":{\"dtype\":\"BOOL\",\"shape\":[3],\"data_offsets\":[0,3]}}", bytes(0, 1, 0xff));
        try (var stored = SafeTensors.open(file)) {
            assertThat(contentOf(stored.read("x"))).containsExactly(0, 1, 1);
        }
    }

    @Test
    void theLayoutInMemoryDoesNotShowInTheFile() throws IOException {
        Tensor plain = torch.arange(new Scalar(120)).view(2, 3, 4, 5);
        Tensor channelsLast = plain.contiguous(torch.MemoryFormat.ChannelsLast);
        Tensor part = torch.cat(new TensorVector(plain, plain), 3).narrow(3, 0, 5);
        assertThat(channelsLast.is_contiguous() || part.is_contiguous()).isFalse();
        byte[] expected = written(plain);
        assertThat(written(channelsLast)).isEqualTo(expected);
        assertThat(written(part)).isEqualTo(expected);
    }

    @Test
    void theOrderOfTheMapDoesNotShowInTheFile() throws IOException {
        Map<String, Tensor> one = new LinkedHashMap<>();
        Map<String, Tensor> other = new LinkedHashMap<>();
        for (int i = 0; i < 9; i++) {
            one.put("t" + i, torch.full(new long[] {2}, new Scalar(i)));
            other.put("t" + (8 - i), torch.full(new long[] {2}, new Scalar(8 - i)));
        }
        SafeTensors.write(folder.resolve("one"), one, Map.of("a", "1", "b", "2", "c", "3"));
        SafeTensors.write(folder.resolve("other"), other, new HashMap<>(Map.of("c", "3", "b", "2", "a", "1")));
        assertThat(folder.resolve("other")).hasSameBinaryContentAs(folder.resolve("one"));
    }

    @Test
    void tensorsLargerThanOneTransferComeBackToo() throws IOException {
        int size = 2 * SafeTensors.TRANSFER + 12345;
        byte[] content = new byte[size];
        new Random(1).nextBytes(content);
        Map<String, Tensor> tensors = Map.of("a", tensor(ElementType.U8, content, size), "b", torch.ones(3));
        Path file = folder.resolve("large");
        SafeTensors.write(file, tensors, Map.of());
        try (var stored = SafeTensors.open(file)) {
            assertThat(stored.read("a").equal(tensors.get("a"))).isTrue();
            assertThat(stored.read("b").equal(tensors.get("b"))).isTrue();
        }
    }

    /** Costs address space only: the pages between are never touched. */
    @Test
    void theMemoryOfATensorIsReachedBeyondTwoGigabytes() {
        long size = (1L << 31) + 5;
        Tensor tensor =
                torch.empty(new long[] {size}, new TensorOptions(torch.ScalarType.Byte), new MemoryFormatOptional());
        List<ByteBuffer> parts = SafeTensors.memory(tensor, size);
        assertThat(parts.stream().mapToLong(ByteBuffer::remaining).sum()).isEqualTo(size);
        parts.get(128).put(4, (byte) 42);
        parts.get(127).put(SafeTensors.TRANSFER - 1, (byte) 41);
        assertThat(tensor.get(size - 1).item_long()).isEqualTo(42);
        assertThat(tensor.get(size - 6).item_long()).isEqualTo(41);
    }

    @Test
    void aFileWithoutTensorsIsOne() throws IOException {
        Path file = folder.resolve("deep/down/empty.safetensors");
        SafeTensors.write(file, Map.of(), Map.of("only", "metadata"));
        try (var stored = SafeTensors.open(file)) {
            assertThat(stored.entries()).isEmpty();
            assertThat(stored.metadata()).containsExactly(Map.entry("only", "metadata"));
        }
    }

    @Test
    void aLinkToADirectoryWillDo() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("real")));
        SafeTensors.write(link.resolve("x"), Map.of("a", torch.ones(2)), Map.of());
        assertThat(folder.resolve("real/x")).exists();
    }

    @Test
    void aWriteThatFailsMidwayLeavesTheOldFileAndNothingBeside() throws IOException {
        Path file = folder.resolve("weights.safetensors");
        SafeTensors.write(file, Map.of("a", torch.ones(2)), Map.of());
        byte[] old = Files.readAllBytes(file);
        boolean[] reached = new boolean[1];
        Map<String, Tensor> failing = Map.of("a", torch.ones(1000), "b", new Tensor(torch.ones(1000)) {
            @Override
            public Tensor cpu() {
                reached[0] = true;
                throw new IllegalStateException("the device is gone");
            }
        });
        assertThatThrownBy(() -> SafeTensors.write(file, failing, Map.of())).hasMessage("the device is gone");
        assertThat(reached[0]).as("a was written before").isTrue();
        assertThat(file).hasBinaryContent(old);
        try (var beside = Files.list(folder)) {
            assertThat(beside).containsExactly(file);
        }
    }

    @Test
    void aWriteWhereNoFileCanBeLeavesNothing() throws IOException {
        Path occupied = folder.resolve("weights.safetensors");
        Files.createDirectories(occupied.resolve("inside"));
        assertThatThrownBy(() -> SafeTensors.write(occupied, Map.of("a", torch.ones(2)), Map.of()))
                .isInstanceOf(IOException.class);
        try (var beside = Files.list(folder)) {
            assertThat(beside).containsExactly(occupied);
        }
    }

    @Test
    void anOpenFileStaysAsItWasWhenItIsReplaced() throws IOException {
        Path file = folder.resolve("weights.safetensors");
        SafeTensors.write(file, Map.of("a", torch.ones(2)), Map.of());
        try (var old = SafeTensors.open(file)) {
            SafeTensors.write(file, Map.of("a", torch.zeros(5)), Map.of());
            assertThat(old.read("a").equal(torch.ones(2))).isTrue();
        }
    }

    @Test
    void whatFilesCannotHoldIsRefusedBeforeAnythingIsWritten() throws IOException {
        Tensor complex = torch.zeros(new long[] {1}, new TensorOptions(torch.ScalarType.ComplexFloat));
        assertRefused(Map.of("z", complex), "the type of tensor z is ComplexFloat: it must be one of [I64, F64, F32, ");
        assertRefused(Map.of("__metadata__", torch.ones(1)), "tensor __metadata__ has 1 dimensions");
        assertRefused(Map.of("new\nline", torch.ones(1)), "tensor new?line has 1 dimensions: a tensor must have");
        assertRefused(Map.of("n".repeat(1001), torch.ones(1)), "tensor nnnn");
        try (var beside = Files.list(folder)) {
            assertThat(beside).isEmpty();
        }
    }

    private void assertRefused(Map<String, Tensor> tensors, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SafeTensors.write(folder.resolve("x"), tensors, Map.of()))
                .withMessageStartingWith(message);
    }

    private byte[] written(Tensor tensor) throws IOException {
        Path file = folder.resolve("written");
        SafeTensors.write(file, Map.of("x", tensor), Map.of());
        return Files.readAllBytes(file);
    }

    private Path file(String json, byte[] data) throws IOException {
        byte[] header = json.getBytes(StandardCharsets.UTF_8);
        ByteBuffer length =
                ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(header.length);
        return Files.write(folder.resolve("made"), joined(length.array(), header, data));
    }

    private static Tensor tensor(ElementType type, byte[] content, long... shape) {
        return torch.from_blob(new BytePointer(content), shape, new TensorOptions(type.toEngine()))
                .clone();
    }

    private static byte[] contentOf(Tensor tensor) {
        byte[] content = new byte[(int) tensor.nbytes()];
        new BytePointer(tensor.data_ptr()).get(content);
        return content;
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
