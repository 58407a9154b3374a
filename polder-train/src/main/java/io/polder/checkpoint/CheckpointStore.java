package io.polder.checkpoint;

import io.polder.files.Reason;
import io.polder.files.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The checkpoints of one run: directories such as {@code step-000012345-save-17}, each whole or not there.
 *
 * <p>A checkpoint is written as {@code .draft}, its files forced to disk, then the {@linkplain Manifest manifest} with the length and
 * checksum of each, and renamed. A directory once there is never changed, only deleted: a step that is saved again gets another
 * one. So a crash of process or machine at any moment leaves all that was saved before it.
 *
 * <p>The newest checkpoint is the one saved last, not that of the highest step: a run that went back to step 200 and saved step 250
 * has left its former course, and what it had saved beyond 250 is no longer part of it.
 *
 * <p>Of several processes one may save ({@link RunLock} sees to that); any may read meanwhile. Not thread-safe.
 */
public final class CheckpointStore {
    /** Writes the files of a checkpoint. */
    @FunctionalInterface
    public interface Contents {
        /**
         * @param draft an empty directory. Plain files go into it, no directories and no links; names are letters, digits, dots,
         *     hyphens and underscores
         */
        void writeTo(Path draft) throws IOException;
    }

    /** Looks into the files of a checkpoint, of which the store knows nothing but their bytes. */
    @FunctionalInterface
    public interface Inspection {
        /** @throws IOException a sentence, if they are not those of a checkpoint of its step */
        void inspect(Checkpoint checkpoint) throws IOException;
    }

    /** One directory, by its name alone. */
    private record Save(long step, long number) {
        private static final Pattern NAME = Pattern.compile("step-(\\d{9,18})-save-(\\d{1,18})");

