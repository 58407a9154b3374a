package io.polder.study.search;

import io.polder.study.results.Failures;
import io.polder.study.results.SearchStage;
import io.polder.study.results.StudyResult;
import io.polder.study.trial.TrialEnd;
import io.polder.study.trial.TrialExecutor;
import io.polder.study.trial.TrialIds;
import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialStore;
import io.polder.study.trial.TrialTask;
import io.polder.tensor.Device;
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
    private final String device;
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
    private final Set<String> hadCompany = new HashSet<>();
    private final Set<String> alone = new HashSet<>();

    private record Ended(Trial trial, TrialEnd end, Throwable broken) {}

    /** @param data where the data set is; empty: where the recipes or the executor say, or bundled */
    public StudyRun(Study study, TrialStore store, TrialExecutor executor, Optional<Path> data, StudyWatcher watcher) {
        this(study, store, executor, data, Device.AUTO, TrialIds.lookingAt(data.or(executor::data)), watcher);
    }

    /**
     * @param device that trials compute on, by the name that it has where they run
     * @param ids what names trials
     */
    public StudyRun(
            Study study,
            TrialStore store,
            TrialExecutor executor,
            Optional<Path> data,
            String device,
            TrialIds ids,
            StudyWatcher watcher) {
        this.study = study;
        this.store = store;
        this.executor = executor;
        this.data =
                data.map(path -> path.toAbsolutePath().normalize().toString()).orElse("");
        this.device = device;
        this.watcher = watcher;
        this.ids = ids;
        this.planner = new Planner(study, ids);
    }

    /**
     * Until nothing is wanted any more. Does not close the executor.
     *
     * @throws CancellationException if this thread is interrupted; trials may still run
     * @throws IOException a sentence, if nothing can come of going on: every trial of a stage failed, the store cannot be written to, or
     *     the executor is broken; trials may still run
     */
    public StudyResult run() throws IOException {
        try {
            while (true) {
                StudyPlan plan = planner.plan(this::outcome);
                store.complaints().forEach(watcher::warned);
                watcher.planned(plan);
                requireChoices(plan.result());
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

    /** Where all candidates failed there is nothing to choose from, and what the study would go on with is no result of its search. */
    private static void requireChoices(StudyResult result) throws IOException {
        for (SearchStage stage : result.stages()) {
            List<TrialOutcome> outcomes = stage.candidates().stream()
                    .flatMap(candidate -> candidate.outcomes().stream())
                    .toList();
            if (stage.isComplete() && outcomes.stream().allMatch(Failures::isOne)) {
                throw new IOException("the study has stopped, as all " + outcomes.size() + " trials of "
                        + stage.inVariant() + " failed: " + Failures.reasons(outcomes)
                        + "; the same command tries them again");
            }
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
        List<Trial> waiting = plan.trials().stream()
                .filter(trial -> !outcomes.containsKey(trial.id()) && !running.contains(trial.id()))
                .toList();
        boolean isCrowd = running.stream().noneMatch(alone::contains);
        for (Trial trial : waiting) {
            if (isCrowd && running.size() < executor.sideBySide() && !alone.contains(trial.id()) && isFree(trial)) {
                start(trial);
            }
        }
        if (running.isEmpty()) {
            waiting.stream()
                    .filter(trial -> alone.contains(trial.id()) && isFree(trial))
                    .findFirst()
                    .ifPresent(this::start);
        }
        return !waiting.isEmpty();
    }

    private boolean isFree(Trial trial) {
        return !elsewhere.containsKey(trial.id()) && !isPaused(trial.id());
    }

    private boolean isPaused(String id) {
        return pausedUntil.getOrDefault(id, 0L) > System.currentTimeMillis();
    }

    private void start(Trial trial) {
        running.add(trial.id());
        if (running.size() > 1) {
            hadCompany.addAll(running);
        }
        var task = new TrialTask(
                trial.id(),
                trial.recipe().toYaml(),
                store.path().toAbsolutePath().normalize().toString(),
                data,
                ids.contents(trial.recipe()),
                executor.threads(),
                device,
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
        boolean company = hadCompany.remove(trial.id());
        if (ended.broken() != null) {
            throw new IOException("the executor is broken: " + ended.broken().getMessage(), ended.broken());
        }
        switch (ended.end().kind()) {
            case FINISHED -> {
                if (!ended.end().detail().isEmpty()) {
                    watcher.warned(ended.end().detail());
                }
                finished(trial);
            }
            case BUSY -> {
                attempts.merge(trial.id(), -1, Integer::sum); // not one of ours
                elsewhere.put(trial.id(), trial);
            }
            case STOPPED -> attempts.merge(trial.id(), -1, Integer::sum);
            case REFUSED -> failed(trial, ended.end().detail());
            case UNSAVED ->
                throw new IOException("the study has stopped, as a trial cannot be saved: "
                        + ended.end().detail() + "; the same command goes on with what is saved");
            case OUT_OF_MEMORY -> outOfMemory(trial, ended.end().detail(), company);
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

    /** Beside others it is their doing as much as its own, so that does not count as a try: the next is by itself. */
    private void outOfMemory(Trial trial, String reason, boolean company) throws IOException {
        if (company && alone.add(trial.id())) {
            attempts.merge(trial.id(), -1, Integer::sum);
            watcher.crashed(trial, reason + ", beside others: next time it has the machine to itself");
            pausedUntil.put(trial.id(), System.currentTimeMillis() + MILLISECONDS_BEFORE_RETRY);
        } else {
            crashed(trial, reason);
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
