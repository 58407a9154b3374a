package io.polder.data.source;

import io.polder.data.Dataset;
import io.polder.data.ImageSource;
import io.polder.data.ImagesInMemory;
import io.polder.data.KnownDataset;
import io.polder.data.Normalization;
import io.polder.text.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every data set by its name: the {@code data.name} of a recipe. */
public final class Datasets {
    public static final String PHOTOS = "photos";

    /** Of hundreds of pictures, as few as still tell a good network from a bad one. */
    public static final double USUAL_TEST_SHARE = 0.15;

    private static final String CIFAR_PAGE = "https://www.cs.toronto.edu/~kriz/cifar.html";

    private static final List<KnownDataset> ALL = List.of(
            cifar(
                    "cifar10",
                    "CIFAR-10, binary version",
                    Cifar.Version.TEN,
                    "c32a1d4ab5d03f1284b67883e8d87530",
                    Cifar::ten,
                    ClassNames.CIFAR10,
                    Normalization.CIFAR10),
            cifar100("cifar100", "CIFAR-100, binary version", Cifar.Labels.FINE, ClassNames.CIFAR100),
            cifar100(
                    "cifar100-coarse",
                    "CIFAR-100 by its 20 coarse labels",
                    Cifar.Labels.COARSE,
                    ClassNames.CIFAR100_SUPERCLASSES),
            idx("mnist", "MNIST, handwritten digits", 60_000, 10_000, ClassNames.DIGITS, Normalization.MNIST),
            idx("fashion-mnist", "Fashion-MNIST", 60_000, 10_000, ClassNames.FASHION, Normalization.FASHION_MNIST),
            idx("idx", "any other set in MNIST's format", 0, 0, null, null),
            bundled(
                    "fashion-mnist-2000",
                    "Fashion-MNIST: 200 training images of each class, all test images",
                    Optional.of(Normalization.FASHION_MNIST)),
            bundled(
                    "fashion-mnist-2000-measured",
                    "the same images, normalised by what these training images have instead of the published figures",
                    Optional.empty()),
            photos(USUAL_TEST_SHARE, 0),
            folder("image-folder", "images in class folders, of any size", "images", Optional.empty(), 0, 0),
            new KnownDataset(
                    "labelled-folder",
                    "images of any size with several labels each, for task: multi-label",
                    "a directory with labels.csv (file, split and a column of 0 and 1 for each label, or a column labels), or with"
                            + " one each in train and test or val, or a zip of one",
                    List.of("labelled", "labelled.zip"),
                    Map.of(),
                    0,
                    0,
                    (path, options) -> ImageFolder.openLabelled("labelled-folder", path, options)),
            new KnownDataset(
                    "parquet",
                    "images in Parquet files, as the Hugging Face hub stores them",
                    "a directory with train-00000-of-00005.parquet and its like, and files for the test or validation: columns"
                            + " image (bytes and path) and label",
                    List.of("parquet"),
                    Map.of(),
                    0,
                    0,
                    (path, options) -> ParquetImages.open("parquet", path, options)),
            new KnownDataset(
                    "webdataset",
                    "images in tar files, as WebDataset has them",
                    "a directory with train-000000.tar and its like, and files for the test or val: KEY.jpg and KEY.cls or KEY.json of each image",
                    List.of("webdataset"),
                    Map.of(),
                    0,
                    0,
                    (path, options) -> TarShards.open("webdataset", path, options)),
            folder(
                    "imagenet",
                    "ImageNet (ILSVRC 2012) in class folders",
                    "imagenet",
                    Optional.of(Normalization.IMAGENET),
                    1_281_167,
                    50_000));

    private Datasets() {}

    /** In the order of the documentation. */
    public static List<KnownDataset> all() {
        return ALL;
    }

    /** @throws IllegalArgumentException if there is none of that name; the message offers the nearest ones */
    public static KnownDataset named(String name) {
        return ALL.stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Nearest.unknown(
                        "data set", name, ALL.stream().map(KnownDataset::name).toList()));
    }

    /** Where its publisher has it; empty where that is in another form, or not for everybody. */
    public static Optional<Download> download(String name) {
        boolean isCifar = name.equals("cifar10") || name.startsWith("cifar100");
        return isCifar
                ? named(name).md5().entrySet().stream()
                        .map(file -> new Download(
                                file.getKey(), URI.create(CIFAR_PAGE).resolve(file.getKey()), file.getValue()))
                        .findFirst()
                : Optional.empty();
    }

    private interface CifarReader {
        ImagesInMemory read(Path path, Cifar.Split split) throws IOException;
    }

    private static KnownDataset cifar100(String name, String title, Cifar.Labels labels, List<String> classNames) {
        return cifar(
                name,
                title,
                Cifar.Version.HUNDRED,
                "03b5dce01913d631647c71ecec9e9cb8",
                (path, split) -> Cifar.hundred(path, split, labels),
                classNames,
                Normalization.CIFAR100);
    }

    private static KnownDataset cifar(
            String name,
            String title,
            Cifar.Version version,
            String md5,
            CifarReader reader,
            List<String> classNames,
            Normalization published) {
        return new KnownDataset(
                name,
                title,
                version.archive() + " (the binary version of " + CIFAR_PAGE + ", MD5 " + md5
                        + ") or the directory it was unpacked in",
                List.of(version.archive(), version.directory(), "cifar" + version.number()),
                Map.of(version.archive(), md5),
                50_000,
                10_000,
                (path, options) -> new Dataset(
                        "cifar" + version.number(), // of which the normalisation is
                        reader.read(path, Cifar.Split.TRAIN),
                        reader.read(path, Cifar.Split.TEST),
                        classNames,
                        Optional.of(published),
                        options.cache()));
    }

    /** @param classNames null where they are as many as there are labels */
    private static KnownDataset idx(
            String name, String title, int training, int test, List<String> classNames, Normalization published) {
        return new KnownDataset(
                name,
                title,
                "a directory with train-images-idx3-ubyte, train-labels-idx1-ubyte and both with t10k, plain or .gz",
                List.of(name),
                Map.of(),
                training,
                test,
                (path, options) -> {
                    ImagesInMemory train = Idx.read(path, "train");
                    ImagesInMemory tested = Idx.read(path, "t10k");
                    if (classNames == null) {
                        requireAgreement(path, train, tested);
                    }
                    List<String> names = classNames == null ? ClassNames.numbers(train.classes()) : classNames;
                    return new Dataset(
                            name,
                            ofClasses(train, path, names),
                            ofClasses(tested, path, names),
                            names,
                            Optional.ofNullable(published),
                            options.cache());
                });
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
            String name, String title, String file, Optional<Normalization> published, int training, int test) {
        return new KnownDataset(
                name,
                title,
                "a directory with train/<class>/* and test/<class>/* or val/<class>/*, or a zip of one",
                List.of(file, file + ".zip"),
                Map.of(),
                training,
                test,
                (path, options) -> ImageFolder.open(name, path, published, options));
    }

    /**
     * Somebody's own pictures, a folder for each class.
     *
     * @param testShare of the pictures of each class, held back for the test
     * @param splitSeed which those are
     */
    public static KnownDataset photos(double testShare, long splitSeed) {
        return new KnownDataset(
                PHOTOS,
                "your own pictures: a folder for each class, some of each held back for the test",
                "a directory with <class>/*, such as cats/* and dogs/*, or a zip of one; or one like image-folder's",
                List.of(PHOTOS, PHOTOS + ".zip"),
                Map.of(),
                0,
                0,
                (path, options) -> ImageFolder.openPhotos(PHOTOS, path, testShare, splitSeed, options));
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
