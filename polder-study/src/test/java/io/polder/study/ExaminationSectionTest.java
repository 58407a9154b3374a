package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExaminationSectionTest {
    private static final String TWO = """
            {"split": "test", "checkpoint": "best", "step": 1200, "images": 12, "calibrationError": 0.25,
             "classes": [{"class": "<cats>", "images": 8, "error": 0.25}, {"class": "dogs", "images": 4, "error": null}],
             "confusion": [[6, 2], [0, 4]],
             "reliability": [{"images": 0, "confidence": null, "right": null}, {"images": 12, "confidence": 0.9, "right": 0.65}]}
            """;

    @TempDir
    private Path run;

    @Test
    void aMatrixHasARowForEachClassAndTheDiagramAPointForEachBin() throws IOException {
        Files.writeString(run.resolve("examination.json"), TWO);
        assertThat(ExaminationSection.of(run))
                .contains("The best checkpoint, after 1,200 steps, on 12 test images.")
                .contains("<th scope=\"row\">&lt;cats&gt;</th><td>8</td><td>25.00</td>"
                        + "<td class=\"right s4\">6</td><td class=\"wrong s2\">2</td>")
                .contains("<td>4</td><td>–</td><td>0</td><td class=\"right s5\">4</td>")
                .contains("data-series=\"this network\"", "is 25.00&nbsp;%")
                .doesNotContain("<img");
    }

    @Test
    void ofManyClassesThoseWithTheMostErrorsAreListed() throws IOException {
        String classes = IntStream.range(0, 30)
                .mapToObj(i -> "{\"class\": \"c" + i + "\", \"images\": 10, \"error\": " + i / 100.0 + "}")
                .collect(Collectors.joining(", "));
        Files.writeString(run.resolve("examination.json"), "{\"classes\": [" + classes + "], \"confusion\": [[0, 1]]}");
        assertThat(ExaminationSection.of(run))
                .containsSubsequence("c29", "c28", "c10")
                .doesNotContain(">c9<")
                .contains("The classes with the most errors, of 30.");
    }

    @Test
    void whatIsDamagedIsLeftOut() throws IOException {
        assertThat(ExaminationSection.of(run)).isEmpty();
        for (String damaged : new String[] {"", "{", "[]", "{\"classes\": 3}", "{\"classes\": [1, null]}"}) {
            Files.writeString(run.resolve("examination.json"), damaged);
            assertThat(ExaminationSection.of(run)).doesNotContain("NaN", "null");
        }
    }
}
