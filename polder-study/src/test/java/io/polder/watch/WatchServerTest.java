package io.polder.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.study.SampleRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server, by requests as bytes: what a browser would never send, others may. */
class WatchServerTest {
    @TempDir
    private Path folder;

    private WatchServer server;
    private int port;
    private String token;

    private record Answer(int code, Map<String, String> headers, String body) {}

    @BeforeEach
    void start() throws IOException {
        try (var run = SampleRun.begin(folder.resolve("run-1"))) {
            run.steps(100);
        }
        Files.writeString(folder.resolve("secret.txt"), "a secret of the disk");
        server = WatchServer.start(List.of(folder), 0);
        port = server.address().getPort();
        token = server.address().getPath().replace("/", "");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theAddressHas128RandomBitsAndIsNeverTheSame() throws IOException {
        assertThat(server.address().toString()).matches("http://127\\.0\\.0\\.1:\\d+/[0-9a-f]{32}/");
        try (var other = WatchServer.start(List.of(folder), 0)) {
            assertThat(other.address().getPath()).isNotEqualTo(server.address().getPath());
        }
    }

    @Test
    void withTheTokenThereAreFourPages() throws IOException {
        assertThat(get("/" + token + "/").body()).contains("<title>Polder</title>");
        assertThat(get("/" + token + "/watch.css").headers()).containsEntry("content-type", "text/css; charset=utf-8");
        assertThat(get("/" + token + "/watch.js").body()).contains("EventSource", "readOff");
        try (var window = window()) {
            // The title is set as text, the rest as HTML.
            String html = firstEdition(window).split("\"html\":")[1];
            assertThat(html).contains("wrn-16-2 &lt;cifar10&gt;", "<polyline").doesNotContain("<cifar10>");
        }
    }

    @Test
    void withoutTheTokenThereIsNothing() throws IOException {
        String nearly = token.substring(0, 31) + (token.endsWith("0") ? "1" : "0");
        for (String path : List.of(
                "/",
                "/events",
                "/watch.js",
                "/" + token, // without the slash after it
                "/" + token.substring(1) + "/",
                "/" + token + "0/",
                "/" + nearly + "/",
                "/" + nearly + "/events",
                "//" + token + "/",
                "/x/../" + token + "/",
                "/%00/",
                "/?" + token + "/")) {
            Answer answer = get(path);
            assertThat(answer.code()).as(path).isEqualTo(403);
            assertThat(answer.body()).startsWith("The address lacks its token").doesNotContain(token);
        }
    }

    @Test
    void aForeignNameThatPointsHereIsNotAnswered() throws IOException {
        for (String host : List.of(
                "Host: polder.example:" + port,
                "Host: 127.0.0.1",
                "Host: 127.0.0.1:" + (port + 1),
                "Host: 127.0.0.1:" + port + ".example",
                "Host: ",
                "X-Nothing: 1",
                "Host: 127.0.0.1:" + port + "\r\nHost: polder.example")) {
            Answer answer = send("GET /" + token + "/ HTTP/1.1", host);
            assertThat(answer.code()).as(host).isIn(400, 403);
            assertThat(answer.body()).doesNotContain("<title>");
        }
        assertThat(send("GET /" + token + "/ HTTP/1.1", "Host: localhost:" + port)
                        .code())
                .isEqualTo(200);
    }

    @Test
    void onlyGetIsAnswered() throws IOException {
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE")) {
            Answer answer = send(method + " /" + token + "/ HTTP/1.1", "Host: 127.0.0.1:" + port);
            assertThat(answer.code()).as(method).isEqualTo(405);
            assertThat(answer.headers()).containsEntry("allow", "GET");
            // And to whom it is none of their business, not even that.
            assertThat(send(method + " / HTTP/1.1", "Host: 127.0.0.1:" + port).code())
                    .isEqualTo(403);
        }
    }

    @Test
    void noPathLeadsToTheDisk() throws IOException {
        for (String path : List.of(
                "../secret.txt",
                "secret.txt",
                "%2e%2e/secret.txt",
                "..%2fsecret.txt",
                "run-1/metrics.jsonl",
                "run-1/run.json",
                "/etc/passwd",
                folder + "/secret.txt",
                "watch.html",
                "watch.css/",
                "watch.js%00",
                "runs/0")) {
            Answer answer = get("/" + token + "/" + path);
            assertThat(answer.code()).as(path).isEqualTo(404);
            assertThat(answer.body()).isEqualTo("There is no such page.\n");
        }
    }

    @Test
    void everyAnswerForbidsWhatThePageDoesNotNeed() throws IOException {
        for (String path : List.of("/", "/" + token + "/", "/" + token + "/watch.js", "/" + token + "/nothing")) {
            assertThat(get(path).headers())
                    .containsEntry(
                            "content-security-policy",
                            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
                                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
                    .containsEntry("x-content-type-options", "nosniff")
                    .containsEntry("x-frame-options", "DENY")
                    .containsEntry("referrer-policy", "no-referrer")
                    .containsEntry("cross-origin-resource-policy", "same-origin")
                    .containsEntry("cache-control", "no-store")
                    .doesNotContainKey("access-control-allow-origin");
        }
        String page = get("/" + token + "/").body();
        assertThat(page).doesNotContain("http:", "https:", "style=", "onload=").doesNotContain("<script>", "<style>");
    }

    @Test
    void otherMachinesCannotConnect() throws IOException {
        for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
            for (var address : network.inetAddresses().toList()) {
                if (address instanceof Inet4Address && !address.isLoopbackAddress()) {
                    assertThatThrownBy(() -> {
                                try (var socket = new Socket()) {
                                    socket.connect(new InetSocketAddress(address, port), 5_000);
                                }
                            })
                            .as(address.toString())
                            .isInstanceOf(ConnectException.class);
                }
            }
        }
    }

