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
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(#[^)]*)?\\)");

    @Test
    void everyJavaExampleIsInATestThatRuns() throws IOException {
        String tests = sources(HOME.resolve("polder-train/src/test/java/io/polder/examples"));
        int examples = 0;
        for (Path page : pages()) {
            var matcher = JAVA.matcher(Files.readString(page));
            while (matcher.find()) {
                examples++;
                assertThat(tests).as("an example of " + page).contains(stripped(matcher.group(1)));
            }
        }
        assertThat(examples).isGreaterThanOrEqualTo(4);
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
