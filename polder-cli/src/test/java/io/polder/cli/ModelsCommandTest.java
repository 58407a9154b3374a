package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.models.Architecture;
import io.polder.models.Architectures;
import io.polder.models.ModelCost;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ModelsCommandTest {
    /** Builds every network there is and sends an image through it. On a difference it prints the file as it should be. */
    @Tag("slow")
    @Test
    void theListIsTrue() throws IOException {
        List<String> truth = new ArrayList<>(List.of("name,image,classes,parameters,multiply_adds"));
        for (Architecture architecture : Architectures.all()) {
            try (var scope = Scope.open()) {
                var network = architecture.build(architecture.image(), architecture.classes(), new RandomStreams(0));
                ModelCost cost = ModelCost.of(network, 3, architecture.image());
                truth.add("%s,%d,%d,%d,%d"
                        .formatted(
                                architecture.name(),
                                architecture.image(),
                                architecture.classes(),
                                cost.parameters(),
                                cost.multiplyAdds()));
            }
        }
        try (var file = ModelsCommand.class.getResourceAsStream("models.csv")) {
            List<String> written = new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(written).as(String.join("\n", truth)).isEqualTo(truth);
        }
    }

    @Test
    void theTableHasEveryName() {
        var outcome = run("models");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output().lines()).hasSize(1 + Architectures.all().size());
        // He et al. and torchvision: 25,557,032 parameters and 4.09 G multiply-adds at 224×224.
        assertThat(outcome.output())
                .containsPattern("resnet-50-imagenet +25,557,032 +4,0[89]\\d\\.\\d M +224×224 +1000");
    }

    @Test
    void aNameIsPrintedAsATreeWithShapes() {
        var outcome = run("models", "wrn-10-1", "--classes", "7", "--image", "16");
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        assertThat(outcome.output())
                .startsWith(
                        "stem  weight 16×3×3×3\ngroup1\n  0\n    norm1  weight 16  bias 16\n    conv1  weight 16×16×3×3\n")
                .contains("head  weight 7×64  bias 7\n")
                .contains("wrn-10-1: 75,095 parameters, ")
                .contains("for an image of 16×16, 7 classes");
    }

    @Test
    void anUnknownNameIsAnErrorThatOffersTheNearest() {
        var outcome = run("models", "resnet50-imagenet");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.errors())
                .startsWith(
                        "polder: model is \"resnet50-imagenet\": there is none of that name; did you mean resnet-50-imagenet")
                .hasLineCount(1);
        assertThat(run("models", "wrn-17-4").errors()).contains("depth is 17: it must be 6n + 4");
        assertThat(run("models", "wrn-16-4", "--classes", "0").errors())
                .contains("classes is 0: it must be at least 1");
    }

    private static PolderProcess.Outcome run(String... arguments) {
        return PolderProcess.here(arguments);
    }
}
