package io.polder.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.polder.tensor.RandomStreams;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ValidationTest {
    @Test
    void eachClassGivesInProportion() {
        ImageSource source = labelled(IntStream.range(0, 1000).map(i -> i % 10).toArray(), 10);
        Validation split = Validation.split(source, source, 100, new RandomStreams(1));
        assertThat(imagesOfEachClass(split.validation())).containsOnly(10).hasSize(10);
        assertThat(imagesOfEachClass(split.train())).containsOnly(90);
    }

    @Test
    void theLargestRemaindersGetWhatRoundingLeft() {
        // Of 3, 5 and 2 in 10, four are 1.2, 2.0 and 0.8: one, two and, by its remainder, one.
        ImageSource source = labelled(new int[] {0, 0, 0, 1, 1, 1, 1, 1, 2, 2}, 3);
        assertThat(held(source, 4)).containsExactly(1, 2, 1);
        // One is 0.3, 0.5 and 0.2.
        assertThat(held(source, 1)).containsExactly(0, 1, 0);
        // Three of 2, 2, 2 and 2 are 0.75 each: the lower classes come first.
        assertThat(held(labelled(new int[] {3, 3, 2, 2, 1, 1, 0, 0}, 4), 3)).containsExactly(1, 1, 1, 0);
        // A class without images gives none.
        assertThat(held(labelled(new int[] {0, 2, 2}, 4), 2)).containsExactly(1, 0, 1, 0);
    }

    @Test
    void theTwoAreDisjointInOrderAndTogetherEverything() throws IOException {
        var random = new SplittableRandom(20261115);
        for (int round = 0; round < 300; round++) {
            int size = random.nextInt(2, 200);
            int classes = random.nextInt(1, 12);
            ImageSource source = labelled(random.ints(size, 0, classes).toArray(), classes);
            int held = random.nextInt(1, size);
            Validation split = Validation.split(source, source, held, new RandomStreams(random.nextLong()));
            List<Integer> train = numbers(split.train());
            List<Integer> validation = numbers(split.validation());
            String when = "round " + round;
            assertThat(validation).as(when).hasSize(held).isSorted();
            assertThat(train).as(when).isSorted();
            List<Integer> all = new ArrayList<>(train);
            all.addAll(validation);
            assertThat(all)
                    .as(when)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, size).boxed().toList());
            // Largest remainder never strays a whole image from the exact share.
            int[] whole = imagesOfEachClass(source);
            int[] share = imagesOfEachClass(split.validation());
            for (int c = 0; c < classes; c++) {
                assertThat((double) share[c]).as(when).isCloseTo((double) whole[c] * held / size, within(1.0));
            }
        }
    }

    @Test
    void theChoiceIsAFunctionOfTheSeed() throws IOException {
        ImageSource source = labelled(new int[100], 1);
        List<Integer> first = numbers(
                Validation.split(source, source, 50, new RandomStreams(1)).validation());
        assertThat(numbers(Validation.split(source, source, 50, new RandomStreams(1))
                        .validation()))
                .isEqualTo(first);
        assertThat(numbers(Validation.split(source, source, 50, new RandomStreams(2))
                        .validation()))
                .isNotEqualTo(first);
    }

    @Test
    void everyImageIsAsLikelyAsAnyOther() throws IOException {
        int seeds = 4000;
        ImageSource source = labelled(new int[] {0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, 2);
        int[] chosen = new int[10];
        for (int seed = 0; seed < seeds; seed++) {
            numbers(Validation.split(source, source, 4, new RandomStreams(seed)).validation())
                    .forEach(index -> chosen[index]++);
        }
        // Each with chance 0.4: five standard deviations, √(0.4 · 0.6 / 4000) each; the seeds are fixed.
        for (int index = 0; index < 10; index++) {
            assertThat((double) chosen[index] / seeds).as("image %d", index).isCloseTo(0.4, within(0.039));
        }
    }

    @Test
    void aSplitWithAnEmptySideIsRefused() {
        ImageSource source = labelled(new int[10], 1);
        for (int images : new int[] {-1, 0, 10, 11}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Validation.split(source, source, images, new RandomStreams(1)))
                    .withMessage("validationImages is " + images + ": it must be 1 to 9");
        }
        var one = labelled(new int[1], 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Validation.split(one, one, 1, new RandomStreams(1)))
                .withMessage("source.size is 1: it must be at least 2 to be split");
    }

    private static int[] held(ImageSource source, int validationImages) {
        return imagesOfEachClass(Validation.split(source, source, validationImages, new RandomStreams(7))
                .validation());
    }

    private static int[] imagesOfEachClass(ImageSource source) {
        int[] images = new int[source.classes()];
        IntStream.range(0, source.size()).forEach(index -> images[source.label(index)]++);
        return images;
    }

    /** The n-th image's only pixel is n. */
    private static ImageSource labelled(int[] labels, int classes) {
        byte[] pixels = new byte[labels.length];
        IntStream.range(0, pixels.length).forEach(i -> pixels[i] = (byte) i);
        return new ImagesInMemory(new ImageShape(1, 1, 1), classes, pixels, labels);
    }

    private static List<Integer> numbers(ImageSource source) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        byte[] image = new byte[1];
        for (int index = 0; index < source.size(); index++) {
            source.read(index, image);
            numbers.add(Byte.toUnsignedInt(image[0]));
        }
        return numbers;
    }
}
