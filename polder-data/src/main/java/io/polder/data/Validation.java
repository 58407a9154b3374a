package io.polder.data;

import io.polder.tensor.RandomStreams;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A training set in two: images to train on, and images held back to choose settings by, so that the test set stays
 * unseen until the end.
 */
record Validation(ImageSource train, ImageSource validation) {
    /**
     * Holds back images of each class in proportion: class c of n<sub>c</sub> images, out of n in all, gives
     * {@code validationImages · n_c / n}, rounded down, and the classes with the largest remainders one more until the
     * number is reached (the lower class first where remainders are equal).
     *
     * <p>Of images that have several labels, those whose rarest label is the same are taken for a class, and those that have none for one:
     * so rare labels, of which there is little to go round, are in both parts.
     *
     * <p>Which images of a class is a function of the seed alone, each choice as likely as any other. Every image is in
     * one of the two, in the order of the source.
     *
     * @param training the images, as they are trained on
     * @param evaluation the same images, as they are evaluated on: the two need not be framed alike
     * @param validationImages how many to hold back: at least 1, and fewer than there are
     */
    static Validation split(ImageSource training, ImageSource evaluation, int validationImages, RandomStreams streams) {
        int size = training.size();
        if (size < 2) {
            throw new IllegalArgumentException("source.size is " + size + ": it must be at least 2 to be split");
        }
        if (validationImages < 1 || validationImages >= size) {
            throw new IllegalArgumentException(
                    "validationImages is " + validationImages + ": it must be 1 to " + (size - 1));
        }
        Choice choice = choose(training, validationImages, streams.random("validation split"));
        return new Validation(new Subset(training, choice.others), new Subset(evaluation, choice.chosen));
    }

    /** Some images of a source, each class in proportion, as for a validation set. */
    static ImageSource part(ImageSource source, int images, RandomStreams streams) {
        if (images < 1 || images > source.size()) {
            throw new IllegalArgumentException("trainingImages is " + images + ": it must be 1 to " + source.size());
        }
        return new Subset(source, choose(source, images, streams.random("training part")).chosen);
    }

    /** Some images to judge by now and then, likewise; all of them where there are no more. */
    static ImageSource sample(ImageSource source, int images, RandomStreams streams) {
        return images >= source.size()
                ? source
                : new Subset(source, choose(source, images, streams.random("evaluation sample")).chosen);
    }

    private record Choice(int[] chosen, int[] others) {}

    private static Choice choose(ImageSource source, int number, SplittableRandom random) {
        int size = source.size();
        int[] left = imagesOfEachClass(source);
        int[] wanted = shares(left, number, size);
        int[] chosen = new int[number];
        int[] others = new int[size - number];
        int taken = 0;
        int passed = 0;
        for (int index = 0; index < size; index++) {
            int label = source.label(index);
            // Takes one of those left with the chance that makes every choice of `wanted` among them equally likely
            // (Knuth's algorithm S), in one pass and without disturbing the order.
            if (random.nextInt(left[label]--) < wanted[label]) {
                wanted[label]--;
                chosen[taken++] = index;
            } else {
                others[passed++] = index;
            }
        }
        return new Choice(chosen, others);
    }

    private static int[] imagesOfEachClass(ImageSource source) {
        int[] images = new int[source.classes() + 1]; // the last for images that have no label
        for (int index = 0; index < source.size(); index++) {
            images[source.label(index)]++;
        }
        return images;
    }

    private static int[] shares(int[] images, int validationImages, int size) {
        int[] shares = new int[images.length];
        long[] remainders = new long[images.length];
        int toGive = validationImages;
        for (int label = 0; label < images.length; label++) {
            long product = (long) images[label] * validationImages;
            shares[label] = (int) (product / size);
            remainders[label] = product % size;
            toGive -= shares[label];
        }
        // Fewer are left to give than there are classes with a remainder, and a class with one has an image to spare.
        IntStream.range(0, images.length)
                .boxed()
                .sorted(Comparator.comparingLong((Integer label) -> -remainders[label]))
                .limit(toGive)
                .forEach(label -> shares[label]++);
        return shares;
    }
}
