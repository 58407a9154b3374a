package io.polder.tensor;

import io.polder.files.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * Named tensors in a file of the <a href="https://github.com/huggingface/safetensors">safetensors</a> format: the length of a
 * header, the header in JSON, then the numbers. There is nothing in such a file that could be run.
 *
 * <p>Opening a file reads and checks its whole header, and nothing else: every number in it is held against the length of the
 * file before it is used. Whatever is wrong is an {@link IOException} of one sentence: the file, what is wrong with it, what
 * to do. Stricter than the format: a tensor has at most 64 dimensions, its name at most 1000 characters and no control
 * characters, its description no fields but the format's three.
 *
 * <p>An open file keeps its descriptor, so that one replaced meanwhile goes on being read as it was. Whoever opened it closes
 * it. Not thread-safe.
 */
public final class SafeTensors implements AutoCloseable {
    /**
     * A tensor in a file.
     *
     * @param offset of its first byte, counted from the end of the header
     * @param length in bytes
     */
    public record Entry(ElementType type, List<Long> shape, long offset, long length) {}

    /** What one call hands to the system: a buffer cannot span a tensor of more than 2 GB. */
    static final int TRANSFER = 16 << 20;

    private final String file;
    private final FileChannel channel;
    private final SafeTensorsHeader header;

    private SafeTensors(String file, FileChannel channel, SafeTensorsHeader header) {
        this.file = file;
        this.channel = channel;
        this.header = header;
    }

    public static SafeTensors open(Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IOException(file + " is not a file that can be read: check the path and its permissions");
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return new SafeTensors(file.toString(), channel, SafeTensorsHeader.read(channel, file.toString()));
        } catch (Throwable e) {
            channel.close();
            throw e;
        }
    }

    /** The tensors by name, in the order in which they lie in the file. */
    public Map<String, Entry> entries() {
        return header.entries();
    }

    public Map<String, String> metadata() {
        return header.metadata();
    }

    /**
     * Reads one tensor, in its stored type, to the CPU. The result belongs to the caller's scope.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public Tensor read(String name) throws IOException {
        Entry entry = entries().get(name);
        if (entry == null) {
            throw new IllegalArgumentException("name is \"" + name + "\": it must be that of one of the "
                    + entries().size() + " tensors of " + file);
        }
        Engine.load();
        if (entry.type() != ElementType.BOOL) {
            return read(name, entry, entry.type());
        }
        // A file may have any byte where the engine believes in 0 and 1 only.
        try (Tensor bytes = read(name, entry, ElementType.U8)) {
            return bytes.to(torch.ScalarType.Bool);
        }
    }

    private Tensor read(String name, Entry entry, ElementType type) throws IOException {
        long[] shape = entry.shape().stream().mapToLong(Long::longValue).toArray();
        Tensor tensor = torch.empty(shape, new TensorOptions(type.toEngine()), new MemoryFormatOptional());
        try {
            long position = header.length() + entry.offset();
            for (ByteBuffer part : memory(tensor, entry.length())) {
                while (part.hasRemaining()) {
                    int read = channel.read(part, position);
                    if (read < 0) {
                        throw new IOException(
                                file + " was cut short while tensor " + name + " was read: fetch it again");
                    }
                    position += read;
                }
            }
            return tensor;
        } catch (Throwable e) {
            tensor.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /**
     * Writes tensors, each row by row whatever its layout in memory and wherever it lives. The same tensors and metadata
     * give the same bytes, in whatever order the maps have them.
     *
     * <p>The file appears whole or not at all: a crash leaves the old one, or none. Missing directories are made. Costs at
     * most one copy of the largest tensor.
     *
     * @throws IllegalArgumentException if a name or type is one that files cannot have; nothing is written then
     */
    public static void write(Path file, Map<String, Tensor> tensors, Map<String, String> metadata) throws IOException {
        Engine.load();
        Map<String, Entry> entries = layOut(tensors);
        byte[] header = SafeTensorsHeader.encode(entries, metadata);

        WholeFile.write(file, draft -> {
            try (var channel = FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                writeFully(channel, ByteBuffer.wrap(header));
                for (var entry : entries.entrySet()) {
                    try (var scope = Scope.withoutGradient()) {
                        Tensor plain = tensors.get(entry.getKey()).cpu().contiguous();
                        for (ByteBuffer part : memory(plain, entry.getValue().length())) {
                            writeFully(channel, part);
                        }
                    }
                }
            }
        });
    }

    /** What lies where: by type, then by name. */
    private static Map<String, Entry> layOut(Map<String, Tensor> tensors) {
        record Named(ElementType type, String name) {}
        List<Named> order = new ArrayList<>();
        tensors.forEach((name, tensor) -> order.add(new Named(ElementType.of(name, tensor), name)));
        order.sort((a, b) -> a.type == b.type ? a.name.compareTo(b.name) : a.type.compareTo(b.type));

        Map<String, Entry> entries = new LinkedHashMap<>();
        long offset = 0;
        for (Named named : order) {
            Tensor tensor = tensors.get(named.name);
            List<Long> shape = new ArrayList<>();
            for (long size : tensor.shape()) {
                shape.add(size);
            }
            long length = tensor.numel() * named.type.bytes();
            entries.put(named.name, new Entry(named.type, List.copyOf(shape), offset, length));
            offset += length;
        }
        return entries;
    }

    /** The memory of a contiguous tensor on the CPU, in parts. The format is little-endian, and so is every system we run on. */
    static List<ByteBuffer> memory(Tensor tensor, long length) {
        List<ByteBuffer> parts = new ArrayList<>();
        // The pointers do not own what they point to, so they need no closing. Each has an address of its own: a
        // position
        // inside one pointer ends silently at 2 GB.
        BytePointer bytes = new BytePointer(tensor.data_ptr());
        for (long from = 0; from < length; from += TRANSFER) {
            BytePointer part = bytes.getPointer(from);
            parts.add(part.limit(Math.min(TRANSFER, length - from)).asByteBuffer());
        }
        return parts;
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
