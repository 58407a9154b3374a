package io.polder.metrics;

import io.polder.files.CheckedJson;
import io.polder.files.WholeFile;
import io.polder.train.EpochMetrics;
import io.polder.train.StepMetrics;
import io.polder.train.TrainingListener;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes {@code metrics.jsonl} while a run goes on: every n-th step, each epoch, and events. Which steps are written depends on
 * their numbers alone, so a run that was interrupted and resumed ends with the same records as one that was not, but for the
 * fields of time and speed, and for the events, which say what happened.
 *
 * <p>A line is in the hands of the system when the call returns, and survives the end of the process; {@link #sync()} lets it
 * survive the end of the machine. A full disk does not stop a run: it is warned of once, and lines wait in memory, up to 4 MB of
 * them, until they can be written. Safe for several threads: a watchdog's events may come between the steps.
 */
public final class MetricsLog implements TrainingListener, AutoCloseable {
    private static final int LINES_AN_EPOCH = 20;

    private final GrowingFile file;
    private final long every;
    private final Clock clock;
    private volatile long stepsDone;

    private MetricsLog(GrowingFile file, long every, long stepsDone, Clock clock) {
        this.file = file;
        this.every = every;
        this.stepsDone = stepsDone;
        this.clock = clock;
    }

    /** So that an epoch has about twenty lines. */
    public static long everyFor(long stepsPerEpoch) {
        return Math.max(1, Math.round((double) stepsPerEpoch / LINES_AN_EPOCH));
    }

    /**
     * Begins a run's log; the file must not be there yet.
     *
     * @param every steps whose number is a multiple of it are written
     * @param warnings takes a sentence when lines cannot be written
     */
    public static MetricsLog create(Path file, long every, Consumer<String> warnings) throws IOException {
        return create(file, every, warnings, Clock.systemUTC());
    }

    static MetricsLog create(Path file, long every, Consumer<String> warnings, Clock clock) throws IOException {
        requireAtLeast1(every);
        Files.createFile(file);
        return append(file, every, 0, warnings, clock);
    }

    /**
     * Goes on with a run's log from a checkpoint: what was recorded after it will be recorded again and is cut, a torn last
     * line too. Events stay. The file is replaced whole, so that a reader never meets half of it; where there is none it
     * begins empty. Of what was damaged or is gone a sentence tells: it cannot be recorded again.
     *
     * @param steps done at the checkpoint: the next step has this number
     * @param epochs recorded at the checkpoint; the evaluation of the last one is among them
     */
    public static MetricsLog resume(Path file, long every, long steps, int epochs, Consumer<String> warnings)
            throws IOException {
        return resume(file, every, steps, epochs, warnings, Clock.systemUTC());
    }

    static MetricsLog resume(Path file, long every, long steps, int epochs, Consumer<String> warnings, Clock clock)
            throws IOException {
        requireAtLeast1(every);
        if (steps < 0 || epochs < 0) {
            throw new IllegalArgumentException(
                    "the position is step " + steps + ", epoch " + epochs + ": both must be at least 0");
        }
        var cut = new Cut(steps, epochs);
        if (Files.exists(file)) {
            WholeFile.write(file, draft -> cut.copy(file, draft));
        }
        cut.tell(file, warnings);
        return append(file, every, steps, warnings, clock);
    }

    /** Goes on after whatever is in the file. */
    static MetricsLog append(Path file, long every, long steps, Consumer<String> warnings, Clock clock)
            throws IOException {
        return new MetricsLog(new GrowingFile(file, warnings), every, steps, clock);
    }

    @Override
    public void onStep(StepMetrics metrics) {
        stepsDone = metrics.step() + 1;
        if (metrics.step() % every == 0) {
            write(new RunRecord.Step(metrics, now()));
        }
    }

    @Override
    public void onEpoch(EpochMetrics metrics) {
        write(new RunRecord.Epoch(metrics, stepsDone, now()));
    }

    /** @param what a word: "resumed", "diverged", "checkpoint" and so on */
    public void event(String what, String message) {
        write(new RunRecord.Event(what, stepsDone, message, now()));
    }

    /** Puts what was written onto the disk: call it before a checkpoint is declared whole. */
    public void sync() throws IOException {
        file.sync();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private double now() {
        return clock.millis() / 1000.0;
    }

    private void write(RunRecord record) {
        file.add((CheckedJson.with(JsonLine.encode(record)) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static void requireAtLeast1(long every) {
        if (every < 1) {
            throw new IllegalArgumentException("every is " + every + ": it must be at least 1");
        }
    }

    /** What a log keeps when its run goes on from a checkpoint. */
    private static final class Cut {
        private final long steps;
        private final int epochs;
        private final BitSet kept = new BitSet();
        private int damaged;

        Cut(long steps, int epochs) {
            this.steps = steps;
            this.epochs = epochs;
        }

        void copy(Path file, Path draft) throws IOException {
            try (InputStream from = new BufferedInputStream(Files.newInputStream(file));
                    OutputStream to = new BufferedOutputStream(Files.newOutputStream(draft))) {
                var line = new ByteArrayOutputStream();
                for (int next = from.read(); next >= 0; next = from.read()) {
                    if (line.size() <= MetricsTail.LONGEST_LINE) {
                        line.write(next);
                    }
                    if (next == '\n') {
                        if (keeps(line.toByteArray())) {
                            line.writeTo(to);
                        }
                        line.reset();
                    }
                }
            }
        }

        /** A damaged line is not kept; one of a kind that is not known is. */
        private boolean keeps(byte[] line) {
            try {
                Optional<RunRecord> record = JsonLine.decode(line);
                if (record.isPresent() && record.get() instanceof RunRecord.Step step) {
                    return step.metrics().step() < steps;
                } else if (record.isPresent() && record.get() instanceof RunRecord.Epoch epoch) {
                    return keeps(epoch.metrics().epoch());
                }
                return true;
            } catch (IOException e) {
                damaged++;
                return false;
            }
        }

        private boolean keeps(int epoch) {
            if (epoch <= epochs) {
                kept.set(epoch);
            }
            return epoch <= epochs;
        }

        void tell(Path file, Consumer<String> warnings) {
            if (damaged > 0) {
                warnings.accept(file + " had damaged lines, which are left out: " + damaged);
            }
            if (kept.cardinality() < epochs) {
                warnings.accept(file + " lacks " + (epochs - kept.cardinality()) + " of the " + epochs
                        + " epochs that were done: its curves will have a gap");
            }
        }
    }
}
