package io.polder.recipe;

/** The data sets that recipes know by name. */
public enum DatasetName implements Named {
    CIFAR10,
    CIFAR100,
    /** CIFAR-100 by its 20 coarse labels. */
    CIFAR100_COARSE,
    MNIST,
    FASHION_MNIST,
    /** Any other set in the files of MNIST. */
    IDX,
    /** 2,000 training images of Fashion-MNIST and all its test images, which come with Polder. */
    FASHION_MNIST_2000,
    /** The same, normalised by its own training images instead of by the published figures of all 60,000. */
    FASHION_MNIST_2000_MEASURED,
    /** Any data set as {@code train/<class>/} and {@code test/<class>/} in a directory or a zip file. */
    IMAGE_FOLDER,
    /** Images with several labels each, which a {@code labels.csv} says. */
    LABELLED_FOLDER,
    IMAGENET;

    /** Whether an image may be of several classes at once. */
    public boolean hasSeveralLabels() {
        return this == LABELLED_FOLDER;
    }

    /** Whether it comes with Polder and has no directory. */
    public boolean isBundled() {
        return this == FASHION_MNIST_2000 || this == FASHION_MNIST_2000_MEASURED;
    }
}
