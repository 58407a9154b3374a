package io.polder.study;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The pieces that pages share. */
public final class Html {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.UK).withZone(ZoneOffset.UTC);

    private Html() {}

    /** Safe as text and inside a quoted attribute. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    static String date(Instant time) {
        return DATE.format(time);
    }

    /** A section of terms and what they are. */
    static String facts(String heading, Map<String, String> facts) {
        return facts.entrySet().stream()
                .map(fact -> "<dt>%s</dt><dd>%s</dd>\n".formatted(escape(fact.getKey()), escape(fact.getValue())))
                .collect(Collectors.joining("", "<section>\n<h2>" + heading + "</h2>\n<dl>\n", "</dl>\n</section>\n"));
    }

    /** A file that lies beside this class. */
    static String resource(String name) {
        try (InputStream file = Html.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
