package io.polder.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A data set that Polder can open, and what it expects to find.
 *
 * @param expects what is at the path, in a sentence for people
 * @param files names that are looked for where no path is given; empty where the images come with Polder
 * @param md5 published checksums, by the name of the file
 * @param training images of the official training set; 0 where it is open
 * @param test images of the official test set; 0 where it is open
 */
public record KnownDataset(
        String name,
        String title,
        String expects,
        List<String> files,
        Map<String, String> md5,
        int training,
        int test,
        Opener opener) {
    /** Debian's package dataset-fashion-mnist and its like put their files below this. */
    private static final Path SYSTEM = Path.of("/usr/share/datasets");

    /** Reads what is at the path; null for images that come with Polder. */
    @FunctionalInterface
    public interface Opener {
        Dataset open(Path path, OpenOptions options) throws IOException;
    }

    public KnownDataset {
        Objects.requireNonNull(name, "name");
        files = List.copyOf(files);
        md5 = Map.copyOf(md5);
    }

    /** Whether it comes with Polder and takes no path. */
    public boolean isBundled() {
        return files.isEmpty();
    }

    /**
     * Where it is looked for when no path is given, in this order: its archive or its directory in {@code $POLDER_DATA}
     * (or {@code data} in the working directory where that is not set), then where the system keeps data sets.
     */
    public List<Path> places() {
        String home = System.getenv("POLDER_DATA");
        Path data = Path.of(home == null || home.isEmpty() ? "data" : home);
        List<Path> places = new ArrayList<>();
        files.forEach(file -> places.add(data.resolve(file)));
        if (!isBundled()) {
            places.add(SYSTEM.resolve(name));
        }
        return places;
    }

    /**
     * @param path of the data; where empty, {@link #places()} are tried
     * @throws IOException in one sentence: the file, what is wrong with it, what to do
     */
    public Dataset open(Optional<Path> path, OpenOptions options) throws IOException {
        if (path.isPresent()) {
            requireUseFor(path.get().toString());
        }
        return opener.open(path.isPresent() || isBundled() ? path.orElse(null) : find(), options);
    }

    /**
     * Images that come with Polder are read from nowhere else: to pass over a path that was given would train on other images than
     * was asked for.
     */
    public void requireUseFor(String path) throws IOException {
        if (isBundled()) {
            throw new IOException(
                    "%s comes with Polder, and %s was given: leave that out, or name a set of your own, as with -s data.name=image-folder --data %s"
                            .formatted(name, path, path));
        }
    }

    private Path find() throws IOException {
        for (Path place : places()) {
            if (Files.exists(place)) {
                return place;
            }
        }
        throw new IOException("no data was given for %s and none is at %s: give its path, %s"
                .formatted(
                        name,
                        String.join(", ", places().stream().map(Path::toString).toList()),
                        expects));
    }

    public Dataset open(Path path, OpenOptions options) throws IOException {
        return open(Optional.ofNullable(path), options);
    }
}
