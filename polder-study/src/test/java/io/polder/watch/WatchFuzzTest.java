package io.polder.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.fuzz.Fuzz;
import io.polder.study.RunsPage;
import io.polder.study.SampleRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is sent to the page's server or happens to what it shows: it answers the next one, and nobody without the token. */
@Tag("slow")
class WatchFuzzTest {
    private static final int LONGEST_ANSWER = 1 << 20;

    @TempDir
    private Path folder;

    @BeforeEach
    void sample() throws IOException {
        try (var run = SampleRun.begin(folder.resolve("run-1"))) {
            run.steps(100);
        }
    }

    @Test
    void requests() throws Exception {
        try (var server = WatchServer.start(List.of(folder), 0)) {
            int port = server.address().getPort();
            String path = server.address().getPath();
            String host = " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n";
            String good = "GET " + path + host + "\r\n";
            assertThat(answer(port, good.getBytes(StandardCharsets.ISO_8859_1))).startsWith("HTTP/1.1 200");
            byte[][] seeds = {
                good.getBytes(StandardCharsets.ISO_8859_1),
                ("POST " + path + "watch.js" + host + "Content-Length: 5\r\n\r\nhello")
                        .getBytes(StandardCharsets.ISO_8859_1),
                ("HEAD /x/events" + host + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1)
            };
            Fuzz.of("requests to watch", seeds).oneCaseOf(6).refusedBy().run(bytes -> {
                String sent = new String(bytes, StandardCharsets.ISO_8859_1);
                String answer = answer(port, bytes);
                if (!sent.contains(path)) {
                    assertThat(answer).doesNotStartWith("HTTP/1.1 200");
                }
                return "";
            });
            assertThat(answer(port, good.getBytes(StandardCharsets.ISO_8859_1))).startsWith("HTTP/1.1 200");
        }
    }

    /** What comes before the server closes; empty where it only does that. */
    private static String answer(int port, byte[] request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            try {
                socket.getOutputStream().write(request);
                socket.shutdownOutput();
                return new String(socket.getInputStream().readNBytes(LONGEST_ANSWER), StandardCharsets.ISO_8859_1);
            } catch (SocketException e) {
                return ""; // closed before it had read everything
            }
        }
    }

    @Test
    void watchedRuns() throws Exception {
        var runs = new WatchedRuns(List.of(folder));
        for (String name : new String[] {"run.json", "metrics.jsonl"}) {
            Path file = folder.resolve("run-1").resolve(name);
            byte[] good = Files.readAllBytes(file);
            Fuzz.of("watched " + name, good).oneCaseOf(6).refusedBy().run(bytes -> {
                Files.write(file, bytes);
                runs.poll();
                return RunsPage.html(runs.snapshots(), Instant.EPOCH).length();
            });
            Files.write(file, good);
        }
    }
}
