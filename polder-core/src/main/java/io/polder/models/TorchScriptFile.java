package io.polder.models;

import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.ZipFile;

/** What a TorchScript file says of itself, read without the engine. */
public final class TorchScriptFile {
    /** Beside the program, where {@code _extra_files} of {@code torch.jit.save} puts it: {@code NAME/extra/polder_untrained}. */
    private static final String UNTRAINED = "/extra/polder_untrained";

    private TorchScriptFile() {}

    /**
     * Whether the file says that nobody has trained its weights, so that others may be drawn in their place. A file that cannot be read says
     * nothing.
     */
    public static boolean isUntrained(Path file) {
        try (var archive = new ZipFile(file.toFile())) {
            return archive.stream().anyMatch(entry -> entry.getName().endsWith(UNTRAINED));
        } catch (IOException e) {
            return false; // what is wrong with it is told by whoever loads it
        }
    }
}
