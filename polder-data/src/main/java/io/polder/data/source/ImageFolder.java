package io.polder.data.source;

import io.polder.data.Dataset;
import io.polder.data.Normalization;
import io.polder.data.OpenOptions;
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
 *
 * @param classNames by label
 */
record ImageFolder(List<String> classNames, FolderPictures train, FolderPictures test) {
    private static final Set<String> ENDINGS = Set.of("jpg", "jpeg", "png", "webp", "bmp");
    private static final String CLASS_INDEX = "imagenet_class_index.json";

    /** What is evaluated on: the first that has class folders. (ImageNet's test images have no labels.) */
    static final List<String> TESTS = List.of("test", "val", "validation");

    private interface Layout {
        ImageFolder of(Folder folder) throws IOException;
    }

    /** @throws IOException in one sentence, if the folders are not as they should be */
    static Dataset open(String name, Path path, Optional<Normalization> published, OpenOptions options)
            throws IOException {
        return open(name, path, published, options, false, ImageFolder::classFolders);
    }

    /**
     * Somebody's own pictures in class folders, as programs show them; see {@link PhotoFolders}.
     *
     * @throws IOException in one sentence, if the folders are not as they should be
     */
    static Dataset openPhotos(String name, Path path, double testShare, long splitSeed, OpenOptions options)
            throws IOException {
        var layout = new PhotoFolders(testShare, splitSeed);
        return open(name, path, Optional.empty(), options, true, layout::read);
    }

    /**
     * Images that have several labels each, which a {@code labels.csv} says.
     *
     * @throws IOException in one sentence, if it or the folders are not as they should be
     */
    static Dataset openLabelled(String name, Path path, OpenOptions options) throws IOException {
        return open(name, path, Optional.empty(), options, false, folder -> new LabelledFolder(folder).read())
                .withSeveralLabels();
    }

    private static Dataset open(
            String name,
            Path path,
            Optional<Normalization> published,
            OpenOptions options,
            boolean asShown,
            Layout layout)
            throws IOException {
        if (!Files.isDirectory(path) && (!Files.isRegularFile(path) || !Files.isReadable(path))) {
            throw new IOException(path
                    + " is not a directory or file that can be read: give a directory with "
                    + (asShown ? "a folder of pictures for each class" : "train and test")
                    + ", or a zip of one");
        }
        FileTree tree = Files.isDirectory(path) ? new DirectoryTree(path) : new ZipTree(path);
        try {
            var folder = new Folder(tree, options.onBadImage(), new ConcurrentSkipListSet<>(), asShown);
            ImageFolder found = layout.of(folder);
            Set<String> read = new HashSet<>(found.train.files());
            read.addAll(found.test.files());
            tree.checkUnread(read::contains);
            return found.dataset(name, folder, published, options);
        } catch (IOException | RuntimeException e) {
            tree.close();
            throw e;
        }
    }

    /** Packed where that is asked for. */
    Dataset dataset(String name, Folder folder, Optional<Normalization> published, OpenOptions options)
            throws IOException {
        if (options.packedSide().isPresent()) {
            int side = options.packedSide().getAsInt();
            var packed = PackedPictures.open(train, side, options.cache());
            var packedTest = PackedPictures.open(test, side, options.cache());
            return new Dataset(name, packed, packedTest, classNames, published, options.cache())
                    .ofFiles(folder.badImages(), List.of(folder.tree(), packed, packedTest));
        }
        train.firstShape(); // which is asked for later, where a fault would be no IOException
        return new Dataset(name, train, test, classNames, published, options.cache())
                .ofFiles(folder.badImages(), List.of(folder.tree()));
    }

    static ImageFolder classFolders(Folder folder) throws IOException {
        FileTree tree = folder.tree();
        String root = root(
                tree,
                directory -> visible(tree, directory).contains("train"),
                "has no directory train: give a directory with train/<class> and test/<class>, or a zip of one");
        ClassIndex classes = tree.isFile(root + CLASS_INDEX)
                ? ClassIndex.read(tree, root + CLASS_INDEX)
                : ClassIndex.ofFolders(visible(tree, root + "train"));
        String tests = tests(tree, root, directory -> !visible(tree, directory).isEmpty(), "class folders");
        return new ImageFolder(
                classes.names(), pictures(folder, root + "train", classes), pictures(folder, tests, classes));
    }

    interface Place {
        /** @param directory "", or one that ends in a slash */
        boolean isAt(String directory) throws IOException;
    }

    /** The top of a tree, or the only directory there. */
    static String root(FileTree tree, Place root, String otherwise) throws IOException {
        if (root.isAt("")) {
            return "";
        }
        List<String> top = visible(tree, "");
        if (top.size() == 1 && root.isAt(top.get(0) + "/")) {
            return top.get(0) + "/";
        }
        throw new IOException(tree.display("") + " " + otherwise);
    }

    /** The directory of the images to evaluate on. */
    static String tests(FileTree tree, String root, Place tests, String what) throws IOException {
        for (String name : TESTS) {
            if (tests.isAt(root + name + "/")) {
                return root + name;
            }
        }
        throw new IOException("%s has no test or val with %s beside train: put the images to evaluate on there"
                .formatted(tree.display(root), what));
    }

    static List<String> visible(FileTree tree, String directory) throws IOException {
        String plain = directory.endsWith("/") ? directory.substring(0, directory.length() - 1) : directory;
        return tree.directories(plain).stream()
                .filter(name -> !name.startsWith(".") && !name.equals("__MACOSX"))
                .toList();
    }

    private static FolderPictures pictures(Folder folder, String split, ClassIndex classes) throws IOException {
        FileTree tree = folder.tree();
        List<String> files = new ArrayList<>();
        List<Integer> labels = new ArrayList<>();
        for (String name : visible(tree, split)) {
            String directory = split + "/" + name;
            Optional<Integer> label = classes.label(name);
            if (label.isEmpty()) {
                throw new IOException("%s is no class: %s".formatted(tree.display(directory), classes.advice()));
            }
            files.addAll(images(tree, directory));
            while (labels.size() < files.size()) {
                labels.add(label.get());
            }
        }
        if (files.isEmpty()) {
            throw new IOException(tree.display(split) + " has no class folders: put images into " + split + "/<class>");
        }
        var one = LabelSets.ofOne(
                labels.stream().mapToInt(Integer::intValue).toArray(),
                classes.names().size());
        return new FolderPictures(folder, tree.display(split), split, files, one, classes.names());
    }

    /** Those of a class, in the order of their names: at least one. */
    static List<String> images(FileTree tree, String directory) throws IOException {
        List<String> images =
                tree.files(directory).stream().filter(ImageFolder::isImage).toList();
        if (images.isEmpty()) {
            throw new IOException("%s has no images (%s): put some there or remove it"
                    .formatted(
                            tree.display(directory),
                            String.join(", ", ENDINGS.stream().sorted().toList())));
        }
        return images;
    }

    static boolean isImage(String file) {
        String name = file.substring(file.lastIndexOf('/') + 1);
        String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return !name.startsWith(".") && name.contains(".") && ENDINGS.contains(ending);
    }
}
