package io.polder.data.source;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Images that have several labels each, or none, which a {@code labels.csv} says: one with a column {@code split} that has {@code train} or
 * {@code test}, or one each in {@code train} and in {@code test} or {@code val}. The column {@code file} has the name of an image, relative
 * to the directory of the file. Every other column is a label, with 0 or 1; or there is one column {@code labels} that has their names,
 * between semicolons where any cell has one and between spaces otherwise.
 *
 * <p>Labels are in the order of the columns, or of their names; images in that of their names, whatever that of the lines. Images that no
 * line names are passed over.
 */
final class LabelledFolder {
    private static final String FILE = "labels.csv";
    private static final String PICTURE = "file";
    private static final String SPLIT = "split";
    private static final String LIST = "labels";

    /** Longer than any label needs to be. */
    private static final int LONGEST = 200;

    /** Of one line: an image, and what the labels' cells say of it. */
    private record Row(CsvReader csv, int line, String picture, List<String> cells) {
        IOException fault(String sentence) {
            return csv.fault(line, sentence);
        }
    }

    /** @param columns of labels, or the one that lists them */
    private record Table(String place, String directory, List<String> columns, List<Row> rows) {
        boolean isList() {
            return columns.equals(List.of(LIST));
        }
    }

    private final Folder folder;
    private final FileTree tree;

    LabelledFolder(Folder folder) {
        this.folder = folder;
        this.tree = folder.tree();
    }

    ImageFolder read() throws IOException {
        String root = ImageFolder.root(
                tree,
                directory -> tree.isFile(directory + FILE) || tree.isFile(directory + "train/" + FILE),
                "has no labels.csv, nor one in train: give a directory that has one, or a zip of one");
        Map<String, Table> splits = tree.isFile(root + FILE) ? divided(root) : directories(root);
        Table train = splits.get("train");
        Table test = splits.get("test");
        if (!train.columns.equals(test.columns)) {
            throw new IOException("%s has the columns %s where %s has %s: both must have the same in the same order"
                    .formatted(
                            test.place, shown(test.columns.toString()), train.place, shown(train.columns.toString())));
        }
        List<String> names = train.columns;
        boolean semicolons = false;
        if (train.isList()) {
            semicolons = splits.values().stream()
                    .flatMap(table -> table.rows.stream())
                    .anyMatch(row -> row.cells.get(0).contains(";"));
            Set<String> found = new TreeSet<>();
            for (Row row : train.rows) {
                found.addAll(listed(row, semicolons));
            }
            names = List.copyOf(found);
            if (names.size() > CsvReader.MOST_CELLS) {
                throw new IOException(
                        "%s has more than %d labels: give fewer".formatted(train.place, CsvReader.MOST_CELLS));
            }
        }
        requireShown(train.place, names);
        FolderPictures trained = pictures(train, names, semicolons);
        requireEachLabel(train.place, trained, names);
        FolderPictures tested = pictures(test, names, semicolons);
        if (IntStream.range(0, tested.size()).allMatch(i -> tested.labels(i).length == 0)) {
            throw new IOException(test.place + " has no image with a label: nothing could be judged by it");
        }
        return new ImageFolder(names, trained, tested);
    }

    private Map<String, Table> directories(String root) throws IOException {
        String tests = ImageFolder.tests(tree, root, directory -> tree.isFile(directory + FILE), "a labels.csv");
        return Map.of(
                "train", table(root + "train/", false).get(""),
                "test", table(tests + "/", false).get(""));
    }

    private Map<String, Table> divided(String root) throws IOException {
        Map<String, Table> splits = table(root, true);
        for (String split : List.of("train", "test")) {
            if (!splits.containsKey(split)) {
                throw new IOException("%s has no line whose split is %s: give images for it"
                        .formatted(tree.display(root + FILE), split));
            }
        }
        return splits;
    }

    /** By their splits; all by "" where the file is to have none. */
    private Map<String, Table> table(String directory, boolean isDivided) throws IOException {
        String name = tree.display(directory + FILE);
        var file = new FileBytes();
        tree.read(directory + FILE, file);
        var csv = new CsvReader(name, file.bytes(), file.length());
        List<String> header = csv.next();
        if (header == null) {
            throw new IOException(name + " is empty: it must have a first line with the names of its columns");
        }
        header = header.stream().map(String::strip).toList();
        int picture = header.indexOf(PICTURE);
        int split = header.indexOf(SPLIT);
        requireColumns(csv, header, isDivided);
        List<String> columns = header.stream()
                .filter(column -> !column.equals(PICTURE) && !column.equals(SPLIT))
                .toList();
        Map<String, Table> tables = new LinkedHashMap<>();
        Map<String, Integer> lines = new HashMap<>();
        for (List<String> cells = csv.next(); cells != null; cells = csv.next()) {
            if (cells.size() != header.size()) {
                throw csv.fault("has %d cells where the first line has %d: give each column one"
                        .formatted(cells.size(), header.size()));
            }
            Integer before = lines.put(cells.get(picture), csv.line());
            if (before != null) {
                throw csv.fault("has %s again, after line %d: remove one of the two"
                        .formatted(shown(cells.get(picture)), before));
            }
            requirePicture(csv, directory, cells.get(picture));
            String part = isDivided ? cells.get(split).strip() : "";
            if (isDivided && !part.equals("train") && !part.equals("test")) {
                throw csv.fault("has the split '%s': it must be train or test".formatted(shown(part)));
            }
            String place = isDivided ? name + " (" + part + ")" : name;
            List<String> labels = IntStream.range(0, cells.size())
                    .filter(column -> column != picture && column != split)
                    .mapToObj(cells::get)
                    .toList();
            tables.computeIfAbsent(part, each -> new Table(place, directory, columns, new ArrayList<>()))
                    .rows
                    .add(new Row(csv, csv.line(), directory + cells.get(picture), labels));
        }
        if (tables.isEmpty()) {
            throw new IOException(name + " has no images: give each a line");
        }
        return tables;
    }

