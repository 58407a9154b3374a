package io.polder.spark;

import io.polder.cli.Main;
import java.io.IOException;

/**
 * The process of a worker on a node: the command that any worker is, which besides ends in good order, with the run saved, when its
 * standard input closes. That is how it learns that the Spark executor which started it is no more.
 */
final class RankMain {
    /** As after SIGTERM. */
    private static final int STOPPED = 143;

    private RankMain() {}

    public static void main(String[] arguments) {
        var watch = new Thread(RankMain::awaitEndOfInput, "polder-parent");
        watch.setDaemon(true);
        watch.start();
        Main.main(arguments);
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said there.
            }
        } catch (IOException e) {
            // Likewise nobody is there.
        }
        System.exit(STOPPED);
    }
}
