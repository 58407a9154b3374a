package io.polder.checkpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a checkpoint consists of: the length and checksum of each file, a line each, and at the end a line with the checksum of those
 * above it. A manifest is read only if it is, to the byte, what {@link #encode} writes.
 *
 * @param name that of the checkpoint's directory: a manifest is good in no other
 */
record Manifest(String name, SortedMap<String, Entry> files) {
    record Entry(long length, String checksum) {}

    static final String FILE = "manifest.txt";
    static final int MOST_FILES = 1000;
    static final int MOST_BYTES = 1 << 20;
    static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    private static final String TITLE = "Polder checkpoint, format 1: ";
    private static final String CHECKSUM = "the lines above: ";
    private static final Pattern LINE = Pattern.compile("(0|[1-9]\\d{0,17}) bytes, ([0-9a-f]{16}): (.*)");

    Manifest {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    static boolean mayHave(String fileName) {
        return FILE_NAME.matcher(fileName).matches() && !fileName.equals(FILE);
    }

    byte[] encode() {
        StringBuilder text = new StringBuilder(TITLE).append(name).append('\n');
        files.forEach((file, entry) -> text.append(entry.length)
                .append(" bytes, ")
                .append(entry.checksum)
                .append(": ")
                .append(file)
                .append('\n'));
        String lines = text.toString();
        return bytes(lines + CHECKSUM + Checksum.of(bytes(lines)) + "\n");
    }

    /** @throws IOException a sentence, if that is not the manifest of a checkpoint of this name */
    static Manifest decode(byte[] content, String name) throws IOException {
        // One character for each byte: what is not ASCII then fails to match.
        String text = new String(content, StandardCharsets.ISO_8859_1);
        int last = text.lastIndexOf(CHECKSUM);
        if (last < 0 || !text.substring(last).equals(CHECKSUM + Checksum.of(bytes(text.substring(0, last))) + "\n")) {
            throw new IOException(FILE + " does not match its own checksum");
        }
        String[] lines = text.substring(0, last).split("\n", -1); // the last of them is empty
        if (!lines[0].equals(TITLE + name)) {
            throw new IOException(
                    FILE + " is that of another checkpoint, or of another version of Polder: it does not begin with \""
                            + TITLE + name + "\"");
        }
        if (lines.length > MOST_FILES + 2) {
            throw new IOException(FILE + " has more than " + MOST_FILES + " files");
        }
        SortedMap<String, Entry> files = new TreeMap<>();
        for (int i = 1; i + 1 < lines.length; i++) {
            Matcher line = LINE.matcher(lines[i]);
            if (!line.matches() || !mayHave(line.group(3))) {
                throw new IOException(FILE + " has a line " + (i + 1) + " that describes no file of a checkpoint");
            }
            files.put(line.group(3), new Entry(Long.parseLong(line.group(1)), line.group(2)));
        }
        var manifest = new Manifest(name, files);
        if (!text.equals(new String(manifest.encode(), StandardCharsets.ISO_8859_1))) {
            throw new IOException(FILE + " has files twice, out of order, or not each on a line of its own");
        }
        return manifest;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
