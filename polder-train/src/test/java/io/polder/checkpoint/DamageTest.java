package io.polder.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to the newest checkpoint: it is seen, it is named, and the one before it is used. */
class DamageTest {
    private static final long SEED = 20261115;
    private static final int BYTES = 10_000;
    private static final int RANGE = 128;
    private static final List<String> FILES = List.of(Samples.WEIGHTS, Samples.STATE, Manifest.FILE);

    @TempDir
    private Path folder;

    private Path checkpoints;
    private Path newest;
    private final Random random = new Random(SEED);

    @BeforeEach
    void saveTwo() throws IOException {
        checkpoints = folder.resolve("checkpoints");
        var store = new CheckpointStore(checkpoints, 2);
        store.save(1, Samples.of(1, BYTES));
        newest = store.save(2, Samples.of(2, BYTES)).directory();
        Samples.assertIsOf(2, BYTES, Samples.newest(checkpoints));
    }

    @Test
    void everyRangeOfBytesThatIsOverwrittenZeroedCutOffOrDoubled() throws IOException {
        for (String name : FILES) {
            byte[] whole = Files.readAllBytes(newest.resolve(name));
            for (int from = 0; from < whole.length; from += RANGE) {
                int to = Math.min(from + RANGE, whole.length);
                byte[] range = Arrays.copyOfRange(whole, from, to);

                byte[] noise = whole.clone();
                random.nextBytes(range);
                System.arraycopy(range, 0, noise, from, range.length);
                assertDamaged(name, noise);

                byte[] zeroed = whole.clone();
                Arrays.fill(zeroed, from, to, (byte) 0);
                assertDamaged(name, zeroed);

                assertDamaged(name, Arrays.copyOf(whole, from + random.nextInt(to - from)));
                assertDamaged(name, joined(whole, Arrays.copyOfRange(whole, from, to)));
                assertDamaged(name, joined(Arrays.copyOf(whole, to), Arrays.copyOfRange(whole, from, whole.length)));
            }
            Files.write(newest.resolve(name), whole);
        }
        Samples.assertIsOf(2, BYTES, Samples.newest(checkpoints));
    }

    @Test
    void aBitOfEveryByteOfTheManifestAndASampleOfThoseOfTheFiles() throws IOException {
        for (String name : FILES) {
            byte[] whole = Files.readAllBytes(newest.resolve(name));
            boolean all = name.equals(Manifest.FILE);
            for (int i = 0; i < (all ? whole.length : 200); i++) {
                assertDamaged(name, flipped(whole, all ? i : random.nextInt(whole.length)));
            }
            Files.write(newest.resolve(name), whole);
        }
        Samples.assertIsOf(2, BYTES, Samples.newest(checkpoints));
    }

