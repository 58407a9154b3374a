package io.polder.checkpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a checkpoint consists of: the length and SHA-256 of each file. It is text, with a line of its own checksum at the end,
 * and {@code sha256sum -c manifest.sha256} checks the files too: to that program the other lines are comments.
 *
 * <p>A manifest is read only if it is, to the byte, what {@link #encode} writes.
 *
 * @param name that of the checkpoint's directory: a manifest is good in no other
 */
record Manifest(String name, SortedMap<String, Entry> files) {
    /** @param sha256 in hexadecimal, lower case */
    record Entry(long length, String sha256) {}

    static final String FILE = "manifest.sha256";
    static final int MOST_FILES = 1000;
    static final int MOST_BYTES = 1 << 20;
    static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    private static final String TITLE = "# Polder checkpoint, format 1: ";
    private static final String CHECKSUM = "# the lines above: ";
    private static final Pattern LENGTH = Pattern.compile("# (0|[1-9]\\d{0,17}) bytes");
    private static final Pattern DIGEST = Pattern.compile("([0-9a-f]{64})  (.*)");

    Manifest {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    static boolean mayHave(String fileName) {
        return FILE_NAME.matcher(fileName).matches() && !fileName.equals(FILE);
    }

    byte[] encode() {
        StringBuilder text = new StringBuilder(TITLE).append(name).append('\n');
        files.forEach((file, entry) -> text.append("# ")
                .append(entry.length)
                .append(" bytes\n")
                .append(entry.sha256)
                .append("  ")
                .append(file)
                .append('\n'));
        text.append(CHECKSUM).append(Sha256.of(bytes(text.toString()))).append('\n');
        return bytes(text.toString());
    }

    /** @throws IOException a sentence, if that is not the manifest of a checkpoint of this name */
    static Manifest decode(byte[] content, String name) throws IOException {
        // One character for each byte: what is not ASCII then fails to match.
        String text = new String(content, StandardCharsets.ISO_8859_1);
        int last = text.lastIndexOf(CHECKSUM);
        if (last < 0 || !text.substring(last).equals(CHECKSUM + Sha256.of(bytes(text.substring(0, last))) + "\n")) {
            throw new IOException(FILE + " does not match its own checksum");
        }
        String[] lines = text.substring(0, last).split("\n", -1); // the last of them is empty
        if (!lines[0].equals(TITLE + name)) {
            throw new IOException(
                    FILE + " is that of another checkpoint, or of another version of Polder: it does not begin with \""
                            + TITLE + name + "\"");
        }
        if (lines.length > 2 * MOST_FILES + 2) {
            throw new IOException(FILE + " has more than " + MOST_FILES + " files");
        }
        SortedMap<String, Entry> files = new TreeMap<>();
        for (int i = 1; i + 1 < lines.length; i += 2) {
            Matcher length = LENGTH.matcher(lines[i]);
            Matcher digest = DIGEST.matcher(lines[i + 1]);
            if (!length.matches() || !digest.matches()) {
                throw new IOException(
                        FILE + " has lines " + (i + 1) + " and " + (i + 2) + " that do not describe a file");
            }
            if (!mayHave(digest.group(2))) {
                throw new IOException(FILE + " has in line " + (i + 2) + " a name that no file of a checkpoint has");
            }
            files.put(digest.group(2), new Entry(Long.parseLong(length.group(1)), digest.group(1)));
        }
        var manifest = new Manifest(name, files);
        if (!text.equals(new String(manifest.encode(), StandardCharsets.ISO_8859_1))) {
            throw new IOException(FILE + " has files twice or out of order");
        }
        return manifest;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
