package io.polder.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * A JSON object that shows whether it is as it was written: its first field is a checksum, CRC-32C in eight hexadecimal digits, of all the
 * text after that field. It finds any damage of up to 32 neighbouring bits, and of other damage all but one in 2³². It is not for
 * telling friend from foe.
 *
 * <p>The checksum comes first because older versions wrote objects without one: these are told from damaged ones by their first field.
 */
public final class CheckedJson {
    private static final String BEFORE = "{\"checksum\":\"";
    private static final String AFTER = "\",";
    private static final int LENGTH = BEFORE.length() + 8 + AFTER.length();

    /** Enough for a first field. */
    private static final int BEGINNING = 100;

    private CheckedJson() {}

    /** @param object JSON with at least one field, and none called {@code checksum} */
    public static String with(String object) {
        String fields = object.substring(object.indexOf('{') + 1);
        return beginning(fields.getBytes(StandardCharsets.UTF_8), 0) + fields;
    }

    /**
     * @param first the name of the first field where there is no checksum, or several that it may have
     * @return whether there is a checksum
     * @throws IOException if the checksum is another, or there is none and it does not begin as objects without one do: what is wrong, as
     *     a part of a sentence
     */
    public static boolean verify(byte[] json, String... first) throws IOException {
        if (startsWith(json, BEFORE)) {
            if (json.length < LENGTH || !startsWith(json, beginning(json, LENGTH))) {
                throw new IOException("it does not match its checksum");
            }
            return true;
        }
        String start = new String(json, 0, Math.min(json.length, BEGINNING), StandardCharsets.ISO_8859_1)
                .replaceFirst("^\\s*\\{\\s*", "");
        if (Stream.of(first).noneMatch(name -> start.startsWith("\"" + name + "\""))) {
            throw new IOException(
                    "it has neither a checksum nor " + String.join(" or ", first) + " as its first field");
        }
        return false;
    }

    private static boolean startsWith(byte[] json, String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            if (i >= json.length || json[i] != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Of an object whose fields are the bytes from a place on; a line feed at the end is no part of it. */
    private static String beginning(byte[] bytes, int from) {
        int end = bytes.length;
        while (end > from && Character.isWhitespace(bytes[end - 1])) {
            end--;
        }
        var checksum = new CRC32C();
        checksum.update(bytes, from, end - from);
        return BEFORE + HexFormat.of().toHexDigits((int) checksum.getValue()) + AFTER;
    }
}