    @Test
    void deletedFiles() throws IOException {
        for (String name : FILES) {
            Path file = newest.resolve(name);
            byte[] whole = Files.readAllBytes(file);
            Files.delete(file);
            assertPassedOver(name + ": there is no such file or directory");
            Files.createDirectory(file);
            assertPassedOver(name + " is not a plain file");
            Files.delete(file);
            Files.write(file, whole);
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "links need privileges")
    void linksEvenToTheRightContent() throws IOException {
        for (String name : FILES) {
            Path file = newest.resolve(name);
            Path moved = Files.move(file, folder.resolve("elsewhere"));
            Files.createSymbolicLink(file, moved);
            assertPassedOver(name + " is not a plain file");
            Files.delete(file);
            Files.move(moved, file);
        }
        Path moved = Files.move(newest, folder.resolve("elsewhere"));
        Files.createSymbolicLink(newest, moved);
        assertPassedOver("it is not a directory");
    }

    /** To open one for reading would wait for a writer, for ever. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no such files")
    void pipes() throws Exception {
        for (String name : FILES) {
            Path file = newest.resolve(name);
            Path moved = Files.move(file, folder.resolve("elsewhere"));
            assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                    .isZero();
            assertPassedOver(name + " is not a plain file");
            Files.delete(file);
            Files.move(moved, file);
        }
    }

    @Test
    void filesTooMany() throws IOException {
        Files.createFile(newest.resolve("optimizer.safetensors"));
        assertPassedOver("optimizer.safetensors is not in its manifest");
        Files.move(newest.resolve("optimizer.safetensors"), newest.resolve("two\nlines"));
        assertPassedOver("two?lines is not in its manifest");
    }

    @Test
    void theManifestOfAnotherCheckpoint() throws IOException {
        Path renamed = Files.move(newest, newest.resolveSibling("step-000000003-save-2"));
        newest = renamed;
        assertPassedOver("manifest.txt is that of another checkpoint");
    }

    @Test
    void aManifestWithoutEnd() throws IOException {
        Files.write(newest.resolve(Manifest.FILE), new byte[Manifest.MOST_BYTES + 1]);
        assertPassedOver("manifest.txt has more than 1048576 bytes");
        try (var sparse = FileChannel.open(newest.resolve(Manifest.FILE), StandardOpenOption.WRITE)) {
            sparse.write(ByteBuffer.wrap(new byte[1]), 1L << 40);
        }
        assertPassedOver("manifest.txt has more than 1048576 bytes");
    }

    /** With a right checksum of their own: nothing is believed for that. */
    @Test
    void manifestsThatLie() throws IOException {
        String title = "Polder checkpoint, format 1: step-000000002-save-2\n";
        String five = "5 bytes, 0123456789abcdef: ";
        for (String name :
                List.of("../../precious", "/etc/passwd", "..", "", "manifest.txt", "a\\b", ".hidden", "a b")) {
            assertLie(title + five + name + "\n", "line 2 that describes no file of a checkpoint");
        }
        for (String length : List.of("-5", "05", "5.0", "", "9223372036854775808", "99999999999999999999999999")) {
            assertLie(title + five.replace("5 ", length + " ") + "a\n", "line 2 that describes no file");
        }
        assertLie(title + five.replace('a', 'A') + "a\n", "line 2 that describes no file");
        assertLie(title + five + "a\n\n" + five + "b\n", "line 3 that describes no file");
        assertLie(title + five + "a\n" + five + "a\n", "twice, out of order");
        assertLie(title + five + "b\n" + five + "a\n", "twice, out of order");
        assertLie(title + (five + "a\n").repeat(1001), "more than 1000 files");
        assertLie(title.replace("format 1", "format 2"), "another version of Polder");
        assertLie(title.strip(), "not each on a line of its own");
        assertLie("", "another version of Polder");
        // The numbers are good, but larger than anything: nothing is allocated for them.
        String huge = five.replace("5 ", "999999999999999999 ");
        assertLie(title + huge + "state.json\n" + huge + "weights.safetensors\n", "state.json has ");
    }

    @Test
    void aDamagedBestIsNamedAndNotUsed() throws IOException {
        var store = new CheckpointStore(checkpoints, 2);
        store.markBest(2);
        Path mark = checkpoints.resolve("best.txt");
        byte[] whole = Files.readAllBytes(mark);
        for (int i = 0; i < whole.length; i++) {
            Files.write(mark, flipped(whole, i));
            assertNoBest();
            Files.write(mark, Arrays.copyOf(whole, i));
            assertNoBest();
        }
        Files.write(mark, joined(whole, whole));
        assertNoBest();
        Files.write(mark, whole);
        Files.delete(newest.resolve(Samples.WEIGHTS));
        assertNoBest();
    }

    /** One flipped bit in the mark must not cost the checkpoint that it marks. */
    @Test
    void aBestWithADamagedMarkIsNotDeleted() throws IOException {
        new CheckpointStore(checkpoints, 2).markBest(1);
        Path mark = checkpoints.resolve("best.txt");
        Files.writeString(mark, Files.readString(mark).replace("save-1", "save-3"));
        for (long step = 3; step < 6; step++) {
            new CheckpointStore(checkpoints, 1).save(step, Samples.of(step, BYTES));
        }
        assertThat(checkpoints.resolve("step-000000001-save-1")).isDirectory();
    }

    /** One byte of the mark, whichever it is, must not cost the checkpoint either. */
    @Test
    void aBestIsNotDeletedWhicheverByteOfItsMarkIsDamaged() throws IOException {
        new CheckpointStore(checkpoints, 2).markBest(1);
        Path mark = checkpoints.resolve("best.txt");
        byte[] whole = Files.readAllBytes(mark);
        for (int i = 0; i < whole.length; i++) {
            Files.write(mark, flipped(whole, i));
            new CheckpointStore(checkpoints, 1).save(3 + i, Samples.of(3 + i, BYTES));
            assertThat(checkpoints.resolve("step-000000001-save-1")).isDirectory();
        }
    }

    /** Renamed, copied, empty, or with a manifest that somebody made for it. */
    @Test
    void aDirectoryWithAMadeUpNameHidesNothing() throws IOException {
        for (String name : List.of(
                "step-000000000-save-7",
                "step-000000002-save-999999999999999",
                "step-000000000-save-999999999999999999",
                "step-999999999999999999-save-999999999999999999")) {
            for (boolean withManifest : new boolean[] {false, true}) {
                Path forged = Files.createDirectory(checkpoints.resolve(name));
                if (withManifest) {
                    for (String file : FILES) {
                        Files.copy(newest.resolve(file), forged.resolve(file));
                    }
                }
                List<String> complaints = new ArrayList<>();
                var store = new CheckpointStore(checkpoints, 2);
                Samples.assertIsOf(2, BYTES, store.newest(complaints::add).orElseThrow());
                assertThat(complaints)
                        .singleElement()
                        .asString()
                        .startsWith("the checkpoint " + forged + " is damaged and not used: ");

                Path saved = store.save(3, Samples.of(3, BYTES)).directory();
                Samples.assertIsOf(3, BYTES, Samples.newest(checkpoints));
                assertThat(forged).as("it goes with the old ones").doesNotExist();
                assertThat(newest).as("a made-up one takes nobody's place").isDirectory();
                deleteTree(saved);
            }
        }
    }

    @Test
    void aNumberBeyondWhatARunCanSaveIsNotBelievedWhateverTheManifestSays() throws IOException {
        String name = "step-000000000-save-999999999999999999";
        Path forged = Files.createDirectory(checkpoints.resolve(name));
        Files.write(forged.resolve(Samples.STATE), Files.readAllBytes(newest.resolve(Samples.STATE)));
        byte[] state = Files.readAllBytes(forged.resolve(Samples.STATE));
        Files.write(
                forged.resolve(Manifest.FILE),
                new Manifest(
                                name,
                                new TreeMap<>(
                                        Map.of(Samples.STATE, new Manifest.Entry(state.length, Checksum.of(state)))))
                        .encode());
        List<String> complaints = new ArrayList<>();
        var store = new CheckpointStore(checkpoints, 2);
        Samples.assertIsOf(2, BYTES, store.newest(complaints::add).orElseThrow());
        assertThat(complaints).singleElement().asString().contains(name, "no run saves so often");
        store.save(3, Samples.of(3, BYTES));
        Samples.assertIsOf(3, BYTES, Samples.newest(checkpoints));
        assertThat(forged).doesNotExist();
    }

    @Test
    void whatTheInspectionRefusesIsDamaged() throws IOException {
        List<String> complaints = new ArrayList<>();
        var store = new CheckpointStore(checkpoints, 2, checkpoint -> {
            if (checkpoint.step() == 2) {
                throw new IOException("its state is that of step 1");
            }
        });
        Samples.assertIsOf(1, BYTES, store.newest(complaints::add).orElseThrow());
        assertThat(complaints)
                .containsExactly("the checkpoint " + newest + " is damaged and not used: its state is that of step 1");
        assertThat(store.of(2)).isEmpty();
        Samples.assertIsOf(1, BYTES, store.of(1).orElseThrow());
    }

    @Test
    void ifAllAreDamagedThereIsNone() throws IOException {
        Files.delete(newest.resolve(Samples.STATE));
        Files.delete(checkpoints.resolve("step-000000001-save-1").resolve(Samples.WEIGHTS));
        List<String> complaints = new ArrayList<>();
        assertThat(new CheckpointStore(checkpoints, 2).newest(complaints::add)).isEmpty();
        assertThat(complaints).hasSize(2);
        assertThat(complaints.get(0)).contains(newest.toString(), Samples.STATE);
        assertThat(complaints.get(1)).contains("step-000000001-save-1", Samples.WEIGHTS);
    }

    private void assertNoBest() throws IOException {
        List<String> complaints = new ArrayList<>();
        assertThat(new CheckpointStore(checkpoints, 2).best(complaints::add)).isEmpty();
        assertThat(complaints)
                .singleElement()
                .asString()
                .contains(checkpoints.toString(), " is damaged and not used: ");
    }

    private void assertLie(String lines, String complaint) throws IOException {
        byte[] content = lines.getBytes(StandardCharsets.ISO_8859_1);
        byte[] end = ("the lines above: " + Checksum.of(content) + "\n").getBytes(StandardCharsets.ISO_8859_1);
        Files.write(newest.resolve(Manifest.FILE), joined(content, end));
        assertPassedOver(complaint);
    }

    private void assertDamaged(String name, byte[] content) throws IOException {
        Files.write(newest.resolve(name), content);
        assertPassedOver(name + " ");
    }

    private void assertPassedOver(String complaint) throws IOException {
        List<String> complaints = new ArrayList<>();
        Checkpoint found =
                new CheckpointStore(checkpoints, 2).newest(complaints::add).orElseThrow();
        assertThat(found.step()).isEqualTo(1);
        assertThat(complaints)
                .singleElement()
                .asString()
                .startsWith("the checkpoint " + newest + " is damaged and not used: ")
                .contains(complaint);
    }

    private static void deleteTree(Path tree) throws IOException {
        for (String file : FILES) {
            Files.delete(tree.resolve(file));
        }
        Files.delete(tree);
    }

    private byte[] flipped(byte[] content, int index) {
        byte[] flipped = content.clone();
        flipped[index] ^= (byte) (1 << random.nextInt(8));
        return flipped;
    }

    private static byte[] joined(byte[] a, byte[] b) {
        byte[] joined = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, joined, a.length, b.length);
        return joined;
    }
}
