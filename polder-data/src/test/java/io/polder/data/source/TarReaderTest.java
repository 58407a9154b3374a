package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TarReaderTest {
    private static final int MOST_BYTES = 1 << 20;
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);

    @Test
    void filesComeInTheirOrderWithTheirContents() throws IOException {
        byte[] block = new byte[TarWriter.BLOCK];
        Arrays.fill(block, (byte) 7);
        var archive = new TarWriter()
                .entry("folder/", '5', 0, new byte[0])
                .file("folder/hello", HELLO)
                .file("empty", new byte[0])
                .file("block", block)
                .entry("old", '\0', 5, HELLO);
        Map<String, byte[]> files = files(archive.tar());
        assertThat(files.keySet()).containsExactly("folder/hello", "empty", "block", "old");
        assertThat(files.get("folder/hello")).isEqualTo(HELLO);
        assertThat(files.get("empty")).isEmpty();
        assertThat(files.get("block")).isEqualTo(block);
        assertThat(files.get("old")).isEqualTo(HELLO);
    }

    @Test
    void contentsThatNobodyReadsAreSkipped() throws IOException {
        TarReader reader = reader(new ByteArrayInputStream(
                new TarWriter().file("a", HELLO).file("b", HELLO).tar()));
        reader.next().contents().read();
        assertThat(reader.next().name()).isEqualTo("b");
        assertThat(reader.next()).isNull();
    }

    @Test
    void aLongNameIsPutTogether() throws IOException {
        byte[] archive = new TarWriter().file("name", HELLO).tar();
        TarWriter.put(archive, 345, "some/folder");
        TarWriter.seal(archive, 0);
        assertThat(files(archive)).containsOnlyKeys("some/folder/name");
        // GNU's archives have other things in that place.
        TarWriter.put(archive, 257, "ustar  \0");
        TarWriter.seal(archive, 0);
        assertThat(files(archive)).containsOnlyKeys("name");
    }

    @Test
    void notesOnTimesAndOwnersArePassedOver() throws IOException {
        byte[] note = "30 mtime=1244073600.123456789\n".getBytes(StandardCharsets.UTF_8);
        var archive = new TarWriter()
                .entry("PaxHeaders/hello", 'x', note.length, note)
                .file("hello", HELLO);
        assertThat(files(archive.tar())).containsOnlyKeys("hello");
    }

    @Test
    void aLongRowOfNotesIsPassedOverToo() throws IOException {
        var archive = new TarWriter();
        for (int i = 0; i < 20_000; i++) {
            archive.entry("note", 'x', 0, new byte[0]);
        }
        byte[] tar = archive.file("hello", HELLO).tar();
        assertThat(new TarReader(new ByteArrayInputStream(tar), "the-archive", tar.length)
                        .next()
                        .name())
                .isEqualTo("hello");
    }

    @Test
    void everyBitThatFlipsInAHeaderIsRefused() {
        byte[] archive = new TarWriter().file("hello", HELLO).tar();
        int harmless = 0;
        for (int bit = 0; bit < 8 * TarWriter.BLOCK; bit++) {
            byte[] damaged = archive.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                assertThat(files(damaged)).containsOnlyKeys("hello");
                harmless++;
            } catch (IOException e) {
                assertThat(e)
                        .as("bit %d", bit)
                        .hasMessage("the-archive is no tar archive or has a damaged header before byte 512: "
                                + "fetch it again");
            }
        }
        // Of the checksum's own eight bytes, which are not summed, the first nought and the byte that ends the digits
        // may become spaces, and the space after that a byte of zeros.
        assertThat(harmless).isEqualTo(3);
    }

    @Test
    void aSizeThatIsNotOctalIsRefused() {
        // The third is how GNU writes sizes beyond 8 GB, the last is negative.
        for (String size : new String[] {"0000000000x", "           ", "\u0080\0\0\0\0\0\0\0\0\0\0", "-0000000005"}) {
            byte[] archive = new TarWriter().file("hello", HELLO).tar();
            System.arraycopy(size.getBytes(StandardCharsets.ISO_8859_1), 0, archive, 124, 11);
            TarWriter.seal(archive, 0);
            assertThatIOException()
                    .isThrownBy(() -> files(archive))
                    .withMessageStartingWith("the-archive is no tar archive or has a damaged header");
        }
    }

    @Test
    void everyCutIsAFault() {
        byte[] archive = new TarWriter().file("hello", HELLO).withoutEnd();
        for (int length = 0; length <= archive.length; length++) {
            byte[] cut = Arrays.copyOf(archive, length);
            assertThatIOException()
                    .as("first %d of %d bytes", length, archive.length)
                    .isThrownBy(() -> files(cut))
                    .withMessageStartingWith("the-archive is cut short");
        }
        assertThatIOException()
                .isThrownBy(() -> files(Arrays.copyOf(archive, TarWriter.BLOCK + 2)))
                .withMessage("the-archive is cut short: 3 bytes of hello are missing; fetch it again");
    }

    @Test
    void anEntryLargerThanItPromisesIsNoArchive() {
        byte[] contents = new byte[3 * TarWriter.BLOCK];
        Arrays.fill(contents, (byte) 1);
        assertThatIOException()
                .isThrownBy(() ->
                        files(new TarWriter().entry("larger", '0', 5, contents).tar()))
                .withMessage("the-archive is no tar archive or has a damaged header before byte 1536: fetch it again");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/passwd", "../up", "a/../../up", "a/..", "..", "..\\up", "\\up", "C:\\up", "c:up"})
    void aNameThatLeadsElsewhereIsRefused(String name) {
        assertThatIOException()
                .isThrownBy(() -> files(new TarWriter().file(name, HELLO).tar()))
                .withMessage("the-archive has a file that would be unpacked elsewhere, " + name
                        + ": do not trust it, give another archive");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..a", "a..", "a..b/c", "./a", "..."})
    void aNameWithDotsThatLeadsNowhereElseIsTaken(String name) throws IOException {
        assertThat(files(new TarWriter().file(name, HELLO).tar())).containsOnlyKeys(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two\nlines", "\u001b[2J"})
    void aNameThatWouldSpoilAMessageIsRefusedUnseen(String name) {
        assertThatIOException()
                .isThrownBy(() -> files(new TarWriter().file(name, HELLO).tar()))
                .withMessage("the-archive is no tar archive or has a damaged header before byte 512: fetch it again");
    }

    @Test
    void linksAndDevicesAreRefused() {
        for (char type : new char[] {'1', '2'}) {
            assertThatIOException()
                    .isThrownBy(() -> files(
                            new TarWriter().entry("it", type, 0, new byte[0]).tar()))
                    .withMessage("the-archive has a link, it: unpack it where links do no harm and give the directory");
        }
        for (char type : new char[] {'3', '4', '6', '7', 'L', 'S', '?'}) {
            assertThatIOException()
                    .isThrownBy(() -> files(
                            new TarWriter().entry("it", type, 0, new byte[0]).tar()))
                    .withMessage("the-archive has it, neither file nor directory: unpack it and give the directory");
        }
    }

    @Test
    void aPromiseBeyondTheBoundIsRefusedBeforeItIsRead() {
        for (long promised : new long[] {MOST_BYTES, 1L << 31, (1L << 33) - 1}) {
            byte[] header =
                    new TarWriter().entry("bomb", '0', promised, new byte[0]).withoutEnd();
            // Whoever reads on meets an exception of another kind.
            InputStream stream = new SequenceInputStream(new ByteArrayInputStream(header), new InputStream() {
                @Override
                public int read() {
                    throw new AssertionError("read on after the header");
                }
            });
            assertThatIOException()
                    .isThrownBy(() -> reader(stream).next())
                    .withMessage("the-archive promises " + promised
                            + " bytes of bomb, too many for an archive of at most 1048576: give another archive");
        }
    }

    @Test
    void anArchiveWithoutEndIsLeftAtTheBound() {
        for (byte[] beginning :
                new byte[][] {{}, new TarWriter().file("hello", HELLO).withoutEnd()}) {
            InputStream zeros = new InputStream() {
                @Override
                public int read() {
                    return 0;
                }
            };
            assertThatIOException()
                    .isThrownBy(() -> files(new SequenceInputStream(new ByteArrayInputStream(beginning), zeros)))
                    .withMessage("the-archive goes on after 1048576 bytes: give another archive");
        }
    }

    @Test
    void endlessFilesWithoutBytesAreLeftAtTheBoundToo() {
        byte[] header = new TarWriter().file("nothing", new byte[0]).withoutEnd();
        InputStream headers = new InputStream() {
            private int next;

            @Override
            public int read() {
                return header[next++ % header.length];
            }
        };
        assertThatIOException()
                .isThrownBy(() -> files(headers))
                .withMessage("the-archive goes on after 1048576 bytes: give another archive");
    }

    @Test
    void aPromiseAllocatesNothing() {
        byte[] archive =
                new TarWriter().entry("promise", '0', 150_000_000, HELLO).withoutEnd();
        TarReader reader = new TarReader(new ByteArrayInputStream(archive), "the-archive", 200_000_000);
        var memory = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = memory.getCurrentThreadAllocatedBytes();
        assertThatIOException()
                .isThrownBy(() -> reader.next().contents().readAllBytes())
                .withMessageContaining("is cut short");
        assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(16 << 20);
    }

    private static Map<String, byte[]> files(byte[] archive) throws IOException {
        return files(new ByteArrayInputStream(archive));
    }

    private static Map<String, byte[]> files(InputStream archive) throws IOException {
        TarReader reader = reader(archive);
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (TarReader.Entry entry = reader.next(); entry != null; entry = reader.next()) {
            files.put(entry.name(), entry.contents().readAllBytes());
        }
        return files;
    }

    private static TarReader reader(InputStream archive) {
        return new TarReader(archive, "the-archive", MOST_BYTES);
    }
}
