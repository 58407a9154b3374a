package io.polder.watch;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Accepts connections on 127.0.0.1 and reads the head of one request from each, all of them on one thread that waits for none: who
 * sends half a request holds a few kilobytes for a while, and holds up nobody. Where too many do, the oldest are dropped. (The JDK's
 * own server gives each half of a request a thread until it times out.)
 */
final class RequestReader implements AutoCloseable {
    private static final int LARGEST_HEAD = 1 << 13;
    private static final int MOST_WAITING = 256;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

    /** Takes a head, and the connection to answer on, which blocks and is its to close. */
    interface Handler {
        /** @param head up to its empty line; empty if it was too large */
        void handle(String head, SocketChannel connection);
    }

    private final ServerSocketChannel server;
    private final Selector selector;
    private final Handler handler;
    private final Thread thread = new Thread(this::run, "polder-watch-requests");

    /** In the order in which they came. */
    private final Set<Half> waiting = new LinkedHashSet<>();

    private static final class Half {
        private final SocketChannel connection;
        private final ByteBuffer bytes = ByteBuffer.allocate(LARGEST_HEAD);
        private final long since = System.nanoTime();

        Half(SocketChannel connection) {
            this.connection = connection;
        }
    }

    /** @param port 0 for any that is free */
    RequestReader(int port, Handler handler) throws IOException {
        this.handler = handler;
        selector = Selector.open();
        server = ServerSocketChannel.open();
        try {
            server.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), MOST_WAITING);
            server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            server.close();
            selector.close();
            if (e instanceof BindException) {
                throw new IOException(
                        "port " + port + " is taken: choose another with --port, or leave it to Polder", e);
            }
            throw e;
        }
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    int port() {
        return server.socket().getLocalPort();
    }

    @Override
    public void close() {
        thread.interrupt(); // which wakes the selector, too
    }

    private void run() {
        try (selector;
                server) {
            while (!Thread.currentThread().isInterrupted()) {
                selector.select(1000);
                for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext(); ) {
                    SelectionKey key = keys.next();
                    keys.remove();
                    if (!key.isValid()) {
                        continue; // dropped in this round
                    } else if (key.attachment() instanceof Half half) {
                        read(key, half);
                    } else {
                        accept();
                    }
                }
                dropTheOldest();
            }
        } catch (IOException e) {
            // The selector or the server itself is broken: nothing can be accepted any more.
        } finally {
            waiting.forEach(half -> close(half.connection));
        }
    }

    private void accept() {
        try {
            SocketChannel connection = server.accept();
            if (connection != null) {
                var half = new Half(connection);
                connection.configureBlocking(false).register(selector, SelectionKey.OP_READ, half);
                waiting.add(half);
            }
        } catch (IOException e) {
            // It is gone again, or too many files are open for another: in a moment there may be fewer.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    private void read(SelectionKey key, Half half) {
        try {
            if (half.connection.read(half.bytes) < 0) {
                forget(half);
                return;
            }
            String text = new String(half.bytes.array(), 0, half.bytes.position(), StandardCharsets.ISO_8859_1);
            int end = text.indexOf("\r\n\r\n");
            if (end >= 0 || !half.bytes.hasRemaining()) {
                waiting.remove(half);
                key.cancel();
                half.connection.configureBlocking(true);
                handler.handle(end >= 0 ? text.substring(0, end) : "", half.connection);
            }
        } catch (IOException e) {
            forget(half);
        }
    }

    private void dropTheOldest() {
        for (Iterator<Half> oldest = waiting.iterator(); oldest.hasNext(); ) {
            Half half = oldest.next();
            if (waiting.size() <= MOST_WAITING && System.nanoTime() - half.since < PATIENCE) {
                return;
            }
            oldest.remove();
            close(half.connection);
        }
    }

    private void forget(Half half) {
        waiting.remove(half);
        close(half.connection);
    }

    static void close(SocketChannel connection) {
        try {
            connection.close();
        } catch (IOException e) {
            // Then it is gone as well.
        }
    }
}
