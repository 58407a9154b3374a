package io.polder.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Damages a file the ways that discs, editors, other programs and people with a grudge do. The same draws give the same damage. */
public final class Mutator {
    /** Where a reader that grows with its input would show. */
    private static final int LONGEST = 1 << 20;

    private static final int MOST_CHANGES = 6;
    private static final int LONGEST_CHUNK = 64;

    private static final String[] TOKENS = {
        "null",
        "true",
        "NaN",
        "-1",
        "0",
        "-0.0",
        "1e999",
        "1e-999",
        "0.1",
        "2147483648",
        "9223372036854775807",
        "99999999999999999999999",
        "[]",
        "{}",
        "\"\"",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        ": ",
        "- ",
        "#",
        "\"",
        "'",
        "\\",
        "\\u0000",
        "\\ud800",
        "\0",
        "\n",
        "\r\n",
        "\t",
        "&a",
        "*a",
        "<<: ",
        "!!java.net.URL ",
        "---\n",
        "...\n",
        "..",
        "../",
        "/",
        "/dev/zero",
        "C:\\",
        "%s",
        "=",
        "\u2028",
        "\ufeff",
        "😀"
    };

    private static final String[] OPENINGS = {"[", "{\"a\":", "{a: ", "- ", "(", "a/"};

    /** Not UTF-8: a lone continuation, an overlong slash, half a character, a surrogate, bytes that are none. */
    private static final byte[][] NO_TEXT = {
        {(byte) 0x80},
        {(byte) 0xc0, (byte) 0xaf},
        {(byte) 0xe2, (byte) 0x82},
        {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
        {(byte) 0xff, (byte) 0xfe, 0}
    };

    private Mutator() {}

    /** One of the seeds, changed at one place or at a few. */
    public static byte[] mutated(List<byte[]> seeds, SplittableRandom random) {
        byte[] bytes = seeds.get(random.nextInt(seeds.size()));
        // One change alone is what gets past most checks; many are what nobody thought of.
        int changes = random.nextBoolean() ? 1 : 1 + random.nextInt(MOST_CHANGES);
        for (int i = 0; i < changes; i++) {
            bytes = changed(bytes, seeds, random);
        }
        return bytes.length > LONGEST ? Arrays.copyOf(bytes, LONGEST) : bytes;
    }

    private static byte[] changed(byte[] bytes, List<byte[]> seeds, SplittableRandom random) {
        if (bytes.length == 0) {
            return random.nextBoolean() ? bytes : token(random);
        }
        int at = place(bytes.length, random);
        int end = Math.min(bytes.length, at + 1 + random.nextInt(LONGEST_CHUNK));
        byte[] chunk = Arrays.copyOfRange(bytes, at, end);
        int elsewhere = random.nextInt(bytes.length + 1);
        return switch (random.nextInt(16)) {
            case 0, 1 -> replaced(bytes, at, at + 1, (byte) (bytes[at] ^ 1 << random.nextInt(8)));
            case 2 -> replaced(bytes, at, at + 1, (byte) random.nextInt(256));
            case 3 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 4 -> replaced(bytes, at, end);
            case 5 -> replaced(bytes, elsewhere, elsewhere, chunk);
            case 6 -> replaced(bytes, at, end, new byte[end - at]);
            case 7 -> swapped(bytes, at, end, random);
            case 8, 9 -> number(bytes, at, random);
            case 10 -> digit(bytes, at, random);
            case 11 -> tokensSwapped(bytes, at, random);
            case 12 -> replaced(bytes, at, wordEnd(bytes, at), token(random));
            case 13 -> replaced(bytes, at, at, NO_TEXT[random.nextInt(NO_TEXT.length)]);
            case 14 -> replaced(bytes, at, at, nesting(random));
            default -> {
                byte[] other = seeds.get(random.nextInt(seeds.size()));
                yield other.length == 0
                        ? bytes
                        : replaced(bytes, at, bytes.length, from(other, random.nextInt(other.length)));
            }
        };
    }

    /** Beginnings and ends are where formats have their numbers. */
    private static int place(int length, SplittableRandom random) {
        int near = Math.min(length, LONGEST_CHUNK);
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(near);
            case 1 -> length - 1 - random.nextInt(near);
            default -> random.nextInt(length);
        };
    }

