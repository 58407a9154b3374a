package io.polder.data.source;

import io.polder.files.Reason;
import io.polder.files.Sync;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.net.ConnectException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Timer;
import java.util.TimerTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file that its publisher has on the web, with the checksum it must have.
 *
 * @param md5 as published, in hexadecimal
 */
public record Download(String file, URI address, String md5) {
    /** Some times the size of any that is known: a server may send without end. */
    private static final long MOST_BYTES = 1L << 30;

    /** That bring nothing, one after the other. */
    private static final int ATTEMPTS = 5;

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern RANGE = Pattern.compile("bytes (\\d{1,15})-\\d+/(\\d{1,15})");

    /** Who is told how far it is. */
    @FunctionalInterface
    public interface Progress {
        /** @param all 0 where the server does not say */
        void at(long bytes, long all);
    }

    /** The same file in a directory of another server. */
    public Download from(URI directory) {
        return new Download(file, URI.create(directory + (directory.toString().endsWith("/") ? "" : "/") + file), md5);
    }

    /**
     * Fetches the file into a directory, unless it is there. What came of it before a fault or the end of the process is gone on from; the file has its name only
     * when it is whole and its checksum right.
     *
     * @return whether anything was fetched
     * @throws IOException in one sentence: what, where, what to do
     */
    public boolean fetch(Path directory, Progress progress) throws IOException, InterruptedException {
        Path target = directory.resolve(file);
        if (Files.exists(target)) {
            String found = md5Of(target);
            if (found.equals(md5)) {
                return false;
            }
            throw new IOException("%s is there and has MD5 %s where %s was published: remove it, and fetch it again"
                    .formatted(target, found, md5));
        }
        Files.createDirectories(directory);
        Path part = directory.resolve("." + file + ".part");
        try (var begun = new RandomAccessFile(part.toFile(), "rw");
                var lock = begun.getChannel().tryLock()) {
            if (lock == null) {
                throw new IOException("%s is being fetched by another process".formatted(target));
            }
            fetch(begun, progress);
            begun.getChannel().force(true);
            String found = md5Of(part);
            if (!found.equals(md5)) {
                Files.delete(part);
                throw new IOException(
                        "%s has MD5 %s where %s was published: it is another file, or was damaged on the way"
                                .formatted(address, found, md5));
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (OverlappingFileLockException e) {
            throw new IOException("%s is being fetched already".formatted(target), e);
        }
        Sync.directory(directory);
        return true;
    }

    private void fetch(RandomAccessFile begun, Progress progress) throws IOException, InterruptedException {
        var client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .proxy(Optional.ofNullable(ProxySelector.getDefault()).orElse(HttpClient.Builder.NO_PROXY))
                .build();
        for (int attempt = 1; ; attempt++) {
            long before = begun.length();
            try {
                if (attempt(client, begun, progress)) {
                    return;
                }
            } catch (Refused e) {
                throw new IOException(
                        "%s cannot be fetched (%s): give another address with --from, or fetch it by other means"
                                .formatted(address, e.getMessage()),
                        e);
            } catch (IOException e) {
                if (begun.length() > before) {
                    attempt = 0; // it gets on
                } else if (attempt == ATTEMPTS) {
                    String reason = e instanceof ConnectException ? "no connection" : Reason.of(e);
                    throw new IOException(
                            "%s cannot be fetched (%s): the same command goes on where it ended, after %d bytes"
                                    .formatted(address, reason, begun.length()),
                            e);
                }
                Thread.sleep(200L * attempt * attempt);
            }
        }
    }

    private static final class Refused extends IOException {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    /** @return false where what was there cannot be gone on from, and was thrown away */
    private boolean attempt(HttpClient client, RandomAccessFile begun, Progress progress)
            throws IOException, InterruptedException {
        long there = begun.length();
        var request = HttpRequest.newBuilder(address).timeout(PATIENCE);
        if (there > 0) {
            request.header("Range", "bytes=" + there + "-");
        }
        HttpResponse<InputStream> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            long all;
            switch (answer.statusCode()) {
                case 200 -> {
                    begun.setLength(0);
                    there = 0;
                    all = answer.headers().firstValueAsLong("Content-Length").orElse(0);
                }
                case 206 -> {
                    Matcher range = RANGE.matcher(
                            answer.headers().firstValue("Content-Range").orElse(""));
                    if (!range.matches() || Long.parseLong(range.group(1)) != there) {
                        begun.setLength(0);
                        return false;
                    }
                    all = Long.parseLong(range.group(2));
                }
                case 416 -> { // nothing follows: it is whole, or another file
                    return true;
                }
                case 408, 429, 500, 502, 503, 504 -> throw new IOException("HTTP " + answer.statusCode());
                default -> throw new Refused("HTTP " + answer.statusCode());
            }
            begun.seek(there);
            copy(body, begun, all, progress);
            if (all > 0 && begun.length() < all) {
                throw new IOException("the connection ended early");
            }
            return true;
        }
    }

    /** A server that falls silent is left. */
    private static void copy(InputStream body, RandomAccessFile to, long all, Progress progress) throws IOException {
        var timer = new Timer("polder-fetch", true);
        byte[] buffer = new byte[1 << 16];
        long[] last = {System.nanoTime()};
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        synchronized (last) {
                            if (System.nanoTime() - last[0] > PATIENCE.toNanos()) {
                                try {
                                    body.close();
                                } catch (IOException e) {
                                    // It is read no more.
                                }
                            }
                        }
                    }
                },
                1000,
                1000);
        try {
            for (int count; (count = body.read(buffer)) >= 0; ) {
                to.write(buffer, 0, count);
                synchronized (last) {
                    last[0] = System.nanoTime();
                }
                if (to.length() > MOST_BYTES) {
                    throw new Refused("more than " + MOST_BYTES + " bytes");
                }
                progress.at(to.length(), all);
            }
        } finally {
            timer.cancel();
        }
    }

    private static String md5Of(Path file) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
        try (InputStream stream = new DigestInputStream(Files.newInputStream(file), digest)) {
            stream.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
