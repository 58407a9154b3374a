package io.polder.data.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.polder.data.Batch;
import io.polder.data.Framing;
import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.ImagesInMemory;
import io.polder.data.augment.Cutout;
import io.polder.data.augment.PadCropFlip;
import io.polder.data.augment.PadCropFlip.Padding;
import io.polder.data.source.Datasets;
import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PipelineTest {
    private static final ImageShape CIFAR = new ImageShape(3, 32, 32);

    @Test
    void cutoutIsBasicAndThenASquareOf16() {
        var cutout = Pipeline.named("cutout", CIFAR);
        assertThat(cutout.training()).isEqualTo(Framing.asIs(32, 32));
        assertThat(cutout.augmentation()).isEqualTo(new PadCropFlip(4, Padding.ZERO, true).then(new Cutout(16)));
        assertThat(cutout.evaluation()).isEqualTo(Framing.asIs(32, 32));
        assertThat(cutout.shape()).isEqualTo(CIFAR);
    }

    @Test
    void imagenetIsARandomCropOf224AndTheMiddleOf256() {
        var imagenet = Pipeline.named("imagenet", new ImageShape(3, 375, 500));
        assertThat(imagenet.training()).isEqualTo(Framing.randomResizedCrop(224, true));
        assertThat(imagenet.evaluation()).isEqualTo(Framing.centred(256, 224));
        assertThat(imagenet.shape()).isEqualTo(new ImageShape(3, 224, 224));
    }

    @Test
    void aSideMakesImagesOfAnySizeFit() {
        var basic = Pipeline.named("basic", new ImageShape(3, 100, 50), OptionalInt.of(32));
        assertThat(basic.training()).isEqualTo(Framing.centred(32, 32));
        assertThat(Pipeline.named("imagenet", CIFAR, OptionalInt.of(112)).evaluation())
                .isEqualTo(Framing.centred(128, 112));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pipeline.named("basic", CIFAR, OptionalInt.of(0)))
                .withMessage("side is 0: it must be at least 1");
    }

    @Test
    void anUnknownNameOffersTheNearest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pipeline.named("cut-out", CIFAR))
                .withMessageStartingWith("augment is \"cut-out\": there is none of that name; did you mean cutout, ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.named("cifar-10"))
                .withMessageStartingWith(
                        "data set is \"cifar-10\": there is none of that name; did you mean cifar10, ");
    }

    @Test
    void aPipelineWhoseTwoSidesDifferIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Pipeline(
                        "x", Framing.asIs(32, 32), (i, s, r) -> {}, Framing.asIs(28, 28), new ImageShape(3, 32, 32)))
                .withMessageStartingWith("shape is ImageShape[channels=3, height=32, width=32]: it must be what");
    }

    static java.util.List<String> names() {
        return Pipeline.names();
    }

    /** To be registered is to be tested: on colour images of 32, in training and evaluation, twice the same bits. */
    @ParameterizedTest
    @MethodSource("names")
    void everyPipelineServesBatchesOfItsShape(String name) throws IOException {
        byte[] pixels = new byte[6 * CIFAR.bytes()];
        new SplittableRandom(1).nextBytes(pixels);
        var images = new ImagesInMemory(CIFAR, 2, pixels, new int[] {0, 1, 0, 1, 0, 1});
        Pipeline pipeline = Pipeline.named(name, CIFAR);
        assertThat(Pipeline.description(name)).isNotBlank();
        var training = LoaderOptions.training(4, pipeline.augmentation());
        byte[] first = bytes(images.framed(pipeline.training()), training, pipeline.shape());
        assertThat(bytes(images.framed(pipeline.training()), training.withThreads(1), pipeline.shape()))
                .isEqualTo(first);
        bytes(images.framed(pipeline.evaluation()), LoaderOptions.evaluation(4), pipeline.shape());
    }

    private static byte[] bytes(ImageSource images, LoaderOptions options, ImageShape shape) {
        var all = new java.io.ByteArrayOutputStream();
        try (var loader = new Loader(images, options, new RandomStreams(1));
                var epoch = loader.epoch(0)) {
            for (Batch batch : epoch) {
                assertThat(batch.shape()).isEqualTo(shape);
                byte[] bytes = new byte[batch.size() * shape.bytes()];
                batch.pixels().get(bytes);
                all.writeBytes(bytes);
            }
        }
        return all.toByteArray();
    }
}
