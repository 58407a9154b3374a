package io.polder.text;

import java.util.Collection;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Commands as somebody can paste them into a POSIX shell: each word arrives as it was. */
public final class ShellWords {
    /** No shell sees anything in these; the rest is quoted. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

    private ShellWords() {}

    /** The word itself where a shell leaves it alone, else in single quotes, within which nothing means anything but their end. */
    public static String quoted(Object word) {
        String text = word.toString();
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** The words of a command, with spaces between them. */
    public static String joined(Collection<?> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }
}
