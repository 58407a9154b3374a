package io.polder.checkpoint;

import io.polder.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that saves on a disk of 1 MB, once more than goes onto it. */
final class FillsTheDisk {
    static final int BYTES = 300_000;

    private FillsTheDisk() {}

    public static void main(String[] arguments) throws IOException {
        var store = new CheckpointStore(Path.of(arguments[0]), 1);
        store.save(1, Samples.of(1, BYTES));
        try {
            store.save(
                    2,
                    draft -> WholeFile.write(draft.resolve("large"), file -> Files.write(file, new byte[4 * BYTES])));
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("newest: " + Samples.newest(Path.of(arguments[0])).step());
        store.save(3, Samples.of(3, BYTES));
        System.out.println("newest: " + Samples.newest(Path.of(arguments[0])).step());
    }
}
