package io.polder.recipe;

import io.polder.config.Named;

/** The data sets that recipes know by name. */
public enum DatasetName implements Named {
    CIFAR10,
    CIFAR100,
    /** CIFAR-100 by its 20 coarse labels. */
    CIFAR100_COARSE,
    MNIST,
    FASHION_MNIST,
    /** 2,000 training images of Fashion-MNIST and all its test images, which come with Polder. */
    FASHION_MNIST_2000,
    /** Any data set as {@code train/<class>/} and {@code test/<class>/} in a directory or a zip file. */
    IMAGE_FOLDER,
    IMAGENET;

    /** Whether it comes with Polder and has no directory. */
    public boolean isBundled() {
        return this == FASHION_MNIST_2000;
    }
}
