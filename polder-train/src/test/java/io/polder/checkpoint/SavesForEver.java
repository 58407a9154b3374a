package io.polder.checkpoint;

import java.io.IOException;
import java.nio.file.Path;

/** A program that goes on from the newest checkpoint, saves step after step, and says which it has saved. It ends by being killed. */
final class SavesForEver {
    static final int BYTES = 300_000;
    static final int KEEP = 2;

    private SavesForEver() {}

    private static void markEveryThird(CheckpointStore store, long step) throws IOException {
        if (step > 0 && step % 3 == 0) {
            store.markBest(step);
        }
    }

    public static void main(String[] arguments) throws IOException {
        var store = new CheckpointStore(Path.of(arguments[0]), KEEP);
        long step = store.newest(System.err::println).map(Checkpoint::step).orElse(0L);
        markEveryThird(store, step); // it may have been killed before it came to that
        while (true) {
            step++;
            store.save(step, Samples.of(step, BYTES));
            System.out.println(step);
            markEveryThird(store, step);
        }
    }
}
