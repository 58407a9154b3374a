package io.polder.metrics;

import io.polder.train.EpochMetrics;
import io.polder.train.StepMetrics;
import io.polder.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a run's figures as an event file that TensorBoard reads: {@code tensorboard --logdir} of the run directory, or of the
 * one above it. Figures of the test images stand at the last step of their epoch.
 *
 * <p>A resumed run gets a file of its own, which begins with the mark by which TensorBoard forgets what earlier files have
 * from that step on. A full disk does not stop a run; see {@link MetricsLog}, whose steps these are, too.
 */
public final class TensorBoardEvents implements TrainingListener, AutoCloseable {
    /** TensorBoard reads the files of a directory in the order of their names, and takes the number for seconds. */
    private static final Pattern NAME = Pattern.compile("events\\.out\\.tfevents\\.(\\d{10})\\.polder");

    private final GrowingFile file;
    private final long every;
    private final Clock clock;
    private long lastStep;

    private TensorBoardEvents(GrowingFile file, long every, long lastStep, Clock clock) {
        this.file = file;
        this.every = every;
        this.lastStep = lastStep;
        this.clock = clock;
        file.add(TfRecord.framed(EventMessage.fileVersion(now())));
    }

    /**
     * Begins an event file in a directory.
     *
     * @param every steps whose number is a multiple of it are written
     * @param warnings takes a sentence when events cannot be written
     */
    public static TensorBoardEvents create(Path directory, long every, Consumer<String> warnings) throws IOException {
        return open(directory, every, 0, warnings, Clock.systemUTC());
    }

    /** Goes on with a run from a checkpoint, at which so many steps were done. */
    public static TensorBoardEvents resume(Path directory, long every, long steps, Consumer<String> warnings)
            throws IOException {
        if (steps < 0) {
            throw new IllegalArgumentException("steps is " + steps + ": it must be at least 0");
        }
        var events = open(directory, every, steps, warnings, Clock.systemUTC());
        events.file.add(TfRecord.framed(EventMessage.sessionStart(events.now(), steps)));
        return events;
    }

    static TensorBoardEvents open(Path directory, long every, long steps, Consumer<String> warnings, Clock clock)
            throws IOException {
        if (every < 1) {
            throw new IllegalArgumentException("every is " + every + ": it must be at least 1");
        }
        Path name = directory.resolve("events.out.tfevents.%010d.polder".formatted(number(directory, clock)));
        Files.createFile(name);
        return new TensorBoardEvents(new GrowingFile(name, warnings), every, Math.max(0, steps - 1), clock);
    }

    /** The time, but after every file that is there, whatever the clock did meanwhile. */
    private static long number(Path directory, Clock clock) throws IOException {
        long number = clock.millis() / 1000;
        try (var files = Files.newDirectoryStream(directory, "events.out.tfevents.*")) {
            for (Path file : files) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    number = Math.max(number, Long.parseLong(name.group(1)) + 1);
                }
            }
        }
        return number;
    }

    @Override
    public void onStep(StepMetrics step) {
        lastStep = step.step();
        if (step.step() % every == 0) {
            write(FiguresByTag.of(step));
        }
    }

    @Override
    public void onEpoch(EpochMetrics epoch) {
        for (var figures : List.of(FiguresByTag.ofTest(epoch), FiguresByTag.ofProbes(epoch))) {
            if (!figures.isEmpty()) {
                write(figures);
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    record Scalar(String tag, double value) {}

    private void write(Map<String, Double> figures) {
        List<Scalar> scalars = figures.entrySet().stream()
                .map(figure -> new Scalar(figure.getKey(), figure.getValue()))
                .toList();
        file.add(TfRecord.framed(EventMessage.scalars(now(), lastStep, scalars)));
    }

    private double now() {
        return clock.millis() / 1000.0;
    }
}
