package io.polder.checkpoint;

import java.io.IOException;
import java.nio.file.Path;

/** A program that takes the lock of a directory, says so or why not, and holds it until its input ends. */
final class HoldsALock {
    private HoldsALock() {}

    public static void main(String[] arguments) throws IOException {
        try (var lock = RunLock.take(Path.of(arguments[0]))) {
            System.out.println("taken");
            System.in.read();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }
}
