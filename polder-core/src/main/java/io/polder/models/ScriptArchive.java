package io.polder.models;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** A TorchScript file as the zip archive that it is. */
final class ScriptArchive {
    private static final int BUFFER = 1 << 16;

    private ScriptArchive() {}

    /**
     * The engine is built without the check of checksums: a file with a flipped bit has other weights there, and nobody is told.
     * Costs one reading of the file.
     *
     * @throws IOException a sentence with the file, if it is damaged or no archive at all
     */
    static void requireSound(Path file) throws IOException {
        try (var archive = new ZipFile(file.toFile())) {
            for (Enumeration<? extends ZipEntry> entries = archive.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                if (checksum(archive, entry) != entry.getCrc()) {
                    throw new ZipException(entry.getName());
                }
            }
        } catch (IOException | IllegalArgumentException e) { // the latter of names that are no text
            throw new IOException(
                    file + " is not a TorchScript file, or damaged: fetch it again, or write one with"
                            + " torch.jit.script(model).save(...) in Python",
                    e);
        }
    }

    private static long checksum(ZipFile archive, ZipEntry entry) throws IOException {
        var sum = new CRC32();
        byte[] buffer = new byte[BUFFER];
        try (InputStream stream = archive.getInputStream(entry)) {
            for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                sum.update(buffer, 0, count);
            }
        }
        return sum.getValue();
    }
}
