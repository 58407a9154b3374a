package io.polder.run;

import io.polder.train.EpochMetrics;
import io.polder.train.StepMetrics;
import io.polder.train.TrainingListener;
import java.time.Duration;
import java.util.Arrays;
import java.util.Timer;
import java.util.TimerTask;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Says so when nothing happens for a long time, and where the training thread is then: waiting for the loader, or in a step. It
 * does not end anything: a slow disk may come back. Says it once for each time it happens.
 */
public final class Watchdog implements TrainingListener, AutoCloseable {
    private static final int FRAMES = 4;

    private final Thread watched = Thread.currentThread();
    private final Duration patience;
    private final Consumer<String> warnings;
    private final Timer timer = new Timer("polder-watchdog", true);
    private volatile long lastSign = System.nanoTime();
    private volatile String last = "nothing yet";
    private long warnedOf = -1;

    /** Watches over the present thread. */
    public Watchdog(Duration patience, Consumer<String> warnings) {
        this.patience = patience;
        this.warnings = warnings;
        long period = Math.max(10, patience.toMillis() / 4);
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        look();
                    }
                },
                period,
                period);
    }

    private void look() {
        long sign = lastSign;
        if (System.nanoTime() - sign > patience.toNanos() && sign != warnedOf) {
            warnedOf = sign;
            String where = Arrays.stream(watched.getStackTrace())
                    .filter(frame -> frame.getClassName().startsWith("io.polder."))
                    .limit(FRAMES)
                    .map(frame -> frame.getClassName().replaceAll(".*\\.", "") + "." + frame.getMethodName())
                    .collect(Collectors.joining(" < "));
            warnings.accept("nothing has happened for %.4g minutes since %s; the training is in %s"
                    .formatted(patience.toMillis() / 60_000.0, last, where));
        }
    }

    @Override
    public void onStep(StepMetrics metrics) {
        sign("step " + metrics.step());
    }

    @Override
    public void onEpoch(EpochMetrics metrics) {
        sign("the end of epoch " + metrics.epoch());
    }

    private void sign(String what) {
        last = what;
        lastSign = System.nanoTime();
    }

    @Override
    public void close() {
        timer.cancel();
    }
}
