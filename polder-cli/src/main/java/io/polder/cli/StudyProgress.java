package io.polder.cli;

import io.polder.metrics.MetricsTail;
import io.polder.metrics.RunRecord;
import io.polder.recipe.SchemeRecipe;
import io.polder.study.LenientRunInfo;
import io.polder.study.results.Failures;
import io.polder.study.search.StudyPlan;
import io.polder.study.search.StudyWatcher;
import io.polder.study.search.Trial;
import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialStore;
import io.polder.train.Figure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.function.LongSupplier;

/**
 * How a study is getting on: a line for each trial that has ended, which stays; on a terminal below them a bar for each trial that runs and
 * one with how many are done, the time left, how many run and failed, and the best figure so far.
 */
final class StudyProgress implements StudyWatcher, AutoCloseable {
    private static final long MILLISECONDS_BETWEEN_DRAWINGS = 500;
    private static final int BAR = 30;

    private final PrintWriter screen;
    private final TrialStore store;
    private final boolean onTerminal;
    private final Timer timer = new Timer("polder-progress", true);
    private final LongSupplier nanoTime;
    private final long started;

    private final Map<String, Running> running = new LinkedHashMap<>();
    private final Map<String, TrialOutcome> seen = new HashMap<>();
    private final Set<String> reasonsSaid = new HashSet<>();
    private StudyPlan plan;
    private double workDoneHere;
    private final List<Integer> drawn = new ArrayList<>();

    StudyProgress(PrintWriter screen, TrialStore store, LongSupplier nanoTime) {
        this.screen = screen;
        this.store = store;
        this.nanoTime = nanoTime;
        this.started = nanoTime.getAsLong();
        this.onTerminal = Terminal.isThere();
    }

    static StudyProgress on(PrintWriter screen, TrialStore store, String executor) {
        var progress = new StudyProgress(screen, store, System::nanoTime);
        screen.println(Character.toUpperCase(executor.charAt(0)) + executor.substring(1) + ".");
        screen.flush();
        if (progress.onTerminal) {
            Terminal.drawEvery(MILLISECONDS_BETWEEN_DRAWINGS, progress.timer, progress::draw);
        }
        return progress;
    }

    /** A trial whose process runs, and what it has recorded so far. */
    private final class Running {
        private final Trial trial;
        private final MetricsTail tail;
        private final int epochBefore;
        private int epoch;
        private final Path directory;
        private Figure judge;
        private String judged = "";

        Running(Trial trial) {
            this.trial = trial;
            this.directory = store.directory(trial.id());
            this.tail = new MetricsTail(directory.resolve("metrics.jsonl"));
            look();
            this.epochBefore = epoch;
        }

        void look() {
            try {
                for (RunRecord record : tail.poll().records()) {
                    if (record instanceof RunRecord.Epoch last) {
                        epoch = last.metrics().epoch();
                        if (last.metrics().test().isPresent()) {
                            judge = judge != null
                                    ? judge
                                    : LenientRunInfo.read(directory).figures().judge();
                            double value = last.metrics().test().get().figure(judge);
                            judged = ", " + judge.label() + " " + judge.text(value);
                        }
                    }
                }
            } catch (IOException e) {
                // It shows the last that is known.
            }
        }

        double workLeft() {
            return work(trial) * (epochs(trial) - epoch) / epochs(trial);
        }

        /** What an earlier session did of a trial took no time of this one. */
        double workDoneHere() {
            return work(trial) * (epoch - epochBefore) / epochs(trial);
        }

        void end() {
            epoch = epochs(trial);
        }

        String line() {
            String words = trial.label() + ", seed " + trial.recipe().seed() + ": epoch " + epoch + "/" + epochs(trial)
                    + judged;
            return Terminal.barred(BAR, epoch, epochs(trial), words);
        }
    }

    @Override
    public synchronized void planned(StudyPlan plan) {
        boolean first = this.plan == null;
        this.plan = plan;
        List<TrialOutcome> outcomes = plan.result().outcomes();
        if (first && !outcomes.isEmpty()) {
            say(outcomes.size() + " of " + plan.result().wanted() + " trials are in the store already.");
        }
        outcomes.forEach(outcome -> seen.putIfAbsent(outcome.id(), outcome));
    }

    @Override
    public synchronized void started(Trial trial) {
        running.put(trial.id(), new Running(trial));
    }

