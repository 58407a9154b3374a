package io.polder.spark;

import io.polder.checkpoint.Checkpoint;
import io.polder.files.Reason;
import io.polder.run.RunDirectory;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * A trial's directory in one file: its records with the newest and the best of its checkpoints. In one, because records and checkpoint
 * belong together: a checkpoint with records of an earlier moment would lack epochs of its course.
 *
 * <p>It is a zip whose last files are {@code run.json} and {@code outcome.json}. Nobody goes on with a trial without the one, or takes one
 * for ended without the other: so half of an archive is never taken for a whole one.
 */
final class TrialArchive {
    private static final String OUTCOME = "outcome.json";
    private static final String CHECKPOINTS = "checkpoints";
    private static final String BEST = "best.txt";

    /** What holds on this machine only: locks. */
    private static final Set<String> OF_THIS_MACHINE = Set.of("claim", "lock");

    private final Path trial;
    private final RunDirectory run;
    private final byte[] info;
    private final Set<Path> files = new LinkedHashSet<>();
    private byte[] bestMark = {};
    private long save;

    private TrialArchive(Path trial) throws IOException {
        this.trial = trial;
        run = new RunDirectory(trial);
        // Before all else: if it says that the run is done, then what is read after it is all of the run.
        info = Files.readAllBytes(run.infoFile());
        if (hasCheckpoints(trial)) {
            addCheckpoints();
        }
        for (Path file : filesIn(trial)) {
            String name = file.getFileName().toString();
            if (!OF_THIS_MACHINE.contains(name) && !name.equals(OUTCOME) && !file.equals(run.infoFile())) {
                files.add(file);
            }
        }
    }

    /**
     * Of a run that has begun; also while its process runs. The checkpoints are chosen now and the records read when it is written: they
     * know of as much as the checkpoints do, or of more.
     */
    static TrialArchive of(Path trial) throws IOException {
        return new TrialArchive(trial);
    }

    static boolean hasCheckpoints(Path trial) throws IOException {
        if (!Files.isDirectory(trial.resolve(CHECKPOINTS))) {
            return false;
        }
        try (Stream<Path> each = Files.list(trial.resolve(CHECKPOINTS))) {
            return each.anyMatch(path -> path.getFileName().toString().startsWith("step-"));
        }
    }

    /** Whether its outcome is there. */
    static boolean hasEnded(Path trial) {
        return Files.exists(trial.resolve(OUTCOME));
    }

    private void addCheckpoints() throws IOException {
        Path bestFile = trial.resolve(CHECKPOINTS).resolve(BEST);
        byte[] mark = Files.exists(bestFile) ? Files.readAllBytes(bestFile) : bestMark;
        Checkpoint newest = run.checkpoint(RunDirectory.Which.NEWEST, complaint -> {});
        Checkpoint best = run.checkpoint(RunDirectory.Which.BEST, complaint -> {});
        files.addAll(filesIn(newest.directory()));
        files.addAll(filesIn(best.directory()));
        if (new String(mark, StandardCharsets.ISO_8859_1).startsWith(name(best) + " ")) {
            bestMark = mark;
        }
        save = Long.parseLong(name(newest).replaceFirst(".*-", ""));
    }

    private static String name(Checkpoint checkpoint) {
        return checkpoint.directory().getFileName().toString();
    }

    /** Plain ones; hidden ones are half-written. */
    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> each = Files.list(directory)) {
            return each.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        }
    }

    /** The how-manieth save of the run its newest checkpoint is; 0 if it has none. */
    long save() {
        return save;
    }

    /**
     * Does not close the stream.
     *
     * @throws IOException also if the trial's process has deleted one of the checkpoints since
     */
    void writeTo(OutputStream stream) throws IOException {
        var zip = new ZipOutputStream(stream);
        zip.setLevel(Deflater.NO_COMPRESSION); // weights hardly get smaller, and training wants the processor
        if (bestMark.length > 0) {
            zip.putNextEntry(new ZipEntry(CHECKPOINTS + "/" + BEST));
            zip.write(bestMark);
        }
        for (Path file : files) {
            begin(file, zip);
            Files.copy(file, zip);
        }
        begin(run.infoFile(), zip);
        zip.write(info);
        if (hasEnded(trial)) {
            begin(trial.resolve(OUTCOME), zip);
            Files.copy(trial.resolve(OUTCOME), zip);
        }
        zip.finish();
    }

    private void begin(Path file, ZipOutputStream zip) throws IOException {
        zip.putNextEntry(new ZipEntry(trial.relativize(file).toString().replace('\\', '/')));
    }

    /** @throws IOException if it is damaged; where it merely ends too early, the trial has no {@code run.json} afterwards */
    static void unpack(InputStream stream, Path trial) throws IOException {
        Path directory = Files.createDirectories(trial).toAbsolutePath().normalize();
        var zip = new ZipInputStream(stream);
        try {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = directory.resolve(entry.getName()).normalize();
                if (!file.startsWith(directory)) {
                    throw new IOException("it has a file outside of the trial");
                }
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        } catch (EOFException e) {
            throw new IOException("it ends in the middle of a file", e);
        } catch (IllegalArgumentException e) { // of a name that is no text, or has a zero in it
            throw new IOException("it has a file whose name cannot be one", e);
        } catch (FileSystemException e) { // whose message would be a name that damage made
            throw new IOException("one of its files cannot be written (" + Reason.of(e) + ")", e);
        }
    }

    /** @throws IOException if a run cannot be gone on with from what is in the directory */
    static void requireResumable(Path trial) throws IOException {
        var run = new RunDirectory(trial);
        run.info();
        run.recipe();
        run.checkpoint(RunDirectory.Which.NEWEST, complaint -> {});
    }
}
