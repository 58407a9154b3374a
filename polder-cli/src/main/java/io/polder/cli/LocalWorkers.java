package io.polder.cli;

import io.polder.distributed.Rendezvous;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine;

/**
 * Workers as processes of this machine, which this one starts, watches and ends: all of them, when one fails. What rank 0 prints is printed;
 * of the others it is what they say went wrong. A signal is passed on, upon which they save and stop.
 */
final class LocalWorkers {
    /** How long the others have to end by themselves, and say why, after one has failed: more than they take to notice. */
    private static final Duration GRACE = Duration.ofSeconds(20);

    /** How long they have to save the run after a signal, once one of them has ended: one that hangs would be waited for without end. */
    private static final Duration SAVING = Duration.ofMinutes(2);

    private static final long MILLISECONDS_BETWEEN_LOOKS = 50;
    private static final int SIGNALS = 128;

    /** What the engine prints when workers have found each other: nothing that was asked for. */
    private static final String ENGINES_GREETING = "[Gloo] Rank ";

    private final CommandLine command;
    private final int size;
    private final int threads;

    /** @param threads of all of them together */
    LocalWorkers(CommandLine command, int size, int threads) {
        this.command = command;
        this.size = size;
        this.threads = threads;
    }

    /**
     * Runs them to their end.
     *
     * @param arguments of each attempt: how to go on changes once something was saved
     * @return the exit code
     */
    int run(int restarts, Arguments arguments) throws IOException {
        try (var stop = StopOnSignal.noticing()) {
            for (int left = restarts; ; left--) {
                int code = attempt(arguments.now(), stop);
                if (code == 0 || code == Main.WRONG_USE || left == 0 || stop.isRequested()) {
                    return code;
                }
                say("starting the workers again, " + left + (left == 1 ? " time" : " times") + " at most");
            }
        }
    }

    /** Of a worker. */
    interface Arguments {
        List<String> now() throws IOException;
    }

    private int attempt(List<String> arguments, StopOnSignal stop) throws IOException {
        Path meeting = Files.createTempDirectory("polder-workers");
        Path file = meeting.resolve("rendezvous");
        List<Process> workers = new ArrayList<>();
        List<Thread> readers = new ArrayList<>();
        try {
            for (int rank = 0; rank < size; rank++) {
                Process worker = start(rank, file, arguments);
                workers.add(worker);
                String name = "rank " + rank + ": ";
                readers.add(reading(worker.getInputStream(), rank == 0 ? this::print : line -> {}));
                if (rank > 0) {
                    readers.add(reading(worker.getErrorStream(), line -> tell(name + line)));
                }
            }
            int code = await(workers, stop);
            for (Thread reader : readers) {
                reader.join();
            }
            return code;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Main.FAILED;
        } finally {
            workers.forEach(Process::destroyForcibly);
            Files.deleteIfExists(file);
            Files.deleteIfExists(meeting);
        }
    }

    private Process start(int rank, Path file, List<String> arguments) throws IOException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        words.addAll(arguments);
        var builder = new ProcessBuilder(words);
        if (rank == 0) {
            builder.redirectInput(ProcessBuilder.Redirect.INHERIT);
            builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        }
        var environment = builder.environment();
        environment.put("RANK", Integer.toString(rank));
        environment.put("LOCAL_RANK", Integer.toString(rank));
        environment.put("WORLD_SIZE", Integer.toString(size));
        environment.put("LOCAL_WORLD_SIZE", Integer.toString(size));
        environment.put(Rendezvous.FILE, file.toString());
        // The engine is told later; this keeps its libraries from first starting a thread for each processor.
        environment.put("OMP_NUM_THREADS", Integer.toString(Math.max(1, threads / size)));
        return builder.start();
    }

    private static Thread reading(InputStream stream, Consumer<String> use) {
        var thread = new Thread(() -> {
            try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    use.accept(line);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void print(String line) {
        if (!line.startsWith(ENGINES_GREETING)) {
            command.getOut().println(line);
            command.getOut().flush();
        }
    }

    private void say(String sentence) {
        tell("polder: " + sentence);
    }

    private synchronized void tell(String line) {
        PrintWriter screen = command.getErr();
        screen.println(line);
        screen.flush();
    }

    /** @return 0 where all came to a good end, else the exit code of the first that did not, or of rank 0, which says more */
    private int await(List<Process> workers, StopOnSignal stop) throws InterruptedException {
        boolean passedOn = false;
        Optional<Integer> failed = Optional.empty();
        Optional<Long> deadline = Optional.empty();
        while (workers.stream().anyMatch(Process::isAlive)) {
            if (stop.isRequested() && !passedOn) {
                workers.forEach(worker -> worker.toHandle().destroy()); // Process.destroy would close what it prints to
                passedOn = true;
            }
            if (failed.isEmpty() && !passedOn) {
                failed = firstFailed(workers);
                if (failed.isPresent()) {
                    deadline = Optional.of(System.nanoTime() + GRACE.toNanos());
                    say("rank " + failed.get() + " " + howItEnded(workers.get(failed.get())) + ", so the others end");
                }
            }
            if (passedOn && deadline.isEmpty() && !workers.stream().allMatch(Process::isAlive)) {
                deadline = Optional.of(System.nanoTime() + SAVING.toNanos());
            }
            if (deadline.isPresent() && System.nanoTime() - deadline.get() > 0) {
                workers.forEach(Process::destroyForcibly);
            }
            Thread.sleep(MILLISECONDS_BETWEEN_LOOKS);
        }
        if (passedOn) {
            return Main.FAILED; // the process ends with the signal's own code
        }
        if (failed.isEmpty()) {
            failed = firstFailed(workers);
        }
        return failed.map(
                        rank -> workers.get(0).exitValue() > 0 && workers.get(0).exitValue() < SIGNALS
                                ? workers.get(0).exitValue()
                                : Main.FAILED)
                .orElse(0);
    }

    private static Optional<Integer> firstFailed(List<Process> workers) {
        for (int rank = 0; rank < workers.size(); rank++) {
            if (!workers.get(rank).isAlive() && workers.get(rank).exitValue() != 0) {
                return Optional.of(rank);
            }
        }
        return Optional.empty();
    }

    private static String howItEnded(Process worker) {
        int code = worker.exitValue();
        return code > SIGNALS ? "was ended by signal " + (code - SIGNALS) : "failed with exit code " + code;
    }
}