    @Override
    public synchronized void ended(Trial trial, TrialOutcome outcome) {
        Running ended = running.remove(trial.id());
        if (ended != null) {
            ended.end();
            workDoneHere += ended.workDoneHere();
        }
        seen.put(outcome.id(), outcome);
        String result = outcome.isDone() ? judged(outcome) : why(outcome);
        say(counted() + " " + trial.label() + ", seed " + trial.recipe().seed() + ": " + result + timeLeft());
    }

    @Override
    public synchronized void warned(String sentence) {
        say("    " + sentence);
    }

    @Override
    public synchronized void crashed(Trial trial, String reason) {
        running.remove(trial.id());
        say("    " + trial.label() + ", seed " + trial.recipe().seed() + ": " + reason + "; it is tried again");
    }

    /** A reason is said once: what one trial fails of, dozens may. */
    private String why(TrialOutcome outcome) {
        String status = outcome.status().name().toLowerCase(Locale.ROOT);
        boolean isNew = !Failures.isOne(outcome) || reasonsSaid.add(Failures.reason(outcome));
        return isNew ? status + ": " + outcome.reason() : status + ", for the same reason as one before";
    }

    private void say(String line) {
        erase();
        screen.println(line);
        screen.flush();
    }

    private String counted() {
        int wanted = plan == null ? 0 : plan.result().wanted();
        return String.format("[%" + Integer.toString(wanted).length() + "d/%d]", seen.size(), wanted);
    }

    private synchronized void draw() {
        if (plan == null) {
            return;
        }
        List<String> lines = new ArrayList<>();
        String left = timeLeft();
        running.values().forEach(trial -> lines.add(trial.line()));
        int wanted = Math.max(1, plan.result().wanted());
        long failed =
                seen.values().stream().filter(outcome -> !outcome.isDone()).count();
        String words = seen.size() + "/" + wanted + " trials" + left + ", " + running.size() + " running"
                + (failed == 0 ? "" : ", " + failed + " failed") + best();
        lines.add(Terminal.barred(BAR, seen.size(), wanted, words));
        erase();
        for (String line : lines) {
            screen.print(Terminal.unbroken(line) + "\n");
            drawn.add(line.length());
        }
        screen.flush();
    }

    private void erase() {
        if (!drawn.isEmpty()) {
            screen.print(Terminal.erasing(drawn, 0));
            drawn.clear();
        }
    }

    private static String judged(TrialOutcome outcome) {
        Figure judge = outcome.judge();
        return outcome.evaluatedOn() + " " + judge.label() + " " + judge.text(outcome.last());
    }

    /** On the test images if there are some, else on the validation split. */
    private String best() {
        for (String examples : List.of(TrialOutcome.TEST, TrialOutcome.VALIDATION)) {
            var best = seen.values().stream()
                    .filter(outcome -> outcome.isDone() && outcome.evaluatedOn().equals(examples))
                    .min((a, b) -> a.judge().compare(a.last(), b.last()));
            if (best.isPresent()) {
                return ", best " + judged(best.get());
            }
        }
        return "";
    }

    /** From the work that was done since the start, the parts of running trials included. */
    private String timeLeft() {
        running.values().forEach(Running::look);
        double done = workDoneHere
                + running.values().stream().mapToDouble(Running::workDoneHere).sum();
        if (plan == null || done <= 0) {
            return "";
        }
        double left = 0;
        double known = 0;
        int trials = 0;
        for (Trial trial : plan.trials()) {
            known += work(trial);
            trials++;
            if (running.containsKey(trial.id())) {
                left += running.get(trial.id()).workLeft();
            } else if (!seen.containsKey(trial.id())) {
                left += work(trial);
            }
        }
        // Of stages that are to come only the number of trials is known.
        left += (plan.result().wanted() - trials) * known / trials;
        if (left <= 0) {
            return "";
        }
        Duration time = Duration.ofNanos((long) ((nanoTime.getAsLong() - started) * left / done));
        return time.toHours() > 0
                ? String.format(", about %d:%02d h left", time.toHours(), time.toMinutesPart())
                : String.format(", about %d:%02d min left", time.toMinutesPart(), time.toSecondsPart());
    }

    /** In passes over the images. */
    private static double work(Trial trial) {
        return epochs(trial) * (trial.recipe().scheme() instanceof SchemeRecipe.Standard ? 1.0 : 2.0);
    }

    private static int epochs(Trial trial) {
        return trial.recipe().epochs() == null ? 1 : trial.recipe().epochs();
    }

    @Override
    public synchronized void close() {
        timer.cancel();
        erase();
        screen.flush();
    }
}
