package io.polder.tensor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.polder.tensor.SafeTensors.Entry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a safetensors file says about itself: eight bytes of length, little-endian, then that many of JSON.
 *
 * @param entries by name, in the order of their bytes, which follow each other without a gap from the header to the file's end
 * @param length where the data begins, in bytes from the beginning of the file
 */
record SafeTensorsHeader(Map<String, Entry> entries, Map<String, String> metadata, long length) {
    /** The reference implementation's limit too. The longest headers known have a few megabytes. */
    static final int LONGEST = 100_000_000;

    private static final String METADATA = "__metadata__";
    private static final int MOST_DIMENSIONS = 64;
    private static final int LONGEST_NAME = 1000;

    /**
     * Field names are neither interned nor kept in Jackson's table, both made for a few names that return: here they are
     * many, each comes once, and whoever wrote the file chose them.
     */
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    /** Reads and checks everything there is to check before data is read. The name is for messages. */
    static SafeTensorsHeader read(FileChannel channel, String file) throws IOException {
        long size = channel.size();
        if (size == 0) {
            throw new IOException(file + " is empty: fetch it again");
        }
        if (size < Long.BYTES) {
            throw new IOException(file + " is cut short: it has " + size
                    + " bytes and a safetensors file at least 10; fetch it again");
        }
        byte[] first = bytes(channel, 0, Long.BYTES, file);
        long length = ByteBuffer.wrap(first).order(ByteOrder.LITTLE_ENDIAN).getLong();
        long most = Math.min(LONGEST, size - Long.BYTES);
        if (length < 0 || length > most) {
            // A good length, of a file cut short, may begin with the same byte as a pickle; it is not so large.
            if ((length < 0 || length > LONGEST) && looksLikePickle(first)) {
                throw new IOException(file + " is a file of torch.save: that is a program, and Polder runs none;"
                        + " convert it to safetensors");
            }
            throw new IOException(file + " is cut short or not a safetensors file: it promises a header of "
                    + Long.toUnsignedString(length) + " bytes where at most " + most
                    + " can be; give another file or fetch it again");
        }
        byte[] json = bytes(channel, Long.BYTES, (int) length, file);
        return new Reading(file, size - Long.BYTES - length).header(json);
    }

