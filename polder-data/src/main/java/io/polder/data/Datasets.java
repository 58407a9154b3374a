package io.polder.data;

import io.polder.text.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every data set by its name: the {@code data.name} of a recipe. */
public final class Datasets {
    private static final String IDX_FILES =
            "a directory with train-images-idx3-ubyte, train-labels-idx1-ubyte and both with t10k, plain or .gz";

    private static final Map<String, KnownDataset> BY_NAME = new LinkedHashMap<>();

    static {
        add(new KnownDataset(
                "cifar10",
                "CIFAR-10, binary version",
                "cifar-10-binary.tar.gz or the directory it was unpacked in",
                List.of("cifar-10-binary.tar.gz", "cifar-10-batches-bin", "cifar10"),
                Map.of("cifar-10-binary.tar.gz", "c32a1d4ab5d03f1284b67883e8d87530"),
                50_000,
                10_000,
                (path, options) -> new Dataset(
                        "cifar10",
                        Cifar.ten(path, Cifar.Split.TRAIN),
                        Cifar.ten(path, Cifar.Split.TEST),
                        ClassNames.CIFAR10,
                        Optional.of(Normalization.CIFAR10),
                        options.cache())));
        add(cifar100("cifar100", "CIFAR-100, binary version", Cifar.Labels.FINE, ClassNames.CIFAR100));
        add(cifar100(
                "cifar100-coarse",
                "CIFAR-100 by its 20 coarse labels",
                Cifar.Labels.COARSE,
                ClassNames.CIFAR100_SUPERCLASSES));
        add(idx("mnist", "MNIST, handwritten digits", ClassNames.DIGITS, Normalization.MNIST));
        add(idx("fashion-mnist", "Fashion-MNIST", ClassNames.FASHION, Normalization.FASHION_MNIST));
        add(new KnownDataset(
                "idx",
                "any other set in MNIST's format",
                IDX_FILES,
                List.of("idx"),
                Map.of(),
                0,
                0,
                (path, options) -> {
                    ImagesInMemory train = Idx.read(path, "train");
                    ImagesInMemory test = Idx.read(path, "t10k");
                    requireAgreement(path, train, test);
                    return new Dataset(
                            "idx", train, test, ClassNames.numbers(train.classes()), Optional.empty(), options.cache());
                }));
        add(bundled(
                "fashion-mnist-2000",
                "Fashion-MNIST: 200 training images of each class, all test images",
                Optional.of(Normalization.FASHION_MNIST)));
        add(bundled(
                "fashion-mnist-2000-measured",
                "the same images, normalised by what these training images have instead of the published figures",
                Optional.empty()));
        add(folder(
                "image-folder",
                "images in class folders, of any size",
                List.of("images", "images.zip"),
                Optional.empty(),
                0,
                0));
        add(new KnownDataset(
                "labelled-folder",
                "images of any size with several labels each, for task: multi-label",
                "a directory with labels.csv (file, split and a column of 0 and 1 for each label, or a column labels), or with"
                        + " one each in train and test or val, or a zip of one",
                List.of("labelled", "labelled.zip"),
                Map.of(),
                0,
                0,
                (path, options) -> opened(
                                "labelled-folder",
                                ImageFolder.openLabelled(path, options.onBadImage()),
                                Optional.empty(),
                                options)
                        .withSeveralLabels()));
        add(folder(
                "imagenet",
                "ImageNet (ILSVRC 2012) in class folders",
                List.of("imagenet", "imagenet.zip"),
                Optional.of(Normalization.IMAGENET),
                1_281_167,
                50_000));
    }

    private Datasets() {}

    /** In the order of the documentation. */
    public static List<KnownDataset> all() {
        return List.copyOf(BY_NAME.values());
    }

    /** @throws IllegalArgumentException if there is none of that name; the message offers the nearest ones */
    public static KnownDataset named(String name) {
        KnownDataset known = BY_NAME.get(name);
        if (known == null) {
            throw Nearest.unknown("data set", name, BY_NAME.keySet());
        }
        return known;
    }

    private static void add(KnownDataset known) {
        BY_NAME.put(known.name(), known);
    }

