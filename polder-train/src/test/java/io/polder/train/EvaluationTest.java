package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.data.ImageShape;
import io.polder.data.ImagesInMemory;
import io.polder.data.Normalization;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

class EvaluationTest {
    /** Its logits are its pixels: whoever makes the image chooses them. */
    private static final class PixelsAsLogits extends Network {
        @Override
        public Tensor forward(Tensor images, Forward forward) {
            return images.flatten(1, 3);
        }
    }

    /** Seven pixels, seven classes, the likeliest first: 0, 1, … 6. The label of image i is i, and so is its rank. */
    @Test
    void top5ErrorCountsClassesBeyondTheFifthPlace() throws Exception {
        Evaluation seven = evaluate(7, 0, 1, 2, 3, 4, 5, 6);
        assertThat(seven.examples()).isEqualTo(7);
        assertThat(seven.figure(Classification.ERROR)).isEqualTo(6.0 / 7, within(1e-12));
        assertThat(seven.figure(Classification.TOP5_ERROR)).isEqualTo(2.0 / 7, within(1e-12));
        assertThat(evaluate(7, 6, 6).figure(Classification.TOP5_ERROR)).isEqualTo(1);
        assertThat(evaluate(7, 4, 0).figure(Classification.TOP5_ERROR)).isZero();
    }

    @Test
    void fiveClassesHaveNoTop5Error() throws Exception {
        assertThat(evaluate(5, 0, 4).figure(Classification.ERROR)).isEqualTo(0.5);
        assertThat(evaluate(5, 0, 4).figure(Classification.TOP5_ERROR)).isZero();
        assertThat(evaluate(2, 1, 1).figure(Classification.TOP5_ERROR)).isZero();
        assertThatThrownBy(() -> SoftCrossEntropy.errorsAmong(null, null, 0)).hasMessageContaining("k is 0");
    }

    private static Evaluation evaluate(int classes, int... labels) throws Exception {
        byte[] pixels = new byte[labels.length * classes];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) (100 - 10 * (i % classes));
        }
        var images = new ImagesInMemory(new ImageShape(1, 1, classes), classes, pixels, labels);
        try (var scope = Scope.open();
                var loader = new Loader(images, LoaderOptions.evaluation(3), new RandomStreams(0))) {
            var examples = new ImageBatches(loader, Normalization.of(images));
            return Evaluation.of(new PixelsAsLogits(), new Classification(0), examples, Device.CPU);
        }
    }
}
