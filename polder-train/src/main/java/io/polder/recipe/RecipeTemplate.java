package io.polder.recipe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file that several built-in recipes are made of, which differ in network, data set, augmentation or method.
 *
 * <p>{@code %vary key value…} gives the values of a key: there is a recipe for each combination. {@code <key>} stands for the value. A
 * line that begins with {@code [value]} is only for the recipes that have that value. {@code %name} says what they are called; the values of
 * keys that it does not mention are appended to it, except the first of each, which needs no mention.
 */
final class RecipeTemplate {
    private static final Pattern CONDITION = Pattern.compile("\\[([a-z0-9-]+)] (.*)");

    /** A value, then a comment. */
    private static final Pattern REMARK = Pattern.compile("( *[^# ][^#]*?) +(# .*)");

    private static final int REMARK_COLUMN = 34;

    private final Map<String, List<String>> variations = new LinkedHashMap<>();
    private final List<String> body = new ArrayList<>();
    private String namePattern;

    private RecipeTemplate(String text) {
        text.lines().forEach(line -> {
            if (line.startsWith("%vary ")) {
                List<String> words = List.of(line.split(" "));
                variations.put(words.get(1), words.subList(2, words.size()));
            } else if (line.startsWith("%name ")) {
                namePattern = line.substring("%name ".length());
            } else {
                body.add(line);
            }
        });
    }

    /** Texts by name, in order. */
    static Map<String, String> expandAll(List<String> files) {
        Map<String, String> texts = new LinkedHashMap<>();
        files.forEach(file -> new RecipeTemplate(resource(file + ".yaml")).expand(texts));
        return texts;
    }

    private void expand(Map<String, String> texts) {
        List<Map<String, String>> variants = List.of(Map.of());
        for (String key : variations.keySet()) {
            variants = variants.stream()
                    .flatMap(variant -> variations.get(key).stream().map(value -> with(variant, key, value)))
                    .toList();
        }
        for (Map<String, String> variant : variants) {
            Map<String, String> named = with(variant, "name", name(variant));
            StringBuilder text = new StringBuilder();
            body.forEach(line -> append(text, line, named));
            texts.put(named.get("name"), text.toString());
        }
    }

    private String name(Map<String, String> variant) {
        StringBuilder name = new StringBuilder(filled(namePattern, variant));
        variant.forEach((key, value) -> {
            List<String> values = variations.get(key);
            if (values.indexOf(value) > 0 && !namePattern.contains("<" + key + ">")) {
                name.append('-').append(value);
            }
        });
        return name.toString();
    }

    private static void append(StringBuilder text, String line, Map<String, String> variant) {
        Matcher condition = CONDITION.matcher(line);
        if (!condition.matches()) {
            text.append(aligned(filled(line, variant))).append('\n');
        } else if (variant.containsValue(condition.group(1))) {
            text.append(aligned(filled(condition.group(2), variant))).append('\n');
        }
    }

    /** Comments stand in line whatever was filled in before them. */
    private static String aligned(String line) {
        Matcher remark = REMARK.matcher(line);
        return remark.matches()
                ? ("%-" + (REMARK_COLUMN - 1) + "s %s").formatted(remark.group(1), remark.group(2))
                : line;
    }

    private static String filled(String line, Map<String, String> variant) {
        String filled = line;
        for (var entry : variant.entrySet()) {
            filled = filled.replace("<" + entry.getKey() + ">", entry.getValue());
        }
        return filled;
    }

    private static Map<String, String> with(Map<String, String> variant, String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(variant);
        more.put(key, value);
        return more;
    }

    private static String resource(String name) {
        try (InputStream file = RecipeTemplate.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be read", e);
        }
    }
}