    /** They go into files, tables and messages, a line each. */
    private static void requireShown(String place, List<String> names) throws IOException {
        for (String name : names) {
            if (name.length() > LONGEST || name.chars().anyMatch(Character::isISOControl)) {
                throw new IOException(
                        "%s has the label '%s': it must have at most %d characters, and no line end among them"
                                .formatted(place, shown(name), LONGEST));
            }
        }
    }

    /** For a message: on one line, and no longer than people read. */
    private static String shown(String cell) {
        String start = cell.length() > LONGEST ? cell.substring(0, LONGEST) + "…" : cell;
        return start.replaceAll("\\p{Cntrl}", "?");
    }

    private static void requireColumns(CsvReader csv, List<String> header, boolean isDivided) throws IOException {
        Set<String> seen = new HashSet<>();
        for (String column : header) {
            if (column.isEmpty()) {
                throw csv.fault("has a column without a name: give it one or remove it");
            }
            if (!seen.add(column)) {
                throw csv.fault("has two columns %s: rename or remove one".formatted(shown(column)));
            }
        }
        if (!seen.contains(PICTURE)) {
            throw csv.fault("has no column file: name the column of the images so");
        }
        if (isDivided != seen.contains(SPLIT)) {
            throw csv.fault(
                    isDivided
                            ? "has no column split: give each image one, train or test, or put a labels.csv into train and test"
                            : "has a column split, and the directory is one already: remove the column");
        }
        int others = header.size() - (isDivided ? 2 : 1);
        if (others == 0) {
            throw csv.fault("has no labels: give each a column of 0 and 1, or give a column labels");
        }
        if (seen.contains(LIST) && others > 1) {
            throw csv.fault("has other columns beside labels: give the one or the others");
        }
    }

    /** Nothing above or beside the directory: a file from elsewhere is not to choose what is read. */
    private void requirePicture(CsvReader csv, String directory, String picture) throws IOException {
        boolean plain = !picture.isEmpty()
                && picture.chars().noneMatch(c -> c == '\\' || c < ' ')
                && Arrays.stream(picture.split("/", -1))
                        .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
        if (!plain) {
            throw csv.fault("has the file '%s': it must be a name below the directory of labels.csv, with slashes"
                    .formatted(shown(picture)));
        }
        if (!isThere(directory + picture)) {
            throw csv.fault("has %s, and there is no such file: put it there or remove the line"
                    .formatted(shown(directory + picture)));
        }
    }

    private boolean isThere(String file) throws IOException {
        try {
            return tree.isFile(file);
        } catch (InvalidPathException e) { // a name that this system cannot have
            return false;
        }
    }

    private FolderPictures pictures(Table table, List<String> names, boolean semicolons) throws IOException {
        List<Row> rows = new ArrayList<>(table.rows);
        rows.sort(Comparator.comparing(Row::picture));
        Map<String, Integer> known = new HashMap<>();
        names.forEach(name -> known.put(name, known.size()));
        List<int[]> labels = new ArrayList<>();
        for (Row row : rows) {
            labels.add(table.isList() ? byName(row, semicolons, known) : byColumn(row, names));
        }
        return new FolderPictures(
                folder,
                table.place,
                table.directory,
                rows.stream().map(Row::picture).toList(),
                LabelSets.ofSeveral(labels, names.size()),
                names);
    }

    private static int[] byColumn(Row row, List<String> names) throws IOException {
        var labels = IntStream.builder();
        for (int label = 0; label < names.size(); label++) {
            String cell = row.cells.get(label).strip();
            if (cell.equals("1")) {
                labels.add(label);
            } else if (!cell.equals("0")) {
                throw row.fault("has '%s' for %s: it must be 0 or 1, or the column is no label and must be removed"
                        .formatted(shown(cell), names.get(label)));
            }
        }
        return labels.build().toArray();
    }

    private static int[] byName(Row row, boolean semicolons, Map<String, Integer> known) throws IOException {
        var labels = new TreeSet<Integer>();
        for (String name : listed(row, semicolons)) {
            if (!known.containsKey(name)) {
                throw row.fault("has the label '%s', which no image to train on has: correct or remove it"
                        .formatted(shown(name)));
            }
            labels.add(known.get(name));
        }
        return labels.stream().mapToInt(Integer::intValue).toArray();
    }

    private static List<String> listed(Row row, boolean semicolons) throws IOException {
        List<String> names = Arrays.stream(row.cells.get(0).split(semicolons ? ";" : "\\s+"))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
        if (names.stream().distinct().count() < names.size()) {
            throw row.fault("has a label twice: remove one of the two");
        }
        return names;
    }

    /** What no image has cannot be learnt. */
    private static void requireEachLabel(String place, FolderPictures train, List<String> names) throws IOException {
        Set<Integer> missing =
                new TreeSet<>(IntStream.range(0, names.size()).boxed().toList());
        for (int i = 0; i < train.size(); i++) {
            Arrays.stream(train.labels(i)).forEach(missing::remove);
        }
        if (names.isEmpty()) {
            throw new IOException(place + " has no image with a label: give some");
        }
        if (!missing.isEmpty()) {
            throw new IOException("%s has no image to train on with the label %s: give some or remove the column"
                    .formatted(place, names.get(missing.iterator().next())));
        }
    }
}
