package io.polder.data.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of a CSV file, by RFC 4180: cells between commas, in quotes where they have a comma, a quote (then doubled) or a line end in
 * them. In UTF-8, with or without a byte order mark; lines may end as on any system, and empty ones are passed over.
 *
 * <p>A library would tell no line of a cell that is not UTF-8, and would have no bound on cells.
 */
final class CsvReader {
    /** More columns than any set has labels. */
    static final int MOST_CELLS = 1 << 16;

    private static final int END = -1;

    private final String name;
    private final byte[] bytes;
    private final int length;
    private int at;
    private int line = 1;
    private int first;

    /** @param name what messages call the file */
    CsvReader(String name, byte[] bytes, int length) {
        this.name = name;
        this.bytes = bytes;
        this.length = length;
        boolean marked = length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
        at = marked ? 3 : 0;
    }

    /** The cells of the next record, or null where there is none. */
    List<String> next() throws IOException {
        while (peek() == '\n' || peek() == '\r') {
            endLine();
        }
        if (peek() == END) {
            return null;
        }
        first = line;
        List<String> cells = new ArrayList<>();
        while (true) {
            if (cells.size() == MOST_CELLS) {
                throw fault("has more than " + MOST_CELLS + " cells: give fewer columns");
            }
            cells.add(peek() == '"' ? quoted() : plain());
            if (peek() == ',') {
                at++;
            } else {
                endLine();
                return cells;
            }
        }
    }

    /** On which the last record began, counted from 1. */
    int line() {
        return first;
    }

    /** Of the last record. */
    IOException fault(String sentence) {
        return fault(first, sentence);
    }

    IOException fault(int line, String sentence) {
        return new IOException(name + ", line " + line + ", " + sentence);
    }

    private String plain() throws IOException {
        int from = at;
        while (peek() != ',' && !isEnd(peek())) {
            if (bytes[at] == '"') {
                throw fault("has a quote inside a cell that does not begin with one: put the whole cell in quotes");
            }
            at++;
        }
        return text(bytes, from, at - from);
    }

    private String quoted() throws IOException {
        int from = ++at;
        int kept = from; // a doubled quote is moved together in place, which nothing reads again
        while (true) {
            int c = peek();
            if (c == END) {
                throw fault("has a quote that is never closed: close it");
            }
            at++;
            if (c == '"') {
                if (peek() != '"') {
                    break;
                }
                at++;
            } else if (c == '\n') {
                line++;
            }
            bytes[kept++] = (byte) c;
        }
        if (peek() != ',' && !isEnd(peek())) {
            throw fault("has something between a closing quote and the next comma: double the quotes inside a cell");
        }
        return text(bytes, from, kept - from);
    }

    private String text(byte[] bytes, int from, int count) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, count))
                    .toString();
        } catch (CharacterCodingException e) {
            throw fault("is not UTF-8: save the file in that encoding");
        }
    }

    private void endLine() {
        if (peek() == '\r') {
            at++;
            if (peek() != '\n') {
                line++;
                return;
            }
        }
        if (peek() == '\n') {
            at++;
            line++;
        }
    }

    private static boolean isEnd(int c) {
        return c == '\n' || c == '\r' || c == END;
    }

    private int peek() {
        return at < length ? bytes[at] & 255 : END;
    }
}