    private static byte[] bytes(FileChannel channel, long position, int length, String file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, position + bytes.position()) < 0) {
                throw new IOException(file + " was cut short while its header was read: fetch it again");
            }
        }
        return bytes.array();
    }

    /** A zip archive, which torch.save writes today, or a bare pickle, which it wrote before. */
    private static boolean looksLikePickle(byte[] first) {
        return first[0] == 'P' && first[1] == 'K' || first[0] == (byte) 0x80;
    }

    /** The way through one header. Nothing in it calls itself, so that depth costs a hostile file's reader nothing. */
    private static final class Reading {
        private final String file;
        private final long dataLength;

        Reading(String file, long dataLength) {
            this.file = file;
            this.dataLength = dataLength;
        }

        SafeTensorsHeader header(byte[] json) throws IOException {
            if (json.length == 0 || json[0] != '{') {
                throw fault("is not a safetensors file: its header does not begin with a brace; give another file");
            }
            Map<String, Entry> entries = new LinkedHashMap<>();
            Map<String, String> metadata = new LinkedHashMap<>();
            // A decoder of our own: Jackson's would replace some of what is not UTF-8, and take UTF-16 as well.
            var characters = new InputStreamReader(new ByteArrayInputStream(json), StandardCharsets.UTF_8.newDecoder());
            try (JsonParser parser = JSON.createParser(characters)) {
                parser.nextToken();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    if (name.equals(METADATA)) {
                        readMetadata(parser, metadata);
                    } else {
                        entries.put(name, readEntry(parser, checked(name)));
                    }
                }
                if (parser.nextToken() != null) {
                    throw fault("has something after its header's last brace: fetch it again");
                }
            } catch (CharacterCodingException e) {
                throw new IOException(file + " has a header that is not UTF-8: fetch it again", e);
            } catch (JsonProcessingException e) {
                throw new IOException(
                        file + " has a header that is not valid JSON (" + shown(e.getOriginalMessage())
                                + "): fetch it again",
                        e);
            }
            return new SafeTensorsHeader(
                    inOrderOfBytes(entries), Collections.unmodifiableMap(metadata), Long.BYTES + (long) json.length);
        }

        private void readMetadata(JsonParser parser, Map<String, String> metadata) throws IOException {
            require(parser.nextToken() == JsonToken.START_OBJECT, METADATA, "is not an object");
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String key = parser.currentName();
                require(parser.nextToken() == JsonToken.VALUE_STRING, METADATA, "has a value that is not a string");
                metadata.put(key, parser.getText());
            }
        }

        private Entry readEntry(JsonParser parser, String name) throws IOException {
            require(parser.nextToken() == JsonToken.START_OBJECT, name, "is not described by an object");
            ElementType type = null;
            List<Long> shape = null;
            List<Long> offsets = null;
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                switch (parser.currentName()) {
                    case "dtype" -> type = readType(parser, name);
                    case "shape" -> shape = readNumbers(parser, name, MOST_DIMENSIONS, "shape");
                    case "data_offsets" -> offsets = readNumbers(parser, name, 2, "data_offsets");
                    default ->
                        throw fault(
                                name,
                                "has the field " + shown(parser.currentName()) + ", which the format does not know");
                }
            }
            require(type != null && shape != null && offsets != null, name, "lacks its dtype, shape or data_offsets");
            require(offsets.size() == 2, name, "has " + offsets.size() + " data_offsets instead of 2");
            long begin = offsets.get(0);
            long end = offsets.get(1);
            require(
                    begin <= end && end <= dataLength,
                    name,
                    "lies from byte " + begin + " to " + end + " of the " + dataLength + " bytes of data");
            long length = size(name, type, shape);
            require(
                    length == end - begin,
                    name,
                    "has " + (end - begin) + " bytes where " + type + " of shape " + shape + " takes " + length);
            return new Entry(type, List.copyOf(shape), begin, length);
        }

        private ElementType readType(JsonParser parser, String name) throws IOException {
            require(parser.nextToken() == JsonToken.VALUE_STRING, name, "has a dtype that is not a string");
            String text = parser.getText();
            for (ElementType type : ElementType.values()) {
                if (type.name().equals(text)) {
                    return type;
                }
            }
            throw new IOException(
                    "%s has tensor %s of the dtype %s, which Polder does not know: convert it to one of %s"
                            .formatted(file, name, shown(text), Arrays.toString(ElementType.values())));
        }

        private List<Long> readNumbers(JsonParser parser, String name, int most, String field) throws IOException {
            require(parser.nextToken() == JsonToken.START_ARRAY, name, "has a " + field + " that is not an array");
            List<Long> numbers = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                require(numbers.size() < most, name, "has more than " + most + " numbers in its " + field);
                boolean whole = parser.currentToken() == JsonToken.VALUE_NUMBER_INT
                        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
                require(
                        whole && parser.getLongValue() >= 0,
                        name,
                        "has a " + field + " with something that is not a whole number from 0 to 2^63 - 1");
                numbers.add(parser.getLongValue());
            }
            return numbers;
        }

        /** Overflow counts even beside a size of 0: the engine multiplies the others for its strides. */
        private long size(String name, ElementType type, List<Long> shape) throws IOException {
            try {
                long size = type.bytes();
                boolean empty = false;
                for (long dimension : shape) {
                    empty |= dimension == 0;
                    size = Math.multiplyExact(size, Math.max(1, dimension));
                }
                return empty ? 0 : size;
            } catch (ArithmeticException e) {
                throw fault(name, "has the shape " + shape + ", which is more than 2^63 bytes");
            }
        }

        /** No byte without a tensor, none with two: otherwise a file could say one thing to us and another to somebody else. */
        private Map<String, Entry> inOrderOfBytes(Map<String, Entry> entries) throws IOException {
            var sorted = entries.entrySet().stream()
                    .sorted(Map.Entry.comparingByValue(
                            Comparator.comparingLong(Entry::offset).thenComparingLong(Entry::length)))
                    .toList();
            Map<String, Entry> inOrder = new LinkedHashMap<>();
            long end = 0;
            for (var tensor : sorted) {
                long offset = tensor.getValue().offset();
                require(
                        offset >= end,
                        tensor.getKey(),
                        "begins at byte " + offset + " of the data, inside the tensor before it, which ends at " + end);
                require(
                        offset == end,
                        tensor.getKey(),
                        "begins at byte " + offset + " of the data, but the tensor before it ends at " + end);
                end += tensor.getValue().length();
                inOrder.put(tensor.getKey(), tensor.getValue());
            }
            if (end != dataLength) {
                throw fault("goes on for %d bytes after the last of its tensors: fetch it again"
                        .formatted(dataLength - end));
            }
            return Collections.unmodifiableMap(inOrder);
        }

        private String checked(String name) throws IOException {
            if (name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
                throw fault("has a tensor named " + shown(name) + ": a name must have at most " + LONGEST_NAME
                        + " characters and no control characters");
            }
            return name;
        }

        private void require(boolean law, String name, String otherwise) throws IOException {
            if (!law) {
                throw fault(name, otherwise);
            }
        }

        private IOException fault(String name, String sentence) {
            return fault("has a damaged header: " + name + " " + sentence + "; fetch it again");
        }

        private IOException fault(String sentence) {
            return new IOException(file + " " + sentence);
        }
    }

    /** Text of a stranger, made fit for a message. */
    private static String shown(String text) {
        String start = text.length() <= 80 ? text : text.substring(0, 80) + "…";
        return start.chars()
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    /**
     * The bytes before the data: length, JSON, and as many spaces as let the data begin at a multiple of eight.
     *
     * @throws IllegalArgumentException if it would be a header that {@link #read} refuses
     */
    static byte[] encode(Map<String, Entry> entries, Map<String, String> metadata) throws IOException {
        var json = new ByteArrayOutputStream();
        try (JsonGenerator generator = JSON.createGenerator(json)) {
            generator.writeStartObject();
            if (!metadata.isEmpty()) {
                generator.writeObjectFieldStart(METADATA);
                for (var pair : new TreeMap<>(metadata).entrySet()) {
                    generator.writeStringField(pair.getKey(), pair.getValue());
                }
                generator.writeEndObject();
            }
            for (var entry : entries.entrySet()) {
                write(generator, entry.getKey(), entry.getValue());
            }
            generator.writeEndObject();
        }
        int length = Math.addExact(json.size(), Long.BYTES - 1) / Long.BYTES * Long.BYTES;
        if (length > LONGEST) {
            throw new IllegalArgumentException("the header is " + length + " bytes long: it must be at most " + LONGEST
                    + "; write fewer tensors or less metadata");
        }
        byte[] header = new byte[Long.BYTES + length];
        Arrays.fill(header, (byte) ' ');
        ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).putLong(length).put(json.toByteArray());
        return header;
    }

    private static void write(JsonGenerator generator, String name, Entry entry) throws IOException {
        boolean readable = name.length() <= LONGEST_NAME && name.chars().noneMatch(Character::isISOControl);
        if (!readable || name.equals(METADATA) || entry.shape().size() > MOST_DIMENSIONS) {
            throw new IllegalArgumentException(
                    "tensor " + shown(name) + " has " + entry.shape().size()
                            + " dimensions: a tensor must have at most " + MOST_DIMENSIONS + ", and a name that is not "
                            + METADATA
                            + ", of at most " + LONGEST_NAME + " characters, none of them control characters");
        }
        generator.writeObjectFieldStart(name);
        generator.writeStringField("dtype", entry.type().name());
        generator.writeArrayFieldStart("shape");
        for (long size : entry.shape()) {
            generator.writeNumber(size);
        }
        generator.writeEndArray();
        generator.writeArrayFieldStart("data_offsets");
        generator.writeNumber(entry.offset());
        generator.writeNumber(entry.offset() + entry.length());
        generator.writeEndArray();
        generator.writeEndObject();
    }
}
