package io.polder.study.trial;

import io.polder.files.Reason;
import io.polder.files.WholeFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs one trial as a process of its own on this machine: a crash of the engine takes it and nothing else.
 *
 * <p>The process is given the recipe on its standard input, which then stays open: when it closes, because it was told to stop or because
 * this process is no more, the trial saves its state and ends.
 */
public final class TrialProcess implements AutoCloseable {
    static final String LOG = "log";

    /** Saving a checkpoint takes seconds; a process that takes longer to end is stuck. */
    private static final long SECONDS_TO_STOP = 120;

    private static final int SIGNAL_BASE = 128;
    private static final int KILL = 9;
    private static final int LONGEST_REASON = 500;

    private final TrialTask task;
    private final Process process;
    private final long logStart;
    private volatile boolean told;

    private TrialProcess(TrialTask task, Process process, long logStart) {
        this.task = task;
        this.process = process;
        this.logStart = logStart;
    }

    /** @throws IOException a sentence, if no process can be started or the store cannot be written to */
    public static TrialProcess start(TrialTask task, TrialCommand command) throws IOException {
        Path directory = task.directory();
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new IOException(
                    "cannot make " + directory + " (" + Reason.of(e) + "): choose another store with --store", e);
        }
        List<String> words = new ArrayList<>(command.words());
        words.addAll(TrialMain.arguments(task));
        Path log = directory.resolve(LOG);
        long logStart = Files.isRegularFile(log) ? Files.size(log) : 0;
        var builder = new ProcessBuilder(words);
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        command.environment().forEach(builder.environment()::putIfAbsent);
        // Engine.setThreads decides. This only keeps the libraries from first starting a thread for each processor.
        builder.environment().put("OMP_NUM_THREADS", Integer.toString(task.threads()));
        Process process = builder.start();
        var trial = new TrialProcess(task, process, logStart);
        try {
            OutputStream input = process.getOutputStream();
            input.write((task.recipe() + "\n" + TrialMain.END_OF_RECIPE + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            // It has ended already: how, waitFor tells.
        }
        return trial;
    }

    public long pid() {
        return process.pid();
    }

    /** Waits for the end. An interrupt does not stop the trial: {@link #close()} does. */
    public TrialEnd waitFor() throws InterruptedException {
        int code = process.waitFor();
        if (told && code != TrialMain.FINISHED && code != TrialMain.BUSY) {
            return new TrialEnd(TrialEnd.Kind.STOPPED, "");
        }
        return switch (code) {
            case TrialMain.FINISHED -> new TrialEnd(TrialEnd.Kind.FINISHED, notes());
            case TrialMain.BUSY -> new TrialEnd(TrialEnd.Kind.BUSY, "");
            case TrialMain.REFUSED -> new TrialEnd(TrialEnd.Kind.REFUSED, lastWords("it failed without a word"));
            case TrialMain.UNSAVED ->
                new TrialEnd(
                        TrialEnd.Kind.UNSAVED,
                        lastWords("nothing can be written to " + task.directory() + WholeFile.MAKE_ROOM));
            case TrialMain.OUT_OF_MEMORY -> new TrialEnd(TrialEnd.Kind.OUT_OF_MEMORY, lastWords("memory ran out"));
            case TrialMain.STOPPED ->
                new TrialEnd(TrialEnd.Kind.CRASHED, "its process was told to stop by somebody else");
            case SIGNAL_BASE + KILL -> new TrialEnd(TrialEnd.Kind.OUT_OF_MEMORY, bySignal(KILL));
            default ->
                new TrialEnd(
                        TrialEnd.Kind.CRASHED,
                        code > SIGNAL_BASE
                                ? bySignal(code - SIGNAL_BASE)
                                : lastWords("its process ended with exit code " + code + " and without a word"));
        };
    }

    /** Tells the trial to save its state and end. Returns at once. */
    public void stop() {
        told = true;
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended already.
        }
    }

    /** Tells the trial to stop and waits for it; one that does not is killed. */
    @Override
    public void close() {
        stop();
        boolean interrupted = false;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_STOP);
        while (process.isAlive()) {
            try {
                if (!process.waitFor(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly();
                    end = Long.MAX_VALUE;
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static String bySignal(int signal) {
        return "its process was ended by signal " + signal
                + switch (signal) {
                    case 6 -> " (abort)";
                    case KILL -> " (kill; the system does so when memory runs out)";
                    case 11 -> " (segmentation fault)";
                    case 15 -> " (terminate)";
                    default -> "";
                };
    }

    /** The last line that {@link TrialMain} printed about an error, this time. */
    private String lastWords(String otherwise) {
        List<String> errors = printed(TrialMain.ERROR);
        return errors.isEmpty() ? otherwise : shortened(errors.get(errors.size() - 1));
    }

    private String notes() {
        return shortened(String.join("; ", printed(TrialMain.NOTE)));
    }

    private static String shortened(String words) {
        return words.substring(0, Math.min(LONGEST_REASON, words.length()));
    }

    /** The lines of this process, not of earlier ones, that begin so; without their beginning. */
    private List<String> printed(String beginning) {
        try (InputStream log = Files.newInputStream(task.directory().resolve(LOG))) {
            log.skipNBytes(logStart);
            // What is not UTF-8 is replaced: the engine may print anything.
            return new String(log.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(beginning))
                    .map(line -> line.substring(beginning.length()).strip())
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
