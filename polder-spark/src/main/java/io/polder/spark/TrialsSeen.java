package io.polder.spark;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import scala.jdk.javaapi.CollectionConverters;

/** Hears from Spark when the tasks of trials start on a node and when they have ended there, which is later than their jobs' end. */
final class TrialsSeen extends SparkListener {
    /** Somewhat more than a trial's process is given to save its state. */
    static final long SECONDS_TO_WAIT = 150;

    private static final long MILLISECONDS_BETWEEN_LOOKS = 500;
    private static final String GROUP = "spark.jobGroup.id";

    private final Map<String, Runnable> expected = new HashMap<>();
    private final Map<Integer, Runnable> stages = new HashMap<>();
    private final Map<Long, String> running = new HashMap<>();

    /** @param onStart called whenever a task of this group of jobs starts: again if Spark tries it again */
    synchronized void expect(String group, Runnable onStart) {
        expected.put(group, onStart);
    }

    synchronized void forget(String group) {
        expected.remove(group);
    }

    @Override
    public synchronized void onJobStart(SparkListenerJobStart start) {
        Properties properties = start.properties();
        Runnable onStart = properties == null ? null : expected.get(properties.getProperty(GROUP));
        if (onStart != null) {
            CollectionConverters.asJava(start.stageInfos()).forEach(stage -> stages.put(stage.stageId(), onStart));
        }
    }

    @Override
    public synchronized void onStageCompleted(SparkListenerStageCompleted completed) {
        stages.remove(completed.stageInfo().stageId());
    }

    @Override
    public void onTaskStart(SparkListenerTaskStart start) {
        Runnable onStart;
        synchronized (this) {
            onStart = stages.get(start.stageId());
            running.put(start.taskInfo().taskId(), start.taskInfo().executorId());
        }
        if (onStart != null) {
            onStart.run();
        }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        if (end.taskInfo() != null) {
            running.remove(end.taskInfo().taskId());
        }
        notifyAll();
    }

    @Override
    public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
        running.values().removeIf(removed.executorId()::equals);
        notifyAll();
    }

    synchronized boolean isNoneRunning() {
        return running.isEmpty();
    }

    /** Until every task has ended on its node, or its node is lost, or nothing more will be heard. */
    synchronized void awaitNoneRunning(BooleanSupplier isOver) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_WAIT);
        boolean interrupted = false;
        while (!running.isEmpty() && !isOver.getAsBoolean() && System.nanoTime() < end) {
            try {
                wait(MILLISECONDS_BETWEEN_LOOKS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
