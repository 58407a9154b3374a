package io.polder.data.source;

import io.polder.files.Sha256;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Somebody's own pictures: a folder for each class, {@code cats/*} and {@code dogs/*}, in a directory or a zip of one. Some pictures of
 * each class are held back for the test. Where there are {@code train/<class>} and {@code test/<class>} or {@code val/<class>}, those are
 * taken as they are.
 *
 * <p>A picture is held back by a number that the seed and its name give it: of a class those with the lowest. So each class has its
 * share, and pictures that are put there later move few of the others.
 *
 * @param testShare of each class, rounded, and at least one picture
 * @param splitSeed not the seed of a run: several of them are to be judged by the same pictures
 */
record PhotoFolders(double testShare, long splitSeed) {
    /** One to train on, one for the test, one for validation. */
    private static final int LEAST = 3;

    ImageFolder read(Folder folder) throws IOException {
        FileTree tree = folder.tree();
        String root = root(tree);
        if (isDivided(tree, root)) {
            return ImageFolder.classFolders(folder);
        }
        List<String> classes = ImageFolder.visible(tree, root);
        if (classes.size() < 2) {
            throw new IOException(
                    "%s has %s: make a folder for each class in it, at least two, such as cats and dogs, and put the pictures there"
                            .formatted(
                                    tree.display(root),
                                    classes.isEmpty() ? "no folders" : "the one folder " + classes.get(0)));
        }
        var train = new Part();
        var test = new Part();
        for (int label = 0; label < classes.size(); label++) {
            List<String> pictures = ImageFolder.images(tree, root + classes.get(label));
            if (pictures.size() < LEAST) {
                throw new IOException("%s has %d picture%s: put at least %d there, as some are held back to judge by"
                        .formatted(
                                tree.display(root + classes.get(label)),
                                pictures.size(),
                                pictures.size() == 1 ? "" : "s",
                                LEAST));
            }
            Set<String> heldBack = heldBack(pictures, root);
            for (String picture : pictures) {
                (heldBack.contains(picture) ? test : train).add(picture, label);
            }
        }
        return new ImageFolder(
                classes, train.pictures(folder, root, classes, "train"), test.pictures(folder, root, classes, "test"));
    }

    /** The top, or the only folder there: zips often have one. */
    private static String root(FileTree tree) throws IOException {
        List<String> top = ImageFolder.visible(tree, "");
        boolean inside =
                top.size() == 1 && !ImageFolder.visible(tree, top.get(0)).isEmpty();
        return inside ? top.get(0) + "/" : "";
    }

    /** By folders in train and in test: pictures of trains may lie in train. */
    private static boolean isDivided(FileTree tree, String root) throws IOException {
        boolean tested = false;
        for (String name : ImageFolder.TESTS) {
            tested |= !ImageFolder.visible(tree, root + name).isEmpty();
        }
        return tested && !ImageFolder.visible(tree, root + "train").isEmpty();
    }

    private Set<String> heldBack(List<String> pictures, String root) {
        long number = Math.max(1, Math.min(pictures.size() - 2, Math.round(testShare * pictures.size())));
        return pictures.stream()
                .sorted(Comparator.comparing(picture -> Sha256.of(splitSeed + "\n" + picture.substring(root.length()))))
                .limit(number)
                .collect(Collectors.toSet());
    }

    /** Pictures of one split, gathered. */
    private static final class Part {
        private final List<String> files = new ArrayList<>();
        private final List<Integer> labels = new ArrayList<>();

        void add(String file, int label) {
            files.add(file);
            labels.add(label);
        }

        FolderPictures pictures(Folder folder, String root, List<String> classes, String split) {
            String directory = root.isEmpty() ? "" : root.substring(0, root.length() - 1);
            var one =
                    LabelSets.ofOne(labels.stream().mapToInt(Integer::intValue).toArray(), classes.size());
            return new FolderPictures(
                    folder, folder.tree().display(root) + " (" + split + ")", directory, files, one, classes);
        }
    }
}