        static Optional<Save> of(String name) {
            Matcher matcher = NAME.matcher(name);
            return matcher.matches()
                    ? Optional.of(new Save(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))))
                            .filter(save -> save.name().equals(name))
                    : Optional.empty();
        }

        String name() {
            String digits = Long.toString(step);
            return "step-" + "0".repeat(Math.max(0, 9 - digits.length())) + digits + "-save-" + number;
        }
    }

    /** Which checkpoint is the best: its name, and the checksum of its manifest, which vouches for the name. */
    private record Best(String name, String checksum) {
        private static final Pattern LINE = Pattern.compile("(.{1,200}) ([0-9a-f]{16})\n");
        private static final int MOST_BYTES = 1000;

        byte[] encode() {
            return (name + " " + checksum + "\n").getBytes(StandardCharsets.ISO_8859_1);
        }

        static Best decode(byte[] content) throws IOException {
            Matcher matcher = LINE.matcher(new String(content, StandardCharsets.ISO_8859_1));
            if (!matcher.matches() || Save.of(matcher.group(1)).isEmpty()) {
                throw new IOException("it does not name a checkpoint");
            }
            return new Best(matcher.group(1), matcher.group(2));
        }
    }

    private static final String DRAFT = ".draft";
    private static final String DISCARDED = ".discarded";
    private static final String BEST = "best.txt";
    private static final String BEST_DRAFT = ".best.txt";
    private static final long HIGHEST_STEP = 999_999_999_999_999_999L;

    /** No run saves so often: a name that says so is made up, and would leave no number for the next. */
    private static final long HIGHEST_NUMBER = 999_999_999_999_999L;

    /** So often is looked again for what a run that goes on has deleted meanwhile: more than a few times is never needed. */
    private static final int MOST_LOOKS = 1000;

    private final Path directory;
    private final int keep;
    private final Inspection inspection;
    private final Disk disk;

    /**
     * @param directory made with the first checkpoint, if it is not there
     * @param keep how many of the newest checkpoints are kept, beside the best
     */
    public CheckpointStore(Path directory, int keep) {
        this(directory, keep, checkpoint -> {});
    }

    /** @param inspection of whatever is found: what it refuses is damaged */
    public CheckpointStore(Path directory, int keep, Inspection inspection) {
        this(directory, keep, inspection, new Disk());
    }

    CheckpointStore(Path directory, int keep, Inspection inspection, Disk disk) {
        if (keep < 1) {
            throw new IllegalArgumentException("keep is " + keep + ": it must be at least 1");
        }
        this.directory = directory;
        this.keep = keep;
        this.inspection = inspection;
        this.disk = disk;
    }

    /**
     * As {@link #save(long, Contents, Consumer)} does, for those who want to stop at whatever goes wrong.
     *
     * @throws IOException also if older ones cannot be deleted: then the sentence begins with the step, which is saved
     */
    public Checkpoint save(long step, Contents contents) throws IOException {
        List<String> complaints = new ArrayList<>();
        Checkpoint saved = save(step, contents, complaints::add);
        if (!complaints.isEmpty()) {
            throw new IOException(complaints.get(0));
        }
        return saved;
    }

    /**
     * Saves a checkpoint, then deletes those beyond the number to keep, but never the best. Returns when the disk has it. A thread that
     * was interrupted saves all the same.
     *
     * @param complaints is told, in a sentence, if older ones cannot be deleted: this one is saved all the same
     * @throws IOException if something could not be written: a sentence with the file and the cause. The checkpoints of before are as
     *     they were, and what was written of this one is gone
     * @throws IllegalArgumentException if the step or what {@code contents} wrote is not what a checkpoint can have; the effect is
     *     the same
     */
    public Checkpoint save(long step, Contents contents, Consumer<String> complaints) throws IOException {
        if (step < 0 || step > HIGHEST_STEP) {
            throw new IllegalArgumentException("step is " + step + ": it must be between 0 and " + HIGHEST_STEP);
        }
        // Channels close themselves under an interrupted thread, and the one who interrupts may well want this very
        // save.
        boolean interrupted = Thread.interrupted();
        try {
            Checkpoint saved = write(step, contents);
            deleteSuperfluous(saved, complaints);
            return saved;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Checkpoint write(long step, Contents contents) throws IOException {
        Path draft = directory.resolve(DRAFT);
        Path target = null;
        try {
            disk.createDirectories(directory);
            disk.syncDirectory(directory.toAbsolutePath().getParent());
            for (String leftover : List.of(DRAFT, DISCARDED, BEST_DRAFT)) {
                deleteTree(directory.resolve(leftover));
            }
            String name = new Save(step, nextNumber()).name();

            disk.createDirectory(draft);
            contents.writeTo(draft);
            Manifest manifest = new Manifest(name, syncAndDescribe(draft));
            Path manifestFile = draft.resolve(Manifest.FILE);
            disk.write(manifestFile, manifest.encode());
            disk.sync(manifestFile);
            disk.syncDirectory(draft);
            target = directory.resolve(name);
            disk.move(draft, target);
            disk.syncDirectory(directory);
            return new Checkpoint(step, target, fileNames(manifest));
        } catch (Throwable e) {
            takeBack(draft, target, e);
            if (e instanceof IOException failure) {
                throw new IOException(
                        "cannot save step " + step + " in " + directory + ": " + advised(failure)
                                + "; the checkpoints of before are untouched",
                        failure);
            }
            throw e;
        }
    }

    /** One that makes this save the newest; and another than those of directories that are no checkpoints. */
    private long nextNumber() throws IOException {
        List<Save> saves = saves();
        long number = 1;
        for (Save save : saves) {
            if (save.number() >= number && isVouchedFor(save)) {
                number = save.number() + 1;
            }
        }
        Set<Long> used = saves.stream().map(Save::number).collect(Collectors.toSet());
        while (used.contains(number)) {
            number++;
        }
        if (number > HIGHEST_NUMBER) {
            throw new IOException("save " + (number - 1) + " is there, which leaves no number for another: delete it");
        }
        return number;
    }

    private SortedMap<String, Manifest.Entry> syncAndDescribe(Path draft) throws IOException {
        SortedMap<String, Manifest.Entry> files = new TreeMap<>();
        List<String> names = disk.names(draft, Manifest.MOST_FILES + 1);
        if (names.isEmpty() || names.size() > Manifest.MOST_FILES) {
            throw new IllegalArgumentException("a checkpoint has " + (names.isEmpty() ? "no" : "too many")
                    + " files: it must have between 1 and " + Manifest.MOST_FILES);
        }
        for (String name : names) {
            Path file = draft.resolve(name);
            if (!Manifest.mayHave(name) || !disk.attributes(file).isRegularFile()) {
                throw new IllegalArgumentException(
                        "name is \"" + printable(name) + "\": in a checkpoint it must be that of a plain file,"
                                + " match " + Manifest.FILE_NAME + " and not be " + Manifest.FILE);
            }
            disk.sync(file);
            files.put(name, describe(file));
        }
        return files;
    }

    /** As far as it goes: what is left is deleted by the next save. */
    private void takeBack(Path draft, Path target, Throwable failure) {
        try {
            deleteTree(draft);
            if (target != null && exists(target)) {
                discard(target);
            }
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private void deleteSuperfluous(Checkpoint saved, Consumer<String> complaints) {
        try {
            List<Save> saves = saves();
            Set<Save> kept = new HashSet<>(course(saves).stream().limit(keep).toList());
            String mark = textOfMark();
            Collections.reverse(saves);
            for (Save save : saves) {
                Path path = directory.resolve(save.name());
                if (!kept.contains(save) && !path.equals(saved.directory()) && !isNamedBy(mark, save)) {
                    discard(path);
                }
            }
        } catch (IOException e) {
            complaints.accept("step " + saved.step() + " is saved in " + saved.directory()
                    + ", but older checkpoints cannot be deleted: " + sentence(e));
        }
    }

    /** Renamed first: a deletion that is cut short must not leave what looks like a damaged checkpoint. */
    private void discard(Path checkpoint) throws IOException {
        Path discarded = directory.resolve(DISCARDED);
        disk.move(checkpoint, discarded);
        deleteTree(discarded);
    }

    private void deleteTree(Path path) throws IOException {
        if (!exists(path)) {
            return;
        }
        if (disk.attributes(path).isDirectory()) {
            for (String name : disk.names(path, Integer.MAX_VALUE)) {
                deleteTree(path.resolve(name));
            }
        }
        disk.delete(path);
    }

    /**
     * The newest checkpoint that is whole. Reads all its bytes, and takes nothing from any that is damaged.
     *
     * @param complaints is told of each newer one that is damaged, in a sentence: which, and what is wrong with it
     */
    public Optional<Checkpoint> newest(Consumer<String> complaints) throws IOException {
        return newestBefore(Long.MAX_VALUE, complaints);
    }

    /** The newest of the checkpoints of earlier steps than that, as {@link #newest} gives the newest of all. */
    public Optional<Checkpoint> newestBefore(long step, Consumer<String> complaints) throws IOException {
        Set<String> said = new HashSet<>();
        List<Save> seen = null;
        for (int look = 1; look <= MOST_LOOKS; look++) {
            List<Save> saves = saves();
            // A run that goes on deletes what was listed: there is none only if the list stays the same.
            if (saves.equals(seen)) {
                return Optional.empty();
            }
            seen = saves;
            Optional<Checkpoint> newest = newest(saves, step, sentence -> {
                if (said.add(sentence)) {
                    complaints.accept(sentence);
                }
            });
            if (newest.isPresent()) {
                return newest;
            }
        }
        throw new IOException(
                directory + " changes faster than its checkpoints can be read: wait until the run ends, or stop it");
    }

    private Optional<Checkpoint> newest(List<Save> saves, long before, Consumer<String> complaints) throws IOException {
        long end = before;
        for (Save save : saves) {
            if (save.step() >= end) {
                continue; // the run has gone back behind it
            }
            try {
                return Optional.of(verified(save));
            } catch (IOException e) {
                if (!exists(directory.resolve(save.name()))) {
                    return Optional.empty(); // the run has saved a newer one since, and deleted this one
                }
                complaints.accept(e.getMessage());
                end = isVouchedFor(save) ? save.step() : end;
            }
        }
        return Optional.empty();
    }

    /** The checkpoint of that step that was saved last and is whole. */
    public Optional<Checkpoint> of(long step) throws IOException {
        for (Save save : savesOf(step)) {
            try {
                return Optional.of(verified(save));
            } catch (IOException e) {
                // An earlier one may be whole.
            }
        }
        return Optional.empty();
    }

    /**
     * Marks the checkpoint of that step as the best, which is kept until another is. If the step was saved more than once, the
     * last one is meant.
     *
     * @throws IllegalArgumentException if there is no checkpoint of that step
     * @throws IOException if it cannot be marked, in a sentence; the former best is kept
     */
    public void markBest(long step) throws IOException {
        List<Save> saves = savesOf(step);
        if (saves.isEmpty()) {
            throw new IllegalArgumentException("step is " + step + ": it must be that of a checkpoint in " + directory);
        }
        String name = saves.stream()
                .filter(this::isVouchedFor)
                .findFirst()
                .orElse(saves.get(0))
                .name();
        Path draft = directory.resolve(BEST_DRAFT);
        boolean interrupted = Thread.interrupted();
        try {
            byte[] manifest = readManifest(name);
            Manifest.decode(manifest, name);
            deleteTree(draft);
            disk.write(draft, new Best(name, Checksum.of(manifest)).encode());
            disk.sync(draft);
            disk.move(draft, directory.resolve(BEST));
            disk.syncDirectory(directory);
        } catch (IOException e) {
            throw new IOException("cannot mark " + directory.resolve(name) + " as the best: " + sentence(e), e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Marks the checkpoint of that step as the best if there is one, and if nothing else is marked: no mark is there, or one that
     * is damaged.
     *
     * @param complaints is told what is wrong with the mark, in a sentence
     * @throws IOException as {@link #markBest} does
     */
    public void mendBest(long step, Consumer<String> complaints) throws IOException {
        try {
            Optional<Best> best = readBest();
            if (best.isPresent()) {
                requireMatch(best.get());
                return;
            }
        } catch (IOException e) {
            complaints.accept(sentence(e));
        }
        if (!savesOf(step).isEmpty()) {
            markBest(step);
        }
    }

    /**
     * The checkpoint that was last marked as the best; none if it or the mark is damaged.
     *
     * @param complaints is told what is wrong, in a sentence
     */
    public Optional<Checkpoint> best(Consumer<String> complaints) {
        for (int look = 1; ; look++) {
            Optional<Best> best = Optional.empty();
            try {
                best = readBest();
                return best.isPresent() ? Optional.of(verified(best.get())) : Optional.empty();
            } catch (IOException e) {
                // Another one may have been marked, and this one deleted, since the mark was read: look again.
                if (best.isEmpty() || isStillMarked(best.get()) || look == MOST_LOOKS) {
                    complaints.accept(sentence(e));
                    return Optional.empty();
                }
            }
        }
    }

    private boolean isStillMarked(Best best) {
        try {
            return readBest().equals(Optional.of(best));
        } catch (IOException e) {
            return false;
        }
    }

    private Checkpoint verified(Best best) throws IOException {
        Checkpoint checkpoint = verified(Save.of(best.name()).orElseThrow());
        requireMatch(best);
        return checkpoint;
    }

    /** The checksum vouches for the name: a digit that was changed must not make another checkpoint the best. */
    private void requireMatch(Best best) throws IOException {
        Path checkpoint = directory.resolve(best.name());
        if (!exists(checkpoint)) {
            throw damagedMark("there is no " + best.name());
        }
        if (!Checksum.of(readManifest(best.name())).equals(best.checksum())) {
            throw damagedMark("it does not match the manifest of " + checkpoint);
        }
    }

    private IOException damagedMark(String sentence) {
        return new IOException(directory.resolve(BEST) + " is damaged and not used: " + sentence);
    }

    /** @throws IOException a sentence, if anything at all is wrong with it */
    private Checkpoint verified(Save save) throws IOException {
        Path path = directory.resolve(save.name());
        try {
            if (!disk.attributes(path).isDirectory()) {
                throw new IOException("it is not a directory");
            }
            if (save.number() > HIGHEST_NUMBER) {
                throw new IOException("no run saves so often");
            }
            Manifest manifest = Manifest.decode(readManifest(save.name()), save.name());
            for (String name : disk.names(path, manifest.files().size() + 2)) {
                if (!name.equals(Manifest.FILE) && !manifest.files().containsKey(name)) {
                    throw new IOException(printable(name) + " is not in its manifest");
                }
            }
            for (var file : manifest.files().entrySet()) {
                verify(path.resolve(file.getKey()), file.getValue());
            }
            var checkpoint = new Checkpoint(save.step(), path, fileNames(manifest));
            inspection.inspect(checkpoint);
            return checkpoint;
        } catch (IOException e) {
            throw new IOException("the checkpoint " + path + " is damaged and not used: " + sentence(e), e);
        }
    }

    private void verify(Path file, Manifest.Entry expected) throws IOException {
        BasicFileAttributes attributes = disk.attributes(file);
        if (!attributes.isRegularFile()) {
            throw new IOException(file.getFileName() + " is not a plain file");
        }
        if (attributes.size() != expected.length()) {
            throw new IOException(
                    file.getFileName() + " has " + attributes.size() + " bytes instead of " + expected.length());
        }
        if (!describe(file).equals(expected)) {
            throw new IOException(file.getFileName() + " does not match its checksum");
        }
    }

    private Manifest.Entry describe(Path file) throws IOException {
        try (InputStream stream = disk.open(file)) {
            return Checksum.of(stream);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(file + ": " + Reason.of(e), e);
        }
    }

    private byte[] readManifest(String checkpoint) throws IOException {
        return read(directory.resolve(checkpoint).resolve(Manifest.FILE), Manifest.MOST_BYTES);
    }

    private byte[] read(Path file, int most) throws IOException {
        if (!disk.attributes(file).isRegularFile()) {
            throw new IOException(file.getFileName() + " is not a plain file");
        }
        byte[] content;
        try (InputStream stream = disk.open(file)) {
            content = stream.readNBytes(most + 1);
        }
        if (content.length > most) {
            throw new IOException(file.getFileName() + " has more than " + most + " bytes");
        }
        return content;
    }

    private Optional<Best> readBest() throws IOException {
        Path file = directory.resolve(BEST);
        if (!exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Best.decode(read(file, Best.MOST_BYTES)));
        } catch (IOException e) {
            throw damagedMark(sentence(e));
        }
    }

    /** As it is, damaged or not; nothing if there is none, or none that is a mark at all. */
    private String textOfMark() throws IOException {
        try {
            return new String(read(directory.resolve(BEST), Best.MOST_BYTES), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return "";
        } catch (FileSystemException e) {
            throw e; // what cannot be read now may be whole
        } catch (IOException e) {
            return "";
        }
    }

    /** By name or by manifest: whichever of the two a damage has left. */
    private boolean isNamedBy(String mark, Save save) {
        try {
            return mark.contains(save.name() + " ") || mark.contains(Checksum.of(readManifest(save.name())));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Whether its manifest is one of a checkpoint of this name. A directory that was renamed, copied or made up says nothing of the
     * run's course, whatever its number.
     */
    private boolean isVouchedFor(Save save) {
        try {
            Manifest.decode(readManifest(save.name()), save.name());
            return save.number() <= HIGHEST_NUMBER;
        } catch (IOException e) {
            return false;
        }
    }

    private List<Save> savesOf(long step) throws IOException {
        return saves().stream().filter(save -> save.step() == step).toList();
    }

    /** What is there by name, the last saved first. */
    private List<Save> saves() throws IOException {
        List<Save> saves = new ArrayList<>();
        if (exists(directory)) {
            for (String name : disk.names(directory, Integer.MAX_VALUE)) {
                Save.of(name).ifPresent(saves::add);
            }
        }
        saves.sort(Comparator.comparingLong(Save::number)
                .thenComparingLong(Save::step)
                .reversed());
        return saves;
    }

    /** Without those that the run has gone back behind since they were saved, and without what is no checkpoint of it. */
    private List<Save> course(List<Save> newestFirst) {
        List<Save> course = new ArrayList<>();
        for (Save save : newestFirst) {
            boolean isBefore = course.isEmpty()
                    || save.step() < course.get(course.size() - 1).step();
            if (isBefore && isVouchedFor(save)) {
                course.add(save);
            }
        }
        return course;
    }

    private boolean exists(Path path) throws IOException {
        try {
            disk.attributes(path);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static String printable(String name) {
        return name.replaceAll("\\p{Cntrl}", "?");
    }

    private static SortedSet<String> fileNames(Manifest manifest) {
        return Collections.unmodifiableSortedSet(new TreeSet<>(manifest.files().keySet()));
    }

    /** With the name of the file, which the exceptions of {@code java.nio.file} have beside the reason. */
    /** What to do where there is no room; some who write say so themselves. */
    private static String advised(IOException e) {
        String sentence = sentence(e);
        return Reason.isNoRoom(e) && !sentence.endsWith(WholeFile.MAKE_ROOM)
                ? sentence + WholeFile.MAKE_ROOM
                : sentence;
    }

    private static String sentence(IOException e) {
        return e instanceof FileSystemException named && named.getFile() != null
                ? named.getFile() + ": " + Reason.of(e)
                : Reason.of(e);
    }
}
