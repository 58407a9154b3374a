package io.polder.data.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Apache Thrift's compact protocol, as much of it as Parquet's headers use: whole numbers as {@code Long}, bytes as {@code byte[]}, lists, and
 * structures as maps by the numbers of their fields. What is not there is not believed: a list or a text is no longer than the bytes that are left.
 */
final class ThriftReader {
    private static final int DEEPEST = 16;

    /** What follows is not what it should be; whoever asked knows of what file. */
    static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1;

        DamagedException() {
            super("damaged");
        }
    }

    private final byte[] bytes;
    private final int end;
    private int at;

    ThriftReader(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    int position() {
        return at;
    }

    Map<Integer, Object> struct() throws DamagedException {
        return struct(0);
    }

    private Map<Integer, Object> struct(int depth) throws DamagedException {
        require(depth < DEEPEST);
        Map<Integer, Object> fields = Map.of();
        int field = 0;
        while (true) {
            int head = next();
            int type = head & 15;
            if (type == 0) {
                return fields;
            }
            field = head >> 4 == 0 ? (int) zigzag(number()) : field + (head >> 4);
            Object value = value(type, depth + 1);
            if (fields.isEmpty()) {
                fields = new HashMap<>();
            }
            fields.put(field, value);
        }
    }

    private Object value(int type, int depth) throws DamagedException {
        require(depth < DEEPEST);
        return switch (type) {
            case 1 -> true;
            case 2 -> false;
            case 3 -> (long) (byte) next();
            case 4, 5, 6 -> zigzag(number());
            case 7 -> skipped(8); // a number with a point, which nobody asks for
            case 8 -> text();
            case 9, 10 -> list(depth);
            case 12 -> struct(depth);
            default -> throw new DamagedException();
        };
    }

    private List<Object> list(int depth) throws DamagedException {
        int head = next();
        long size = head >> 4 == 15 ? number() : head >> 4;
        int type = head & 15;
        require(size >= 0 && size <= end - at); // each item has a byte at least
        List<Object> items = new ArrayList<>();
        for (long i = 0; i < size; i++) {
            items.add(type <= 2 ? (Object) (next() == 1) : value(type, depth + 1));
        }
        return items;
    }

    private byte[] text() throws DamagedException {
        long length = number();
        require(length >= 0 && length <= end - at);
        byte[] text = new byte[(int) length];
        System.arraycopy(bytes, at, text, 0, text.length);
        at += text.length;
        return text;
    }

    private Object skipped(int count) throws DamagedException {
        require(count <= end - at);
        at += count;
        return 0L;
    }

    private long number() throws DamagedException {
        long number = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int part = next();
            number |= (long) (part & 127) << shift;
            if (part < 128) {
                return number;
            }
        }
        throw new DamagedException();
    }

    private static long zigzag(long number) {
        return (number >>> 1) ^ -(number & 1);
    }

    private int next() throws DamagedException {
        require(at < end);
        return Byte.toUnsignedInt(bytes[at++]);
    }

    private static void require(boolean sound) throws DamagedException {
        if (!sound) {
            throw new DamagedException();
        }
    }
}