    private static KnownDataset cifar100(String name, String title, Cifar.Labels labels, List<String> classNames) {
        return new KnownDataset(
                name,
                title,
                "cifar-100-binary.tar.gz or the directory it was unpacked in",
                List.of("cifar-100-binary.tar.gz", "cifar-100-binary", "cifar100"),
                Map.of("cifar-100-binary.tar.gz", "03b5dce01913d631647c71ecec9e9cb8"),
                50_000,
                10_000,
                (path, options) -> new Dataset(
                        "cifar100", // of which the normalisation is
                        Cifar.hundred(path, Cifar.Split.TRAIN, labels),
                        Cifar.hundred(path, Cifar.Split.TEST, labels),
                        classNames,
                        Optional.of(Normalization.CIFAR100),
                        options.cache()));
    }

    private static KnownDataset idx(String name, String title, List<String> classNames, Normalization published) {
        return new KnownDataset(
                name,
                title,
                IDX_FILES,
                List.of(name),
                Map.of(),
                60_000,
                10_000,
                (path, options) -> new Dataset(
                        name,
                        ofClasses(Idx.read(path, "train"), path, classNames),
                        ofClasses(Idx.read(path, "t10k"), path, classNames),
                        classNames,
                        Optional.of(published),
                        options.cache()));
    }

    private static KnownDataset bundled(String name, String title, Optional<Normalization> published) {
        return new KnownDataset(
                name,
                title,
                "nothing: it comes with Polder",
                List.of(),
                Map.of(),
                2_000,
                10_000,
                (path, options) -> new Dataset(
                        name, bundled("train"), bundled("t10k"), ClassNames.FASHION, published, options.cache()));
    }

    private static KnownDataset folder(
            String name, String title, List<String> files, Optional<Normalization> published, int training, int test) {
        return new KnownDataset(
                name,
                title,
                "a directory with train/<class>/* and test/<class>/* or val/<class>/*, or a zip of one",
                files,
                Map.of(),
                training,
                test,
                (path, options) -> opened(name, ImageFolder.open(path, options.onBadImage()), published, options));
    }

    private static Dataset opened(
            String name, ImageFolder folder, Optional<Normalization> published, OpenOptions options)
            throws IOException {
        try {
            return open(name, folder, published, options);
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private static Dataset open(String name, ImageFolder folder, Optional<Normalization> published, OpenOptions options)
            throws IOException {
        ImageSource train = folder.train();
        ImageSource test = folder.test();
        List<AutoCloseable> files = new ArrayList<>(List.of(folder));
        if (options.packedSide().isPresent()) {
            int side = options.packedSide().getAsInt();
            PackedPictures packed = folder.packedTrain(side, options.cache());
            PackedPictures packedTest = folder.packedTest(side, options.cache());
            train = packed;
            test = packedTest;
            files.addAll(List.of(packed, packedTest));
        } else {
            folder.firstShape(); // which is asked for later, where a fault would be no IOException
        }
        var dataset =
                new Dataset(name, train, test, folder.classNames(), published, options.cache(), folder::badImages);
        files.forEach(dataset::closing);
        return dataset;
    }

    private static ImagesInMemory ofClasses(ImagesInMemory images, Path path, List<String> classNames)
            throws IOException {
        if (images.classes() > classNames.size()) {
            throw new IOException("%s has a label %d where %d classes are expected: give another directory"
                    .formatted(path, images.classes() - 1, classNames.size()));
        }
        return images.withClasses(classNames.size());
    }

    private static void requireAgreement(Path path, ImageSource train, ImageSource test) throws IOException {
        if (!train.shape().equals(test.shape()) || train.classes() != test.classes()) {
            throw new IOException("%s has training images of %s and test images of %s: they must agree"
                    .formatted(path, described(train), described(test)));
        }
    }

    private static String described(ImageSource images) {
        return "%d×%d and %d classes"
                .formatted(images.shape().width(), images.shape().height(), images.classes());
    }

    private static ImagesInMemory bundled(String split) throws IOException {
        String images = "fashion-mnist-2000/" + split + "-images-idx3-ubyte.gz";
        String labels = "fashion-mnist-2000/" + split + "-labels-idx1-ubyte.gz";
        try (InputStream imageFile = Datasets.class.getResourceAsStream(images);
                InputStream labelFile = Datasets.class.getResourceAsStream(labels)) {
            return Idx.read(imageFile, images, labelFile, labels);
        }
    }
}
