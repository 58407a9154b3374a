package io.polder.study;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One tab of a headless Chromium, driven by its DevTools protocol. Closing it ends the process and removes its profile. */
public final class Browser implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 300;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path profile;
    private final Process process;
    private final WebSocket socket;
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private volatile CompletableFuture<Void> loaded = new CompletableFuture<>();
    private int lastId;

    private Browser(Path executable) throws Exception {
        profile = Files.createTempDirectory("polder-chromium");
        process = new ProcessBuilder(
                        executable.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(tab(port()), new Listener())
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
                call(domain + ".enable", Map.of());
            }
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    /** Where no Chromium is on the path, the tests that want one are skipped. */
    public static Browser start() throws Exception {
        Optional<Path> executable = Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(executable.isPresent(), "No Chromium on the path; on Debian: apt install chromium");
        return new Browser(executable.get());
    }

    /** Lays pages out as this screen does, in the colours it prefers. */
    public void use(Screen screen) throws Exception {
        boolean phone = screen.isPhone();
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        screen.width,
                        "height",
                        screen.height,
                        "deviceScaleFactor",
                        phone ? 2 : 1,
                        "mobile",
                        phone));
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", screen.scheme))));
    }

    public void open(Path file) throws Exception {
        open(file.toUri());
    }

    /** From here on complaints and requests are those of the new page. */
    public void open(URI address) throws Exception {
        events.clear();
        loaded = new CompletableFuture<>();
        call("Page.navigate", Map.of("url", address.toString()));
        loaded.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** The value of an expression, which must be one that JSON can hold. */
    public JsonNode evaluate(String expression) throws Exception {
        JsonNode answer = call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
        if (answer.has("exceptionDetails")) {
            throw new IllegalStateException(answer.get("exceptionDetails").toString());
        }
        return answer.get("result").required("value");
    }

    public void movePointer(double x, double y) throws Exception {
        call("Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", x, "y", y));
    }

    /** To the left edge of a chart's plot, which is its first epoch. */
    public void pointAtFirstEpoch(String svg) throws Exception {
        JsonNode box = evaluate("(e => { e.scrollIntoView(); const b = e.getBoundingClientRect();"
                + " return [b.left, b.top, b.width]; })(document.querySelector('" + svg + "'))");
        movePointer(
                box.get(0).doubleValue() + 0.11 * box.get(2).doubleValue(),
                box.get(1).doubleValue() + 80);
    }

    /** The whole page, however long, into {@code target/screenshots}. */
    public void screenshot(String name) throws Exception {
        Path file = Path.of("target", "screenshots", name + ".png");
        JsonNode answer = call("Page.captureScreenshot", Map.of("captureBeyondViewport", true));
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(answer.get("data").textValue()));
    }

    public List<String> requestedAddresses() {
        return parameters("Network.requestWillBeSent")
                .map(event -> event.at("/request/url").textValue())
                .toList();
    }

    public List<String> complaints() {
        return Stream.of("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
                .flatMap(this::parameters)
                .map(JsonNode::toString)
                .toList();
    }

    @Override
    public void close() throws IOException {
        List<ProcessHandle> family = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        family.forEach(ProcessHandle::destroyForcibly);
        // Until the last of them is gone, one may still write to the profile.
        family.forEach(member -> member.onExit().join());
        try (Stream<Path> files = Files.walk(profile)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private int port() throws Exception {
        Path announcement = profile.resolve("DevToolsActivePort");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() < deadline && process.isAlive()) {
            if (Files.exists(announcement) && Files.size(announcement) > 0) {
                return Integer.parseInt(Files.readAllLines(announcement).get(0));
            }
            Thread.sleep(50);
        }
        throw new IOException("Chromium announced no DevTools port");
    }

    private static URI tab(int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
                .PUT(HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return URI.create(
                JSON.readTree(response.body()).get("webSocketDebuggerUrl").textValue());
    }

    private JsonNode call(String method, Map<String, ?> parameters) throws Exception {
        int id = ++lastId;
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        socket.sendText(message.toString(), true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        JsonNode reply = answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (reply.has("error")) {
            throw new IllegalStateException(method + ": " + reply.get("error"));
        }
        return reply.get("result");
    }

    private Stream<JsonNode> parameters(String method) {
        return events.stream()
                .filter(event -> event.get("method").textValue().equals(method))
                .map(event -> event.get("params"));
    }

    private void receive(JsonNode message) {
        if (message.has("id")) {
            answers.remove(message.get("id").intValue()).complete(message);
            return;
        }
        events.add(message);
        if (message.get("method").textValue().equals("Page.loadEventFired")) {
            loaded.complete(null);
        }
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder partial = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            partial.append(data);
            if (last) {
                try {
                    receive(JSON.readTree(partial.toString()));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                } finally {
                    partial.setLength(0);
                }
            }
            return WebSocket.Listener.super.onText(webSocket, data, last);
        }
    }
}
