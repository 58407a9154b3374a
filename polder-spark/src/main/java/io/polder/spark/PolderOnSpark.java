package io.polder.spark;

import io.polder.cli.Main;
import java.util.stream.Stream;

/** What {@code spark-submit} starts for a training: {@code ./polder} with the cluster that it was submitted to. Its arguments begin with {@code train} or {@code resume}. */
public final class PolderOnSpark {
    private PolderOnSpark() {}

    public static void main(String[] arguments) {
        Main.main(Stream.concat(Stream.of(arguments), Stream.of("--executor", "spark"))
                .toArray(String[]::new));
    }
}
