package io.polder.watch;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.polder.study.Html;
import io.polder.study.RunSnapshot;
import io.polder.study.RunsPage;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Shows runs to a browser on this machine, read-only; the package's documentation says to whom. Memory, threads and
 * connections are bounded: of each run it keeps some thousand records, and it serves 16 windows.
 */
public final class WatchServer implements AutoCloseable {
    private static final int MOST_WINDOWS = 16;
    private static final int THREADS = MOST_WINDOWS + 8;
    private static final long POLL_MILLISECONDS = 500;

    /** States depend on the clock, too. */
    private static final int POLLS_WITHOUT_NEWS = 10;

    private static final long KEEP_ALIVE_MILLISECONDS = 10_000;

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final JsonMapper JSON = new JsonMapper();

    static {
        // The JDK's server waits for ever for the rest of a request, unless told so before its first use; seconds.
        if (System.getProperty("sun.net.httpserver.maxReqTime") == null) {
            System.setProperty("sun.net.httpserver.maxReqTime", "20");
        }
    }

    private record Page(String type, byte[] content) {
        static Page of(String type, String text) {
            return new Page(type, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private final String token = token();
    private final WatchedRuns runs;
    private final Publication publication = new Publication();
    private final Semaphore windows = new Semaphore(MOST_WINDOWS);
    private final Map<String, Page> pages = Map.of(
            "", Page.of("text/html; charset=utf-8", Html.resource(WatchServer.class, "watch.html")),
            "watch.css",
                    Page.of(
                            "text/css; charset=utf-8",
                            RunsPage.style() + Html.resource(WatchServer.class, "watch.css")),
            "watch.js",
                    Page.of(
                            "text/javascript; charset=utf-8",
                            RunsPage.script() + Html.resource(WatchServer.class, "watch.js")));
    private final HttpServer server;
    private final Set<String> hosts;
    private final ExecutorService threads;
    private final Thread poller = new Thread(this::poll, "polder-watch");

    private WatchServer(List<Path> directories, int port) throws IOException {
        runs = new WatchedRuns(directories);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 0);
        } catch (BindException e) {
            throw new IOException("port " + port + " is taken: choose another with --port, or leave it to Polder", e);
        }
        int bound = server.getAddress().getPort();
        hosts = Set.of("127.0.0.1:" + bound, "localhost:" + bound);
        // A request that finds no room is dropped; the browser asks again.
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(256),
                WatchServer::daemon,
                new ThreadPoolExecutor.DiscardPolicy());
        server.setExecutor(threads);
        server.createContext("/", this::answer);
    }

    /**
     * Starts to serve.
     *
     * @param directories each a run, or one that contains runs
     * @param port 0 for any that is free
     */
    public static WatchServer start(List<Path> directories, int port) throws IOException {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port is " + port + ": it must be from 0 to 65535");
        }
        var watch = new WatchServer(directories, port);
        watch.poller.setDaemon(true);
        watch.poller.start();
        watch.server.start();
        return watch;
    }

    /** What to open in a browser. Whoever has it can see the runs. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + token + "/");
    }

    @Override
    public void close() {
        poller.interrupt();
        server.stop(0);
        threads.shutdownNow();
    }

    /** Draws nothing while nobody looks: the cores are for the training. */
    private void poll() {
        boolean news = true;
        int quiet = 0;
        try {
            while (true) {
                news |= runs.poll();
                quiet++;
                boolean watched = windows.availablePermits() < MOST_WINDOWS;
                if (watched && (news || quiet >= POLLS_WITHOUT_NEWS)) {
                    publication.publish(edition());
                    news = false;
                    quiet = 0;
                }
                Thread.sleep(POLL_MILLISECONDS);
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private String edition() {
        List<RunSnapshot> snapshots = runs.snapshots();
        Map<String, String> edition = new LinkedHashMap<>();
        edition.put("title", snapshots.size() == 1 ? snapshots.get(0).name() : snapshots.size() + " runs");
        edition.put("html", snapshots.isEmpty() ? "" : RunsPage.html(snapshots, Instant.now()));
        edition.put(
                "note",
                snapshots.isEmpty()
                        ? "No run has begun yet."
                        : runs.tooMany() ? "There are more runs; these are the first " + snapshots.size() + "." : "");
        try {
            return JSON.writeValueAsString(edition);
        } catch (IOException e) {
            throw new IllegalStateException(e); // never: it is all text
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            secure(exchange.getResponseHeaders());
            List<String> host = exchange.getRequestHeaders().getOrDefault("Host", List.of());
            String[] path = exchange.getRequestURI().getRawPath().split("/", 3);
            if (host.size() != 1 || !hosts.contains(host.get(0))) {
                refuse(exchange, 403, "This server answers to 127.0.0.1 alone.");
            } else if (path.length < 3 || !isToken(path[1])) {
                refuse(exchange, 403, "The address lacks its token: open the one that polder watch printed.");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Allow", "GET");
                refuse(exchange, 405, "Only GET is answered.");
            } else if (path[2].equals("events")) {
                stream(exchange);
            } else if (pages.containsKey(path[2])) {
                Page page = pages.get(path[2]);
                send(exchange, 200, page.type(), page.content());
            } else {
                refuse(exchange, 404, "There is no such page.");
            }
        }
    }

    private static void secure(Headers headers) {
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cache-Control", "no-store");
    }

    /** In a time that does not tell how much of it was right. */
    private boolean isToken(String text) {
        return MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /** Server-sent events: each edition whole, so that a browser may come, miss some, and come again. */
    private void stream(HttpExchange exchange) throws IOException {
        if (!windows.tryAcquire()) {
            refuse(exchange, 503, "Too many windows show this page: close one.");
            return;
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            long seen = 0;
            while (true) {
                Publication.Edition edition = publication.await(seen, KEEP_ALIVE_MILLISECONDS);
                // A comment where there is no news: writing is how a closed window is noticed.
                String message = edition.number() > seen ? "data: " + edition.text() + "\n\n" : ": still here\n\n";
                body.write(message.getBytes(StandardCharsets.UTF_8));
                body.flush();
                seen = edition.number();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        } finally {
            windows.release();
        }
    }

    private static void refuse(HttpExchange exchange, int code, String sentence) throws IOException {
        send(exchange, code, "text/plain; charset=utf-8", (sentence + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int code, String type, byte[] content) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(code, exchange.getRequestMethod().equals("HEAD") ? -1 : content.length);
        if (!exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseBody().write(content);
        }
    }

    private static String token() {
        byte[] bits = new byte[16];
        new SecureRandom().nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(work, "polder-watch-window");
        thread.setDaemon(true);
        return thread;
    }
}
