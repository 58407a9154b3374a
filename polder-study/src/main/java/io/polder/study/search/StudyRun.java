package io.polder.study.search;

import io.polder.study.results.StudyResult;
import io.polder.study.trial.TrialEnd;
import io.polder.study.trial.TrialExecutor;
import io.polder.study.trial.TrialIds;
import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialStore;
import io.polder.study.trial.TrialTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Brings a study to its end: asks the {@link Planner} what is wanted, gives the executor as much of it as it can run at a time, and asks
 * again when a trial has ended. It keeps nothing that is not in the store, so it can be killed at any moment.
 *
 * <p>Several of these, in other processes or on other machines, may work at the same store: a trial that another is at is passed over
 * until that one has ended.
 */
public final class StudyRun {
    private static final long MILLISECONDS_BETWEEN_LOOKS = 500;

    /** A crashed trial is not started again at once: with Ctrl-C its process may have heard of it before this one did. */
    private static final long MILLISECONDS_BEFORE_RETRY = 500;

    private final Study study;
    private final TrialStore store;
    private final TrialExecutor executor;
    private final String data;
    private final TrialIds ids;
    private final StudyWatcher watcher;
    private final Planner planner;

    private final BlockingQueue<Ended> ends = new LinkedBlockingQueue<>();
    private final Map<String, TrialOutcome> outcomes = new HashMap<>();
    private final Set<String> lookedUp = new HashSet<>();
    private final Map<String, Integer> attempts = new HashMap<>();
    private final Set<String> running = new HashSet<>();
    private final Map<String, Trial> elsewhere = new LinkedHashMap<>();
    private final Map<String, Long> pausedUntil = new HashMap<>();

    private record Ended(Trial trial, TrialEnd end, Throwable broken) {}

    /** @param data where the data set is; empty: where the recipes or the executor say, or bundled */
    public StudyRun(Study study, TrialStore store, TrialExecutor executor, Optional<Path> data, StudyWatcher watcher) {
        this(study, store, executor, data, TrialIds.lookingAt(data.or(executor::data)), watcher);
    }

    /** @param ids what names trials */
    public StudyRun(
            Study study,
            TrialStore store,
            TrialExecutor executor,
            Optional<Path> data,
            TrialIds ids,
            StudyWatcher watcher) {
        this.study = study;
        this.store = store;
        this.executor = executor;
        this.data =
                data.map(path -> path.toAbsolutePath().normalize().toString()).orElse("");
        this.watcher = watcher;
        this.ids = ids;
        this.planner = new Planner(study, ids);
    }

    /**
     * Until nothing is wanted any more. Does not close the executor.
     *
     * @throws CancellationException if this thread is interrupted; trials may still run
     * @throws IOException if the store cannot be written to or the executor is broken
     */
    public StudyResult run() throws IOException {
        try {
            while (true) {
                StudyPlan plan = planner.plan(this::outcome);
                watcher.planned(plan);
                boolean isWaiting = submit(plan);
                if (running.isEmpty() && !isWaiting) {
                    return plan.result();
                }
                awaitNews();
            }
        } catch (UncheckedIOException e) {
            throw e.getCause(); // of data or a file that trials are named by
        } catch (InterruptedException e) {
            throw new CancellationException("the study was stopped before its end");
        }
    }

    /** The store is asked once for each trial: after that this run hears of what happens to it. */
    private Optional<TrialOutcome> outcome(String id) {
        if (lookedUp.add(id)) {
            store.outcome(id).filter(TrialStore::isFinal).ifPresent(outcome -> outcomes.put(id, outcome));
        }
        return Optional.ofNullable(outcomes.get(id));
    }

    /** Fills the executor, no further than it can run at a time: what is most urgent may change. */
    private boolean submit(StudyPlan plan) {
        boolean isWaiting = false;
        for (Trial trial : plan.trials()) {
            String id = trial.id();
            if (outcomes.containsKey(id) || running.contains(id)) {
                continue;
            }
            isWaiting = true;
            if (running.size() < executor.sideBySide() && !elsewhere.containsKey(id) && !isPaused(id)) {
                start(trial);
            }
        }
        return isWaiting;
    }

