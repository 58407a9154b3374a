package io.polder.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
    private static final List<String> NAMES = List.of("resnet-18", "resnet-50-imagenet", "vgg16", "vgg16-bn");

    @Test
    void capitalsAndHyphensCountLittleAndSwapsCountOnce() {
        assertThat(Nearest.to("ResNet50_ImageNet", NAMES)).contains("resnet-50-imagenet");
        assertThat(Nearest.to("vgg61", NAMES)).contains("vgg16");
    }

    @Test
    void nothingIsMeantByWhatIsFarFromAllOrVeryLong() {
        assertThat(Nearest.to("transformer", NAMES)).isEmpty();
        assertThat(Nearest.to("vgg16".repeat(1000), NAMES)).isEmpty();
        assertThat(Nearest.to("x", List.of())).isEmpty();
    }

    @Test
    void anUnknownNameIsASentenceWithTheThreeNearest() {
        assertThat(Nearest.unknown("model", "vgg-16bn", NAMES))
                .hasMessage(
                        "model is \"vgg-16bn\": there is none of that name; did you mean vgg16-bn, vgg16 or resnet-18?");
        assertThat(Nearest.unknown("model", "x".repeat(1_000_000), NAMES).getMessage())
                .hasSizeLessThan(300);
        assertThat(Nearest.unknown("set", "b", List.of("a")))
                .hasMessage("set is \"b\": there is none of that name; did you mean a?");
    }
}
