package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files from a server of this machine, which may break off, know no ranges or have another file. */
class DownloadTest {
    private static final byte[] FILE = new byte[300_000];

    static {
        new Random(3).nextBytes(FILE);
    }

    @TempDir
    private Path directory;

    private HttpServer server;
    private final List<String> ranges = new CopyOnWriteArrayList<>();
    private byte[] served = FILE;
    private int breakOffAfter = Integer.MAX_VALUE;
    private boolean knowsRanges = true;
    private int status;
    private Download download;

    @BeforeEach
    void serve() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/files/set.tar.gz", this::answer);
        server.start();
        String md5 = HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(FILE));
        download = new Download("set.tar.gz", URI.create("http://publisher.invalid/set.tar.gz"), md5)
                .from(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/files"));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void cifarIsWhereItsPageIs() {
        assertThat(Datasets.download("cifar10").orElseThrow().address())
                .hasToString("https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz");
        assertThat(Datasets.download("cifar100-coarse").orElseThrow().address())
                .hasToString("https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz");
        assertThat(Datasets.download("mnist")).isEmpty();
    }

    @Test
    void theFileIsFetchedOnceAndItsProgressTold() throws Exception {
        List<Long> told = new ArrayList<>();
        assertThat(download.fetch(directory, (bytes, all) -> told.add(all == FILE.length ? bytes : -1)))
                .isTrue();
        assertThat(directory.resolve("set.tar.gz")).hasBinaryContent(FILE);
        assertThat(told).isSorted().endsWith((long) FILE.length).doesNotContain(-1L);
        assertThat(download.fetch(directory, (bytes, all) -> {})).isFalse();
        assertThat(ranges).containsExactly("none");
        assertNothingElse("set.tar.gz");
    }

    @Test
    void aConnectionThatBreaksOffIsGoneOnFrom() throws Exception {
        breakOffAfter = 100_000;
        assertThat(download.fetch(directory, (bytes, all) -> {})).isTrue();
        assertThat(directory.resolve("set.tar.gz")).hasBinaryContent(FILE);
        assertThat(ranges).hasSizeGreaterThan(1);
        assertThat(ranges.get(0)).isEqualTo("none");
        assertThat(ranges.get(1)).startsWith("bytes=").isNotEqualTo("bytes=0-");
    }

    @Test
    void whatAnEarlierCommandLeftIsGoneOnFromOrBegunAgainWhereThereAreNoRanges() throws Exception {
        Files.write(directory.resolve(".set.tar.gz.part"), Arrays.copyOf(FILE, 250_000));
        download.fetch(directory, (bytes, all) -> {});
        assertThat(directory.resolve("set.tar.gz")).hasBinaryContent(FILE);
        assertThat(ranges).containsExactly("bytes=250000-");
        Files.delete(directory.resolve("set.tar.gz"));
        knowsRanges = false;
        Files.write(directory.resolve(".set.tar.gz.part"), new byte[1000]);
        download.fetch(directory, (bytes, all) -> {});
        assertThat(directory.resolve("set.tar.gz")).hasBinaryContent(FILE);
        Files.delete(directory.resolve("set.tar.gz"));
        knowsRanges = true;
        Files.write(directory.resolve(".set.tar.gz.part"), FILE); // killed before it was given its name
        download.fetch(directory, (bytes, all) -> {});
        assertThat(directory.resolve("set.tar.gz")).hasBinaryContent(FILE);
    }

    @Test
    void anotherFileIsNotGivenTheName() throws Exception {
        served = new byte[5];
        assertThatIOException()
                .isThrownBy(() -> download.fetch(directory, (bytes, all) -> {}))
                .withMessageContaining("where " + download.md5() + " was published: it is another file");
        assertNothingElse();
        Files.write(directory.resolve("set.tar.gz"), new byte[9]);
        assertThatIOException()
                .isThrownBy(() -> download.fetch(directory, (bytes, all) -> {}))
                .withMessageEndingWith("remove it, and fetch it again");
        assertThat(directory.resolve("set.tar.gz")).hasSize(9);
    }

    @Test
    void aServerThatRefusesIsASentence() {
        status = 404;
        assertThatIOException()
                .isThrownBy(() -> download.fetch(directory, (bytes, all) -> {}))
                .withMessage(
                        download.address()
                                + " cannot be fetched (HTTP 404): give another address with --from, or fetch it by other means");
    }

    private void assertNothingElse(String... names) throws IOException {
        try (var files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly(names);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(300);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Range");
        ranges.add(range == null ? "none" : range);
        if (status > 0) {
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
            return;
        }
        int from = range == null || !knowsRanges ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
        if (from >= served.length) {
            exchange.sendResponseHeaders(416, -1);
            exchange.close();
            return;
        }
        if (from > 0) {
            exchange.getResponseHeaders()
                    .add("Content-Range", "bytes %d-%d/%d".formatted(from, served.length - 1, served.length));
        }
        exchange.sendResponseHeaders(from > 0 ? 206 : 200, served.length - from);
        int count = Math.min(served.length - from, breakOffAfter);
        exchange.getResponseBody().write(served, from, count);
        exchange.getResponseBody().flush();
        if (count < served.length - from) {
            pause(); // until it was read: what has not been is lost with the connection
        }
        exchange.close(); // which breaks off where that was not all
    }
}