    private static byte[] number(byte[] bytes, int at, SplittableRandom random) {
        int width = 1 << random.nextInt(4);
        long[] numbers = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, bytes.length, bytes.length - at, 0x7fff_ffffL};
        long number = numbers[random.nextInt(numbers.length)];
        // The largest and the least of the width itself, not their low bytes.
        boolean extreme = number == Long.MAX_VALUE || number == Long.MIN_VALUE;
        long fitted = extreme ? number >> (64 - 8 * width) : number;
        boolean big = random.nextBoolean();
        byte[] written = ByteBuffer.allocate(8)
                .order(big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN)
                .putLong(fitted)
                .array();
        byte[] part = big ? from(written, 8 - width) : Arrays.copyOf(written, width);
        return replaced(bytes, at, Math.min(bytes.length, at + width), part);
    }

    private static byte[] digit(byte[] bytes, int near, SplittableRandom random) {
        for (int i = 0; i < bytes.length; i++) {
            int at = (near + i) % bytes.length;
            if (bytes[at] >= '0' && bytes[at] <= '9') {
                return replaced(bytes, at, at + 1, (byte) ('0' + random.nextInt(10)));
            }
        }
        return replaced(bytes, near, near + 1, (byte) '0');
    }

    private static byte[] swapped(byte[] bytes, int at, int end, SplittableRandom random) {
        int other = random.nextInt(bytes.length);
        int length = Math.min(end - at, bytes.length - other);
        byte[] swapped = bytes.clone();
        System.arraycopy(bytes, other, swapped, at, length);
        System.arraycopy(bytes, at, swapped, other, length);
        return swapped;
    }

    private static byte[] tokensSwapped(byte[] bytes, int near, SplittableRandom random) {
        List<int[]> words = new ArrayList<>();
        // Of those around the place: of a long file all would take long.
        for (int at = Math.max(0, near - 500); at < Math.min(bytes.length, near + 500); at++) {
            int end = wordEnd(bytes, at);
            if (end > at) {
                words.add(new int[] {at, end});
                at = end;
            }
        }
        if (words.size() < 2) {
            return swapped(bytes, near, Math.min(bytes.length, near + 8), random);
        }
        int first = random.nextInt(words.size() - 1);
        int[] a = words.get(first);
        int[] b = words.get(first + 1 + random.nextInt(words.size() - first - 1));
        byte[] late = replaced(bytes, b[0], b[1], Arrays.copyOfRange(bytes, a[0], a[1]));
        return replaced(late, a[0], a[1], Arrays.copyOfRange(bytes, b[0], b[1]));
    }

    private static int wordEnd(byte[] bytes, int at) {
        int end = at;
        while (end < bytes.length && (Character.isLetterOrDigit(bytes[end]) || "._-+".indexOf(bytes[end]) >= 0)) {
            end++;
        }
        return end;
    }

    private static byte[] token(SplittableRandom random) {
        return TOKENS[random.nextInt(TOKENS.length)].getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] nesting(SplittableRandom random) {
        int depth = random.nextInt(8) == 0 ? 50_000 : 1 + random.nextInt(2_000);
        return OPENINGS[random.nextInt(OPENINGS.length)].repeat(depth).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] replaced(byte[] bytes, int start, int end, byte... by) {
        var replaced = new ByteArrayOutputStream(bytes.length + by.length);
        replaced.write(bytes, 0, start);
        replaced.writeBytes(by);
        replaced.write(bytes, end, bytes.length - end);
        return replaced.toByteArray();
    }

    private static byte[] from(byte[] bytes, int start) {
        return Arrays.copyOfRange(bytes, start, bytes.length);
    }
}
