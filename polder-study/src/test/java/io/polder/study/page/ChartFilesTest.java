package io.polder.study.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChartFilesTest {
    @TempDir
    Path folder;

    /** More series than there are colours, too. */
    @ParameterizedTest
    @EnumSource
    void everyStyleHasTheColourOfThePage(Chart.Kind kind) throws Exception {
        String svg = Files.readString(write(kind, "label").get(0));
        for (int i = 0; i < 12; i++) {
            String colour = Html.style().split("--c" + i % 8 + ": ")[1].substring(0, 7);
            assertThat(svg).contains("=\"" + colour + "\"");
        }
        assertThat(svg.contains("stroke-dasharray")).isEqualTo(!kind.isOfPoints());
        assertThat(svg).doesNotContain("NaN", "<text");
    }

    @Test
    void aLabelThatIsTooLongIsSqueezedAndNotCutOff() throws Exception {
        BufferedImage image = ImageIO.read(
                write(Chart.Kind.LINES, "as long as can be ".repeat(20)).get(1).toFile());
        int last = IntStream.range(0, image.getWidth())
                .filter(x -> IntStream.range(image.getHeight() - 200, image.getHeight())
                        .anyMatch(y -> image.getRGB(x, y) != 0xffffffff))
                .max()
                .orElseThrow();
        assertThat(last).isBetween(image.getWidth() - 100, image.getWidth() - 10);
    }

    private List<Path> write(Chart.Kind kind, String label) throws Exception {
        List<Chart.Series> series = IntStream.range(0, 12)
                .mapToObj(i -> new Chart.Series(
                        label,
                        Style.of(i),
                        List.of(new Chart.Point(1, i, i + 1, i + 2), new Chart.Point(2, i + 1, i + 2, i + 3))))
                .toList();
        var chart = new Chart("name", "Title", "x", "y", kind, Chart.Scale.LINEAR, series, String::valueOf);
        return ChartFiles.write(List.of(chart), folder);
    }
}