    @Test
    void aSeventeenthWindowIsTurnedAwayUntilAnotherCloses() throws Exception {
        List<Socket> windows = new ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                windows.add(window());
                assertThat(firstEdition(windows.get(i))).contains("wrn-16-2");
            }
            assertThat(get("/" + token + "/events").code()).isEqualTo(503);
            assertThat(get("/" + token + "/").code()).isEqualTo(200);

            windows.remove(0).close();
            // That a window is gone shows when something is sent to it.
            try (var run = SampleRun.resume(folder.resolve("run-1"), 100)) {
                long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
                String answer;
                do {
                    assertThat(System.nanoTime()).isLessThan(deadline);
                    run.steps(2);
                    Thread.sleep(200);
                    try (var again = window()) {
                        answer = new BufferedReader(
                                        new InputStreamReader(again.getInputStream(), StandardCharsets.UTF_8))
                                .readLine();
                    }
                } while (!answer.contains("200"));
            }
        } finally {
            for (Socket window : windows) {
                window.close();
            }
        }
    }

    /** The good one is answered while the others are still waited for, not after they were given up. */
    @Test
    void threeHundredHalfSentRequestsHoldUpNobody() throws IOException {
        List<Socket> halves = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                Socket half = connect();
                halves.add(half);
                half.getOutputStream().write("GET / HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.UTF_8));
            }
            assertThat(get("/" + token + "/").code()).isEqualTo(200);
            assertThat(get("/" + token + "/watch.js").code()).isEqualTo(200);
            for (Socket half : halves.subList(60, 300)) { // the oldest made room
                half.getOutputStream().write(("127.0.0.1:" + port + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
                assertThat(new String(half.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 403 ");
            }
            assertThat(halves.get(0).getInputStream().read()).as("the oldest").isEqualTo(-1);
        } finally {
            for (Socket half : halves) {
                half.close();
            }
        }
    }

    @Test
    void aRequestMayComeInPieces() throws Exception {
        try (var socket = connect()) {
            socket.setTcpNoDelay(true);
            for (byte one : ("GET /" + token + "/ HTTP/1.1\r\nhost:127.0.0.1:" + port + " \r\n\r\n")
                    .getBytes(StandardCharsets.UTF_8)) {
                socket.getOutputStream().write(one);
            }
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200 OK\r\n");
        }
    }

    @Test
    void whatIsNoRequestIsRefused() throws IOException {
        String host = "Host: 127.0.0.1:" + port;
        for (String request : List.of(
                "",
                "GET",
                "GET /",
                "GET /" + token + "/",
                "get / HTTP/1.1",
                "GET / HTTP/2.0",
                "GET  / HTTP/1.1",
                "\u0000")) {
            assertThat(send(request, host).code()).as(request).isEqualTo(400);
        }
        for (String header : List.of("no colon", " folded: x", "a name: x", ": x", host + "\r\n\tx")) {
            assertThat(send("GET /" + token + "/ HTTP/1.1", header).code())
                    .as(header)
                    .isEqualTo(400);
        }
        // Too long: whoever sends it is told so, or cut off while he sends on.
        try (var socket = connect()) {
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nX: " + "x".repeat(8192)).getBytes(StandardCharsets.UTF_8), 0, 8192);
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    @Test
    void wrongUseIsASentence() {
        assertThatThrownBy(() -> WatchServer.start(List.of(folder.resolve("none")), 0))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        folder.resolve("none") + " is not a directory: name that of a run, or one that contains some");
        assertThatThrownBy(() -> WatchServer.start(List.of(folder), 70_000))
                .hasMessage("port is 70000: it must be from 0 to 65535");
        assertThatThrownBy(() -> WatchServer.start(List.of(folder), port))
                .isInstanceOf(IOException.class)
                .hasMessage("port " + port + " is taken: choose another with --port, or leave it to Polder");
    }

    private Answer get(String path) throws IOException {
        return send("GET " + path + " HTTP/1.1", "Host: 127.0.0.1:" + port);
    }

    private Answer send(String request, String header) throws IOException {
        try (var socket = connect()) {
            socket.getOutputStream()
                    .write((request + "\r\n" + header + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String[] parts = answer.split("\r\n\r\n", 2);
            String[] lines = parts[0].split("\r\n");
            Map<String, String> headers = new TreeMap<>();
            for (int i = 1; i < lines.length; i++) {
                String[] field = lines[i].split(": ", 2);
                headers.put(field[0].toLowerCase(Locale.ROOT), field[1]);
            }
            return new Answer(Integer.parseInt(lines[0].split(" ")[1]), headers, parts.length < 2 ? "" : parts[1]);
        }
    }

    private Socket window() throws IOException {
        Socket socket = connect();
        socket.getOutputStream()
                .write(("GET /" + token + "/events HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n")
                        .getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static String firstEdition(Socket window) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(window.getInputStream(), StandardCharsets.UTF_8));
        String line = lines.readLine();
        while (line != null && !line.startsWith("data: ")) {
            line = lines.readLine();
        }
        return line;
    }

    private Socket connect() throws IOException {
        var socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(300_000);
        return socket;
    }
}
