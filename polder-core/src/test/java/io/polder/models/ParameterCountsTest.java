package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How large the networks are: {@code golden/parameter-counts.csv} was counted in the authors' code, at 224 pixels in torchvision. */
class ParameterCountsTest {
    record Row(String model, int classes, int image, long parameters, long statistics, int tensors) {
        static Row of(String line) {
            String[] cells = line.split(",");
            return new Row(
                    cells[0],
                    Integer.parseInt(cells[1]),
                    Integer.parseInt(cells[2]),
                    Long.parseLong(cells[3]),
                    Long.parseLong(cells[4]),
                    Integer.parseInt(cells[5]));
        }

        /** {@code ViT-Ti/4} there is {@code vit-ti-4} here. */
        String nameHere() {
            String name = model.toLowerCase(Locale.ROOT).replace('/', '-');
            return image == 224 ? name + "-imagenet" : name;
        }

        @Override
        public String toString() {
            return nameHere() + " for " + classes + " classes";
        }
    }

    static Stream<Row> rows() throws IOException {
        try (var file = ParameterCountsTest.class.getResourceAsStream("/golden/parameter-counts.csv")) {
            List<Row> rows = new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .map(Row::of)
                    .toList();
            assertThat(rows).hasSize(28);
            return rows.stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void countsAreThoseOfTheAuthorsCode(Row row) {
        try (var scope = Scope.open()) {
            var network = Architectures.named(row.nameHere()).build(row.image(), row.classes(), new RandomStreams(0));
            var parameters = network.parametersByName();
            assertThat(elements(parameters.values().stream())).isEqualTo(row.parameters());
            assertThat(parameters).hasSize(row.tensors());
            var statistics = network.buffersByName();
            statistics.keySet().removeIf(name -> name.endsWith("num_batches_tracked"));
            assertThat(elements(statistics.values().stream())).isEqualTo(row.statistics());
        }
    }

    private static long elements(Stream<Tensor> tensors) {
        return tensors.mapToLong(Tensor::numel).sum();
    }
}
