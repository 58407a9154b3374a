package io.polder.data.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The large files in which the images of a set lie, {@code train-00000-of-00005.parquet} or {@code set-val-000003.tar}: each says by a word of its name, or by
 * that of its directory, which split it is of.
 *
 * @param root that their names are relative to
 */
record Shards(Path root, List<Path> train, List<Path> test) {
    private static final Pattern NUMBERED = Pattern.compile("(.*)-(\\d{1,9})-of-(\\d{1,9})\\.[a-z]+");

    /**
     * In a directory, in its {@code data}, or in the only directory there.
     *
     * @param example of what is looked for
     */
    static Shards find(Path path, String ending, String example) throws IOException {
        if (!Files.isDirectory(path)) {
            throw new IOException("%s is not a directory: give one with files such as %s".formatted(path, example));
        }
        List<Path> places = new ArrayList<>(List.of(path, path.resolve("data")));
        List<Path> below = list(path).stream().filter(Files::isDirectory).toList();
        if (below.size() == 1) {
            places.add(below.get(0));
        }
        for (Path place : places) {
            List<Path> train = of("train", place, ending);
            if (!train.isEmpty()) {
                for (String name : ImageFolder.TESTS) {
                    List<Path> test = of(name, place, ending);
                    if (!test.isEmpty()) {
                        return new Shards(place, complete(train), complete(test));
                    }
                }
                throw new IOException("%s has files to train on and none for the test: put some there, such as %s"
                        .formatted(place, example.replaceFirst("train", "test")));
            }
        }
        throw new IOException(
                "%s has no files to train on: give a directory with some, such as %s".formatted(path, example));
    }

    private static List<Path> of(String split, Path place, String ending) throws IOException {
        Pattern word = Pattern.compile("(^|.*[^a-z])" + split + "([^a-z].*|$)");
        List<Path> found = new ArrayList<>();
        for (Path file : list(place)) {
            String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
            if (Files.isRegularFile(file)
                    && name.endsWith(ending)
                    && word.matcher(name).matches()) {
                found.add(file);
            }
        }
        if (found.isEmpty()) {
            list(place.resolve(split)).stream()
                    .filter(file -> Files.isRegularFile(file)
                            && file.getFileName()
                                    .toString()
                                    .toLowerCase(Locale.ROOT)
                                    .endsWith(ending))
                    .forEach(found::add);
        }
        return found;
    }

    /** In the order of their names; nothing where there is no such directory, and nothing hidden. */
    private static List<Path> list(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted((one, other) -> one.getFileName()
                            .toString()
                            .compareTo(other.getFileName().toString()))
                    .toList();
        }
    }

    /** Where names say how many there are, all of them must be there: a download may have ended early. */
    private static List<Path> complete(List<Path> files) throws IOException {
        for (Path file : files) {
            Matcher name = NUMBERED.matcher(file.getFileName().toString());
            if (name.matches()) {
                int all = Integer.parseInt(name.group(3));
                Set<Integer> there = new TreeSet<>();
                for (Path other : files) {
                    Matcher numbered = NUMBERED.matcher(other.getFileName().toString());
                    if (numbered.matches()
                            && numbered.group(1).equals(name.group(1))
                            && numbered.group(3).equals(name.group(3))) {
                        there.add(Integer.parseInt(numbered.group(2)));
                    }
                }
                if (there.size() != all) {
                    throw new IOException("%s is one of %d, of which %d are there: fetch the others, too"
                            .formatted(file, all, there.size()));
                }
            }
        }
        return files;
    }
}
