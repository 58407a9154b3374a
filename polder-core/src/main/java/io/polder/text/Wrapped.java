package io.polder.text;

/** Prose on a terminal: lines that end between words. */
public final class Wrapped {
    /** What every terminal has at least. */
    public static final int COLUMNS = 80;

    private Wrapped() {}

    /** The paragraph with its last line feed. */
    public static String text(String paragraph) {
        return text(paragraph, COLUMNS, "");
    }

    /** @param indent before every line but the first */
    public static String text(String paragraph, int columns, String indent) {
        StringBuilder text = new StringBuilder();
        int used = -1;
        for (String word : paragraph.split(" ", -1)) {
            boolean unit = word.startsWith("%"); // stays with its number
            if (used > 0 && !unit && used + 1 + word.length() > columns) {
                text.append('\n').append(indent);
                used = indent.length();
            } else if (used >= 0) {
                text.append(' ');
                used++;
            }
            text.append(word);
            used = Math.max(0, used) + word.length();
        }
        return text.append('\n').toString();
    }
}
