package io.polder.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * A kind of file in YAML: what is in it is what the components of a record and their {@link Field}s say.
 *
 * @param noun what it is called in messages: {@code recipe}
 * @param type the record that the file is, as a whole
 * @param longest more characters than any such file has
 * @param oneOf pairs of fields that exclude each other: an override of one takes the place of the other
 * @param rules what no field can say by itself. A field that was written wrongly is not there for them, and they judge the rest.
 */
public record Format<T extends Record>(
        String noun,
        Class<T> type,
        int longest,
        List<List<String>> oneOf,
        Function<Values, List<Contradiction>> rules) {
    /**
     * What is wrong with values that are right by themselves.
     *
     * @param path the field to look at first; a mistake is told with its line, or that of the group that it was left out of
     */
    public record Contradiction(String path, String sentence) {
        /** What a file has, to be shown in a sentence: in quotes, shortened, on one line. */
        public static String quote(String text) {
            return Mistakes.quote(text);
        }
    }

    /**
     * @param text YAML
     * @param fileName where it is from, for messages
     * @param overrides each as {@code path=value}, the value in YAML; later ones win
     * @throws ConfigException if there is any mistake
     */
    public T read(String text, String fileName, List<String> overrides) {
        return new Reader<>(this).read(text, fileName, overrides);
    }

    /**
     * What is in a file, in UTF-8.
     *
     * @throws IOException if it cannot be read at all
     * @throws ConfigException if there is any mistake
     */
    public T read(Path file, List<String> overrides) throws IOException {
        return read(Reader.text(file, noun, longest), file.toString(), overrides);
    }

    /**
     * The JSON Schema (draft 2020-12), for editors that complete and check YAML by one. It has every field with its type, range,
     * names, default and meaning; which values contradict each other only the reader knows.
     */
    public String jsonSchema(String title) {
        return JsonSchema.of(title, Schema.group(type));
    }
}