    private boolean isPaused(String id) {
        return pausedUntil.getOrDefault(id, 0L) > System.currentTimeMillis();
    }

    private void start(Trial trial) {
        running.add(trial.id());
        var task = new TrialTask(
                trial.id(),
                trial.recipe().toYaml(),
                store.path().toAbsolutePath().normalize().toString(),
                data,
                ids.contents(trial.recipe()),
                executor.threads(),
                attempts.merge(trial.id(), 1, Integer::sum));
        executor.submit(task, () -> watcher.started(trial))
                .whenComplete((end, broken) -> ends.add(new Ended(trial, end, broken)));
    }

    /** Something has ended here, or it is time to see whether something has ended elsewhere. */
    private void awaitNews() throws IOException, InterruptedException {
        boolean mustLook = !elsewhere.isEmpty() || !pausedUntil.isEmpty();
        Ended first = mustLook ? ends.poll(MILLISECONDS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS) : ends.take();
        List<Ended> news = new ArrayList<>();
        if (first != null) {
            news.add(first);
        }
        ends.drainTo(news);
        for (Ended ended : news) {
            handle(ended);
        }
        pausedUntil.values().removeIf(time -> time <= System.currentTimeMillis());
        lookElsewhere();
    }

    private void handle(Ended ended) throws IOException {
        Trial trial = ended.trial();
        running.remove(trial.id());
        if (ended.broken() != null) {
            throw new IOException("the executor is broken: " + ended.broken().getMessage(), ended.broken());
        }
        switch (ended.end().kind()) {
            case FINISHED -> finished(trial);
            case BUSY -> {
                attempts.merge(trial.id(), -1, Integer::sum); // not one of ours
                elsewhere.put(trial.id(), trial);
            }
            case STOPPED -> attempts.merge(trial.id(), -1, Integer::sum);
            case REFUSED -> failed(trial, ended.end().detail());
            case CRASHED -> crashed(trial, ended.end().detail());
        }
    }

    private void finished(Trial trial) throws IOException {
        Optional<TrialOutcome> outcome = store.outcome(trial.id()).filter(TrialStore::isFinal);
        if (outcome.isPresent()) {
            record(trial, outcome.get());
        } else {
            crashed(trial, "its process ended well, but its outcome is not in the store");
        }
    }

    private void crashed(Trial trial, String reason) throws IOException {
        if (attempts.get(trial.id()) > study.retries()) {
            failed(trial, reason);
        } else {
            watcher.crashed(trial, reason);
            pausedUntil.put(trial.id(), System.currentTimeMillis() + MILLISECONDS_BEFORE_RETRY);
        }
    }

    private void failed(Trial trial, String reason) throws IOException {
        String sentence = reason.isBlank() ? "it failed without a word" : reason;
        Optional<TrialOutcome> recorded = store.recordFailure(trial.id(), trial.recipe(), sentence, executor.threads());
        if (recorded.isPresent()) {
            record(trial, recorded.get());
        } else {
            elsewhere.put(trial.id(), trial);
        }
    }

    private void record(Trial trial, TrialOutcome outcome) {
        outcomes.put(trial.id(), outcome);
        watcher.ended(trial, outcome);
    }

    private void lookElsewhere() throws IOException {
        for (Trial trial : List.copyOf(elsewhere.values())) {
            Optional<TrialOutcome> outcome = store.outcome(trial.id()).filter(TrialStore::isFinal);
            if (outcome.isPresent()) {
                elsewhere.remove(trial.id());
                record(trial, outcome.get());
            } else if (store.isFree(trial.id())) {
                elsewhere.remove(trial.id()); // whoever had it is gone: it is wanted again
            }
        }
    }
}
