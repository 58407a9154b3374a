package io.polder.watch;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polder.study.RunSnapshot;
import io.polder.study.RunsPage;
import io.polder.study.page.Html;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
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

    /** Of every answer; it ends the head. */
    private static final String HEADERS = String.join(
            "\r\n",
            "Content-Security-Policy: " + POLICY,
            "X-Content-Type-Options: nosniff",
            "X-Frame-Options: DENY",
            "Referrer-Policy: no-referrer",
            "Cross-Origin-Resource-Policy: same-origin",
            "Cross-Origin-Opener-Policy: same-origin",
            "Cache-Control: no-store",
            "Connection: close",
            "",
            "");

    private static final JsonMapper JSON = new JsonMapper();

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
                    Page.of("text/css; charset=utf-8", Html.style() + Html.resource(WatchServer.class, "watch.css")),
            "watch.js",
                    Page.of(
                            "text/javascript; charset=utf-8",
                            Html.script() + Html.resource(WatchServer.class, "watch.js")));
    private final RequestReader requests;
    private final Set<String> hosts;
    private final ExecutorService threads;
    private final Thread poller = new Thread(this::poll, "polder-watch");

    private WatchServer(List<Path> directories, int port) throws IOException {
        runs = new WatchedRuns(directories);
        requests = new RequestReader(port, this::accept);
        hosts = Set.of("127.0.0.1:" + requests.port(), "localhost:" + requests.port());
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(256), WatchServer::daemon);
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
        watch.requests.start();
        return watch;
    }

    /** What to open in a browser. Whoever has it can see the runs. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + requests.port() + "/" + token + "/");
    }

    @Override
    public void close() {
        poller.interrupt();
        requests.close();
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
                        ? "No run has begun in " + runs.where() + " yet."
                        : runs.tooMany() ? "There are more runs; these are the first " + snapshots.size() + "." : "");
        try {
            return JSON.writeValueAsString(edition);
        } catch (IOException e) {
            throw new IllegalStateException(e); // never: it is all text
        }
    }

    private void accept(String head, SocketChannel connection) {
        try {
            threads.execute(() -> {
                try (connection) {
                    answer(head, connection);
                } catch (IOException e) {
                    // The browser is gone.
                }
            });
        } catch (RejectedExecutionException e) {
            RequestReader.close(connection); // there is no room, and the browser asks again; or all is closed
        }
    }

    private void answer(String head, SocketChannel connection) throws IOException {
        Optional<Request> read = Request.of(head);
        if (read.isEmpty()) {
            refuse(connection, "400 Bad Request", "This is no request, or one of more than eight kilobytes.");
            return;
        }
        Request request = read.get();
        String[] path = request.path().split("/", 3);
        if (request.hosts().size() != 1 || !hosts.contains(request.hosts().get(0))) {
            refuse(connection, "403 Forbidden", "This server answers to 127.0.0.1 alone.");
        } else if (path.length < 3 || !isToken(path[1])) {
            refuse(connection, "403 Forbidden", "The address lacks its token: open the one that polder watch printed.");
        } else if (!request.method().equals("GET")) {
            refuse(connection, "405 Method Not Allowed\r\nAllow: GET", "Only GET is answered.");
        } else if (path[2].equals("events")) {
            stream(connection);
        } else if (pages.containsKey(path[2])) {
            send(connection, "200 OK", pages.get(path[2]));
        } else {
            refuse(connection, "404 Not Found", "There is no such page.");
        }
    }

    /** In a time that does not tell how much of it was right. */
    private boolean isToken(String text) {
        return MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /** Server-sent events: each edition whole, so that a browser may come, miss some, and come again. */
    private void stream(SocketChannel connection) throws IOException {
        if (!windows.tryAcquire()) {
            refuse(connection, "503 Service Unavailable", "Too many windows show this page: close one.");
            return;
        }
        try {
            write(connection, head("200 OK", "text/event-stream; charset=utf-8"));
            long seen = 0;
            while (true) {
                Publication.Edition edition = publication.await(seen, KEEP_ALIVE_MILLISECONDS);
                // A comment where there is no news: writing is how a closed window is noticed.
                String message = edition.number() > seen ? "data: " + edition.text() + "\n\n" : ": still here\n\n";
                write(connection, message.getBytes(StandardCharsets.UTF_8));
                seen = edition.number();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        } finally {
            windows.release();
        }
    }

    private static void refuse(SocketChannel connection, String status, String sentence) throws IOException {
        send(connection, status, Page.of("text/plain; charset=utf-8", sentence + "\n"));
    }

    /** Each connection has one answer, and its end is the end of that. */
    private static void send(SocketChannel connection, String status, Page page) throws IOException {
        String length = "\r\nContent-Length: " + page.content().length;
        write(connection, head(status + length, page.type()));
        write(connection, page.content());
        connection.shutdownOutput();
    }

    private static byte[] head(String status, String type) {
        return ("HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\n" + HEADERS)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static void write(SocketChannel connection, byte[] bytes) throws IOException {
        for (ByteBuffer left = ByteBuffer.wrap(bytes); left.hasRemaining(); ) {
            connection.write(left);
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
