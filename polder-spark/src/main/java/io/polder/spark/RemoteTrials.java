package io.polder.spark;

import io.polder.study.trial.TrialStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Trials on a file system that Hadoop knows: HDFS, an object store.
 *
 * <pre>
 * URI/trials/ID/save-000000012-TOKEN.zip    the trial as it was with its 12th checkpoint
 *               ended-TOKEN.zip             the trial with its outcome
 * </pre>
 *
 * <p>Each is a {@link TrialArchive}. A file is written once, under a name that no other has, and never changed, and one that is not whole
 * is recognised when it is read. So nothing is asked of the file system but to create, list, read and delete: no locks, no renames, no
 * promise of what a reader sees of a file that is being written. Several nodes may be at the same trial: one that was cut off and the
 * one that was given its trial. Whatever either has put here is a moment of the same training, and any of them is good to go on from.
 */
final class RemoteTrials implements AutoCloseable {
    private static final Pattern SAVE = Pattern.compile("save-(\\d{9,18})-[0-9a-f]{16}\\.zip");
    private static final Pattern ENDED = Pattern.compile("ended-[0-9a-f]{16}\\.zip");

    private final FileSystem fileSystem;
    private final Path root;

    private RemoteTrials(FileSystem fileSystem, Path root) {
        this.fileSystem = fileSystem;
        this.root = root;
    }

    /** @throws IOException a sentence, if it cannot be reached or written to */
    static RemoteTrials open(URI uri, Configuration configuration) throws IOException {
        return open(uri, new Path(new Path(uri), "trials"), configuration);
    }

    /**
     * The place where a run is kept as trials are, under its own name there.
     *
     * @param run of its directory
     */
    static RemoteTrials above(URI run, Configuration configuration) throws IOException {
        Path parent = new Path(run).getParent();
        if (parent == null) {
            throw new IOException(run + " is no place for a run: name a directory of its own there with --store");
        }
        return open(run, parent, configuration);
    }

    private static RemoteTrials open(URI uri, Path root, Configuration configuration) throws IOException {
        var ours = new Configuration(configuration);
        // A process that is told to end puts the state of its trials here, at a time when Hadoop closes all it knows
        // of.
        ours.setBoolean("fs.automatic.close", false);
        try {
            var trials = new RemoteTrials(FileSystem.newInstance(uri, ours), root);
            trials.fileSystem.mkdirs(trials.root);
            return trials;
        } catch (IOException | RuntimeException e) { // a class that is missing is one of the latter
            throw new IOException(
                    "the store " + uri + " cannot be reached (" + sentence(e)
                            + "): Spark must have what it takes to reach it (docs/spark.md), or name another with --store",
                    e);
        }
    }

    private static String sentence(Exception e) {
        return e.getMessage() == null
                ? e.toString()
                : e.getMessage().lines().findFirst().orElse("");
    }

    /**
     * Gets a trial with its outcome, if it has ended, in place of what the store has of it.
     *
     * @return whether it has
     */
    boolean fetchEnded(String id, TrialStore store) throws IOException {
        for (String name : names(id, ENDED)) {
            try (var draft = Scratch.in(store.path())) {
                var fetched = new TrialStore(draft.path());
                unpack(id, name, fetched.directory(id));
                if (fetched.outcome(id).filter(TrialStore::isFinal).isEmpty()) {
                    throw new IOException("its outcome is not there");
                }
                Scratch.delete(store.directory(id));
                Files.createDirectories(store.directory(id).getParent());
                Files.move(fetched.directory(id), store.directory(id));
                return true;
            } catch (IOException e) {
                complain(id, name, e);
            }
        }
        return false;
    }

    /**
     * Gets the newest state of a trial that is whole.
     *
     * @param trial its directory; it is not there afterwards if there is no state to go on from
     * @return the name of what it was taken from
     */
    Optional<String> fetchSave(String id, java.nio.file.Path trial) throws IOException {
        List<String> newestFirst = new ArrayList<>(names(id, SAVE));
        newestFirst.sort(Comparator.comparingLong(RemoteTrials::number).reversed());
        for (String name : newestFirst) {
            try {
                unpack(id, name, trial);
                TrialArchive.requireResumable(trial);
                return Optional.of(name);
            } catch (IOException e) {
                complain(id, name, e);
                Scratch.delete(trial);
            }
        }
        return Optional.empty();
    }

    /** The number of the newest state of a trial, whole or not; −1 if there is none. */
    long newestSave(String id) throws IOException {
        return names(id, SAVE).stream().mapToLong(RemoteTrials::number).max().orElse(-1);
    }

    /** Whether a name is that of this save. */
    static boolean isOfSave(String name, long save) {
        return number(name) == save;
    }

    /** @return its name here */
    String putSave(String id, TrialArchive archive) throws IOException {
        String name = "save-%09d-%s.zip".formatted(archive.save(), token());
        put(id, name, archive);
        return name;
    }

    /** Then all else of the trial is deleted: nobody needs it any more. */
    void putEnded(String id, TrialArchive archive) throws IOException {
        String name = "ended-" + token() + ".zip";
        put(id, name, archive);
        for (Pattern kind : List.of(ENDED, SAVE)) {
            for (String other : names(id, kind)) {
                if (!other.equals(name)) {
                    fileSystem.delete(path(id, other), false);
                }
            }
        }
    }

    /** Deletes what a trial has saved up to the last of these, but for these. What another node saved later stays. */
    void deleteSavesBut(Collection<String> kept, String id) throws IOException {
        long last = kept.stream().mapToLong(RemoteTrials::number).max().orElse(0);
        for (String name : names(id, SAVE)) {
            if (number(name) <= last && !kept.contains(name)) {
                fileSystem.delete(path(id, name), false);
            }
        }
    }

    private void put(String id, String name, TrialArchive archive) throws IOException {
        boolean whole = false;
        try (OutputStream stream = fileSystem.create(path(id, name), false)) {
            archive.writeTo(stream);
            whole = true;
        } finally {
            if (!whole) {
                fileSystem.delete(path(id, name), false);
            }
        }
    }

    private void unpack(String id, String name, java.nio.file.Path trial) throws IOException {
        try (InputStream stream = fileSystem.open(path(id, name))) {
            TrialArchive.unpack(stream, trial);
        }
    }

    private void complain(String id, String name, IOException e) {
        System.err.println(path(id, name) + " is passed over: " + sentence(e));
    }

    private Path path(String id, String name) {
        return new Path(new Path(root, id), name);
    }

    private List<String> names(String id, Pattern kind) throws IOException {
        List<String> names = new ArrayList<>();
        try {
            for (FileStatus file : fileSystem.listStatus(new Path(root, id))) {
                if (kind.matcher(file.getPath().getName()).matches()) {
                    names.add(file.getPath().getName());
                }
            }
        } catch (FileNotFoundException e) {
            // None yet.
        }
        return names;
    }

    private static long number(String save) {
        Matcher matcher = SAVE.matcher(save);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private static String token() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }

    @Override
    public void close() throws IOException {
        fileSystem.close();
    }
}
