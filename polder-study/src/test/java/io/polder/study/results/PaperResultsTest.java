package io.polder.study.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PaperResultsTest {
    @Test
    void thePapersHeadlineIsThere() {
        assertThat(PaperResults.error("cifar10/WRN-28-10/cutout", "gradient-norm-penalty"))
                .hasValue(new PaperResults.Entry(
                        "cifar10/WRN-28-10/cutout", "error", "gradient-norm-penalty", 2.16, 0.11));
    }

    @Test
    void imageNetHasTwoErrors() {
        assertThat(PaperResults.error("imagenet/ResNet-50/imagenet", "sam")
                        .orElseThrow()
                        .mean())
                .isEqualTo(23.16);
        assertThat(PaperResults.all())
                .contains(new PaperResults.Entry("imagenet/ResNet-50/imagenet", "top5-error", "sam", 6.72, 0.06));
    }

    @Test
    void vgg16HasNoDeviation() {
        assertThat(PaperResults.error("cifar10/VGG16/basic", "standard")
                        .orElseThrow()
                        .deviation())
                .isNaN();
    }

    @Test
    void everyKeyHasAllThreeMethods() {
        assertThat(keys()).hasSize(29).allSatisfy(key -> {
            for (String method : new String[] {"standard", "sam", "gradient-norm-penalty"}) {
                assertThat(PaperResults.error(key, method)).isPresent();
            }
        });
        assertThat(PaperResults.all()).hasSize(96);
    }

    @Test
    void whatBuiltInStudiesNameIsThere() throws IOException {
        Pattern named = Pattern.compile("paper: *\"?([^\\s,}\"]+/[^\\s,}\"]+)");
        try (Stream<Path> studies = Files.list(Path.of("src/main/resources/io/polder/study/search"))) {
            List<String> keys = studies.map(PaperResultsTest::text)
                    .flatMap(text -> named.matcher(text).results())
                    .map(found -> found.group(1))
                    .toList();
            assertThat(keys).hasSizeGreaterThan(10).isSubsetOf(keys());
        }
    }

    private static Set<String> keys() {
        return PaperResults.all().stream().map(PaperResults.Entry::key).collect(Collectors.toSet());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatIsNotInThePaperIsNotMadeUp() {
        assertThat(PaperResults.error("cifar10/WRN-28-10/mixup", "sam")).isEmpty();
        assertThat(PaperResults.error("", "sam")).isEmpty();
    }
}
