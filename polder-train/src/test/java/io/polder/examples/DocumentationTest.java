package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documentation is part of the program: its Java runs, and its links lead somewhere. */
class DocumentationTest {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern IMPORT = Pattern.compile("^import ([\\w.]+);\n", Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(#[^)]*)?\\)");

    @Test
    void everyJavaExampleIsInATestThatRuns() throws IOException {
        String tests = sources(HOME.resolve("polder-train/src/test/java/io/polder/examples"));
        int examples = 0;
        for (Path page : pages()) {
            var matcher = JAVA.matcher(Files.readString(page));
            while (matcher.find()) {
                examples++;
                assertThat(tests)
                        .as("an example of " + page)
                        .contains(stripped(IMPORT.matcher(matcher.group(1)).replaceAll("")));
            }
        }
        assertThat(examples).isGreaterThanOrEqualTo(4);
    }

    /** A reader pastes one example, not the page. */
    @Test
    void everyExampleForJavaProgramsHasTheImportsOfItsTest() throws IOException {
        String tests = "";
        for (String name : List.of("InferenceTest", "OwnLoopTest")) {
            tests += Files.readString(HOME.resolve("polder-train/src/test/java/io/polder/examples/" + name + ".java"));
        }
        List<String> imports = IMPORT.matcher(tests)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .toList();
        var example = JAVA.matcher(Files.readString(HOME.resolve("docs/java.md")));
        while (example.find()) {
            String code = IMPORT.matcher(example.group(1)).replaceAll("");
            List<String> needed = imports.stream()
                    .filter(name -> Pattern.compile("\\b" + name.substring(name.lastIndexOf('.') + 1) + "\\b")
                            .matcher(code)
                            .find())
                    .toList();
            assertThat(IMPORT.matcher(example.group(1)).results().map(found -> found.group(1)))
                    .as(code)
                    .containsExactlyInAnyOrderElementsOf(needed);
        }
    }

    @Test
    void everyLinkToAFileLeadsToOne() throws IOException {
        for (Path page : pages()) {
            var matcher = LINK.matcher(Files.readString(page));
            while (matcher.find()) {
                String target = matcher.group(1);
                if (!target.startsWith("http")) {
                    assertThat(page.resolveSibling(target))
                            .as("a link of " + page)
                            .exists();
                }
            }
        }
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(
                List.of(HOME.resolve("README.md"), HOME.resolve("CONTRIBUTING.md"), HOME.resolve("CHANGELOG.md")));
        try (Stream<Path> docs = Files.list(HOME.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    private static String sources(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> sorted = files.sorted().toList();
            StringBuilder all = new StringBuilder();
            for (Path file : sorted) {
                all.append(stripped(Files.readString(file))).append('\n');
            }
            return all.toString();
        }
    }

    /** Without indentation and empty lines: an example may stand further left than in its test. */
    private static String stripped(String code) {
        return code.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }
}
