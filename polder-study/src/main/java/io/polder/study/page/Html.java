package io.polder.study.page;

import io.polder.files.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
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

    public static String date(Instant time) {
        return DATE.format(time);
    }

    /** How all pages look. */
    public static String style() {
        return resource(Html.class, "report.css");
    }

    /** What lets the pointer read values off charts; defines {@code readOff(figure)}. */
    public static String script() {
        return resource(Html.class, "report.js");
    }

    /** A report of a run. */
    public static String report(String title, String lead, String content) {
        return page(title, "", "", "<p class=\"lead\">" + escape(lead) + "</p>\n" + content);
    }

    /**
     * One page that needs nothing but itself: its style and script are inside. Its content policy lets it use these two, by their hashes, and fetch nothing: what a
     * title or a recipe might smuggle in as script or style is not run.
     *
     * @param ownStyle what it has beyond the style of all pages
     * @param ownScript what it has beyond the script of all pages
     * @param content HTML, below the title
     */
    public static String page(String title, String ownStyle, String ownScript, String content) {
        String style = style() + ownStyle;
        String script = script() + ownScript;
        // Not by format(): recipes and titles may hold percent signs, and pages of megabytes are slow to format.
        return String.join(
                "",
                """
                <!DOCTYPE html>
                <html lang="en-GB">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src\
                """,
                " '" + hash(style) + "'; script-src '" + hash(script)
                        + "'; base-uri 'none'; form-action 'none'\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
                escape(title),
                "</title>\n<style>",
                style,
                "</style>\n</head>\n<body>\n<main>\n<h1>",
                escape(title),
                "</h1>\n",
                content,
                "</main>\n<script>",
                script,
                "</script>\n</body>\n</html>\n");
    }

    private static String hash(String text) {
        byte[] digest = Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8));
        return "sha256-" + Base64.getEncoder().encodeToString(digest);
    }

    public static String section(String heading, String content) {
        return "<section>\n<h2>" + heading + "</h2>\n" + content + "</section>\n";
    }

    /** A section of terms and what they are. */
    public static String facts(String heading, Map<String, String> facts) {
        return section(
                heading,
                facts.entrySet().stream()
                        .map(fact ->
                                "<dt>%s</dt><dd>%s</dd>\n".formatted(escape(fact.getKey()), escape(fact.getValue())))
                        .collect(Collectors.joining("", "<dl>\n", "</dl>\n")));
    }

    /** A file that lies beside a class. */
    public static String resource(Class<?> beside, String name) {
        try (InputStream file = beside.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
