package io.polder.spark;

import io.polder.study.trial.TrialCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A worker's process on this node, whose lines go to the driver. */
final class RankProcess implements AutoCloseable {
    /** Saving takes seconds; one that takes longer to end is stuck. Less than Spark's driver waits for it. */
    private static final long SECONDS_TO_STOP = 120;

    private final Process process;
    private final List<Thread> readers = new ArrayList<>();

    private RankProcess(Process process) {
        this.process = process;
    }

    static RankProcess start(int rank, TrialCommand command, List<String> arguments, Map<String, String> environment)
            throws IOException {
        List<String> words = new ArrayList<>(command.words());
        words.addAll(arguments);
        var builder = new ProcessBuilder(words);
        command.environment().forEach(builder.environment()::putIfAbsent);
        builder.environment().putAll(environment);
        if (rank > 0) {
            builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        }
        var started = new RankProcess(builder.start());
        if (rank == 0) {
            started.read(started.process.getInputStream(), rank, RankVoice.Kind.OUTPUT);
        }
        started.read(started.process.getErrorStream(), rank, RankVoice.Kind.ERRORS);
        return started;
    }

    /** In a thread of its own: that of a task that is killed is interrupted, and last words matter most. */
    private void read(InputStream stream, int rank, RankVoice.Kind kind) {
        var reader = new Thread(() -> {
            try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    RankVoice.say(rank, kind, line);
                }
            } catch (IOException e) {
                // The process has ended.
            }
        });
        reader.setDaemon(true);
        reader.start();
        readers.add(reader);
    }

    /** @return its exit code; all that it said has been heard then */
    int waitFor() throws InterruptedException {
        int code = process.waitFor();
        for (Thread reader : readers) {
            reader.join();
        }
        return code;
    }

    /** Tells it to save the run and end. Returns at once. */
    void stop() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended already.
        }
    }

    /** Tells it to stop and waits for it, whatever interrupts; if it does not it is killed. */
    @Override
    public void close() {
        stop();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_STOP);
        boolean interrupted = false;
        boolean over = false;
        while (!over) {
            try {
                if (!process.waitFor(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly();
                }
                waitFor();
                over = true;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
