package io.polder.study.results;

import java.util.Locale;
import java.util.Map;

final class Latex {
    private static final Map<Integer, String> COMMANDS = Map.ofEntries(
            Map.entry((int) '\\', "\\textbackslash{}"),
            Map.entry((int) '{', "\\{"),
            Map.entry((int) '}', "\\}"),
            Map.entry((int) '$', "\\$"),
            Map.entry((int) '&', "\\&"),
            Map.entry((int) '#', "\\#"),
            Map.entry((int) '_', "\\_"),
            Map.entry((int) '%', "\\%"),
            Map.entry((int) '^', "\\textasciicircum{}"),
            Map.entry((int) '~', "\\textasciitilde{}"),
            Map.entry((int) '<', "$<$"),
            Map.entry((int) '>', "$>$"),
            Map.entry((int) '|', "$|$"),
            Map.entry((int) '"', "\\textquotedbl{}"),
            Map.entry((int) '\'', "\\textquotesingle{}"),
            Map.entry((int) '`', "\\textasciigrave{}"),
            Map.entry((int) '[', "{[}"), // after a \\ a bracket would be its argument
            Map.entry((int) ']', "{]}"),
            Map.entry((int) '*', "{*}"), // and a star its variant
            Map.entry((int) 'α', "$\\alpha$"),
            Map.entry((int) 'λ', "$\\lambda$"),
            Map.entry((int) 'θ', "$\\theta$"),
            Map.entry((int) 'ρ', "$\\rho$"),
            Map.entry((int) '±', "$\\pm$"),
            Map.entry((int) '×', "$\\times$"),
            Map.entry((int) '−', "$-$"),
            Map.entry((int) '–', "\\textendash{}"),
            Map.entry((int) '—', "\\textemdash{}"),
            Map.entry((int) '‖', "$\\|$"),
            Map.entry((int) '’', "'"));

    private Latex() {}

    /** Text that stands for itself. Characters beyond the Latin alphabets are named, as LaTeX stops at those its fonts lack. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (COMMANDS.containsKey(c)) {
                escaped.append(COMMANDS.get(c));
            } else if (c < 0x20 || c == 0x7f) {
                escaped.append(' ');
            } else if (c < 0x7f || (c >= 0xc0 && c <= 0x17f && c != 0xd7 && c != 0xf7)) {
                escaped.appendCodePoint(c);
            } else {
                escaped.append("{[}U+")
                        .append(Integer.toHexString(c).toUpperCase(Locale.ROOT))
                        .append("{]}");
            }
        });
        return escaped.toString().replace("---", "-{}-{}-").replace("--", "-{}-"); // two would be a dash
    }
}
