package io.polder.data;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Images in folders named for their classes, as ImageNet lies on disk: {@code train/<class>/*} and {@code test/<class>/*}
 * or {@code val/<class>/*}, in a directory or in a zip archive of one, which is read without unpacking it. The two may also
 * lie in a single directory at the top.
 *
 * <p>Images are the files that end in {@code .jpg}, {@code .jpeg}, {@code .png}, {@code .webp} or {@code .bmp}, at whatever
 * depth below their class; hidden files and all others are passed over. Classes and files are in the order of their names
 * (by UTF-16 unit), on every system. Where {@code imagenet_class_index.json} lies beside {@code train}, it says the classes,
 * their order and their names: {@code {"0": ["n01440764", "tench"], …}}. It may have classes without a folder, so that a part
 * of ImageNet keeps the labels of the whole.
 */
public final class ImageFolder implements Closeable {
    private static final Set<String> ENDINGS = Set.of("jpg", "jpeg", "png", "webp", "bmp");
    private static final String CLASS_INDEX = "imagenet_class_index.json";

    /** What is evaluated on: the first that has class folders. (ImageNet's test images have no labels.) */
    static final List<String> TESTS = List.of("test", "val", "validation");

    private final FileTree tree;
    private final List<String> classNames;
    private final FolderPictures train;
    private final FolderPictures test;
    private final Set<String> badImages;

    ImageFolder(
            FileTree tree,
            List<String> classNames,
            FolderPictures train,
            FolderPictures test,
            Set<String> badImages,
            Set<String> read)
            throws IOException {
        this.tree = tree;
        this.classNames = classNames;
        this.train = train;
        this.test = test;
        this.badImages = badImages;
        tree.checkUnread(read::contains);
    }

    /** @throws IOException in one sentence, if the folders are not as they should be */
    public static ImageFolder open(Path path, OnBadImage onBadImage) throws IOException {
        return open(path, tree -> classFolders(tree, onBadImage));
    }

    /**
     * Images that have several labels each, which a {@code labels.csv} says.
     *
     * @throws IOException in one sentence, if it or the folders are not as they should be
     */
    public static ImageFolder openLabelled(Path path, OnBadImage onBadImage) throws IOException {
        return open(path, tree -> new LabelledFolder(tree, onBadImage).open());
    }

    private interface Reading {
        ImageFolder of(FileTree tree) throws IOException;
    }

    private static ImageFolder open(Path path, Reading reading) throws IOException {
        if (!Files.isDirectory(path) && (!Files.isRegularFile(path) || !Files.isReadable(path))) {
            throw new IOException(
                    path
                            + " is not a directory or file that can be read: give a directory with train and test, or a zip of one");
        }
        FileTree tree = Files.isDirectory(path) ? new DirectoryTree(path) : new ZipTree(path);
        try {
            return reading.of(tree);
        } catch (IOException | RuntimeException e) {
            tree.close();
            throw e;
        }
    }

    private static ImageFolder classFolders(FileTree tree, OnBadImage onBadImage) throws IOException {
        String root = root(tree);
        ClassIndex classes = tree.isFile(root + CLASS_INDEX)
                ? ClassIndex.read(tree, root + CLASS_INDEX)
                : ClassIndex.ofFolders(visible(tree, root + "train"));
        Set<String> read = new HashSet<>();
        Set<String> bad = new ConcurrentSkipListSet<>();
        var train = pictures(tree, root + "train", classes, onBadImage, bad, read);
        var test = pictures(tree, root + tests(tree, root), classes, onBadImage, bad, read);
        return new ImageFolder(tree, classes.names(), train, test, bad, read);
    }

    public ImageSource train() {
        return train;
    }

    public ImageSource test() {
        return test;
    }

    /** By label. */
    public List<String> classNames() {
        return classNames;
    }

    /** The files that could not be decoded so far and were replaced, under {@link OnBadImage#SKIP}. */
    public Set<String> badImages() {
        return badImages;
    }

    /** The shape of the first training image. */
    public ImageShape firstShape() throws IOException {
        return train.firstShape();
    }

    /** The same pictures, read from a file of decoded ones that is made in the cache directory where it is not there. */
    PackedPictures packedTrain(int side, Path cache) throws IOException {
        return PackedPictures.open(train, side, cache);
    }

    PackedPictures packedTest(int side, Path cache) throws IOException {
        return PackedPictures.open(test, side, cache);
    }

    @Override
    public void close() throws IOException {
        tree.close();
    }

    private static String root(FileTree tree) throws IOException {
        List<String> top = visible(tree, "");
        if (top.contains("train")) {
            return "";
        }
        if (top.size() == 1 && visible(tree, top.get(0)).contains("train")) {
            return top.get(0) + "/";
        }
        throw new IOException(tree.display("")
                + " has no directory train: give a directory with train/<class> and test/<class>, or a zip of one");
    }

    private static String tests(FileTree tree, String root) throws IOException {
        List<String> there = visible(tree, root);
        for (String name : TESTS) {
            if (there.contains(name) && !visible(tree, root + name).isEmpty()) {
                return name;
            }
        }
        throw new IOException(
                "%s has no test or val with class folders beside train: put the images to evaluate on there"
                        .formatted(tree.display(root)));
    }

    static List<String> visible(FileTree tree, String directory) throws IOException {
        String plain = directory.endsWith("/") ? directory.substring(0, directory.length() - 1) : directory;
        return tree.directories(plain).stream()
                .filter(name -> !name.startsWith(".") && !name.equals("__MACOSX"))
                .toList();
    }

    private static FolderPictures pictures(
            FileTree tree, String split, ClassIndex classes, OnBadImage onBadImage, Set<String> bad, Set<String> read)
            throws IOException {
        List<String> files = new ArrayList<>();
        List<Integer> labels = new ArrayList<>();
        for (String folder : visible(tree, split)) {
            String directory = split + "/" + folder;
            Optional<Integer> label = classes.label(folder);
            if (label.isEmpty()) {
                throw new IOException("%s is no class: %s".formatted(tree.display(directory), classes.advice()));
            }
            int before = files.size();
            tree.files(directory).stream().filter(ImageFolder::isImage).forEach(files::add);
            if (files.size() == before) {
                throw new IOException("%s has no images (%s): put some there or remove it"
                        .formatted(
                                tree.display(directory),
                                String.join(", ", ENDINGS.stream().sorted().toList())));
            }
            while (labels.size() < files.size()) {
                labels.add(label.get());
            }
        }
        if (files.isEmpty()) {
            throw new IOException(tree.display(split) + " has no class folders: put images into " + split + "/<class>");
        }
        read.addAll(files);
        return new FolderPictures(
                tree,
                tree.display(split),
                split,
                files.toArray(String[]::new),
                LabelSets.ofOne(
                        labels.stream().mapToInt(Integer::intValue).toArray(),
                        classes.names().size()),
                classes.names(),
                onBadImage,
                bad);
    }

    private static boolean isImage(String file) {
        String name = file.substring(file.lastIndexOf('/') + 1);
        String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return !name.startsWith(".") && name.contains(".") && ENDINGS.contains(ending);
    }
}
