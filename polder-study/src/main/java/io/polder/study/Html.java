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

    /** A report: one page with its style and script inside, which its content policy forbids to fetch anything. */
    static String report(String title, String lead, String content) {
        return """
                <!DOCTYPE html>
                <html lang="en-GB">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
                <link rel="icon" href="data:,">
                <title>%1$s</title>
                <style>
                %2$s</style>
                </head>
                <body>
                <main>
                <h1>%1$s</h1>
                <p class="lead">%3$s</p>
                %4$s</main>
                <script>
                %5$s</script>
                </body>
                </html>
                """.formatted(escape(title), resource("report.css"), escape(lead), content, resource("report.js"));
    }

    static String section(String heading, String content) {
        return "<section>\n<h2>" + heading + "</h2>\n" + content + "</section>\n";
    }

    /** A section of terms and what they are. */
    static String facts(String heading, Map<String, String> facts) {
        return section(
                heading,
                facts.entrySet().stream()
                        .map(fact ->
                                "<dt>%s</dt><dd>%s</dd>\n".formatted(escape(fact.getKey()), escape(fact.getValue())))
                        .collect(Collectors.joining("", "<dl>\n", "</dl>\n")));
    }

    /** A file that lies beside this class. */
    static String resource(String name) {
        return resource(Html.class, name);
    }

    public static String resource(Class<?> beside, String name) {
        try (InputStream file = beside.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
