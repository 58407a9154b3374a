package io.polder.run;

import io.polder.checkpoint.Checkpoint;
import io.polder.checkpoint.CheckpointStore;
import io.polder.checkpoint.RunLock;
import io.polder.distributed.Rendezvous;
import io.polder.files.Machine;
import io.polder.files.OutputDirectory;
import io.polder.files.WholeFile;
import io.polder.metrics.MetricsLog;
import io.polder.metrics.TensorBoardEvents;
import io.polder.nn.Network;
import io.polder.recipe.Recipe;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.text.ShellWords;
import io.polder.train.DivergedException;
import io.polder.train.EpochMetrics;
import io.polder.train.Figure;
import io.polder.train.Progress;
import io.polder.train.StepMetrics;
import io.polder.train.Trainer;
import io.polder.train.TrainingListener;
import io.polder.train.TrainingPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * A training that can be left alone: it records itself in a directory, saves its state, goes on bit for bit where it was stopped or
 * killed, and ends in good order when it diverges. Each call is one session of a run; one thread runs it.
 */
public final class TrainingRun {
    /**
     * How often {@code run.json} is written between checkpoints, at most: a write that is forced to disk takes over a millisecond, and an
     * epoch of a small network less than a second.
     */
    public static final Duration INFO_EVERY = Duration.ofSeconds(5);

    private final Recipe recipe;
    private final RunDirectory directory;
    private final RunSettings settings;
    private final RunObserver observer;
    private final RandomStreams streams;
    private final CheckpointStore store;
    private final Team team;

    /** null: the run has a beginning of its own */
    private final EarlierRun earlierRun;

    private SaveMoments moments;
    private RunInfo info;
    private long infoWritten;
    private TrainingPlan plan;
    private Trainer trainer;

    /** null: none */
    private Probes probes;

    /** The recipe with what it leaves to the images. */
    private Recipe settled;

    /** Whether the seed drew the first weights of a TorchScript file, in the session that began the run. */
    private boolean redrawn;

    private MetricsLog log;
    private List<TrainingListener> listeners = List.of();
    private Progress saved;
    private String brokenMark = "";

    private TrainingRun(
            Recipe recipe,
            RunDirectory directory,
            RunSettings settings,
            RunObserver observer,
            Team team,
            EarlierRun earlierRun) {
        this.recipe = recipe;
        this.directory = directory;
        this.settings = settings;
        this.observer = observer;
        this.team = team;
        this.earlierRun = earlierRun;
        streams = new RandomStreams(recipe.seed());
        store = directory.store(recipe.checkpoint().keep());
    }

    /**
     * Trains a recipe from its beginning.
     *
     * @param path of the run's directory; it is made if need be, and must hold no run
     * @return what it came to; its status is done, or stopped where the observer asked for it
     * @throws DivergedException if the training blew up and its recipe does not let it go back, or not once more
     */
    public static RunInfo start(Recipe recipe, Path path, RunSettings settings, RunObserver observer)
            throws IOException {
        int workers = settings.rendezvous().map(Rendezvous::size).orElse(recipe.replicas());
        if (workers != recipe.replicas()) {
            throw new IllegalArgumentException(otherReplicas(recipe, workers));
        }
        requireSupported(recipe, settings, workers);
        return Team.lead(recipe, settings, team -> start(recipe, path, settings, observer, team, null));
    }

    /**
     * Goes on with a run for more epochs than its recipe has, in a run of its own: that one stays as it is.
     *
     * @param run its directory
     * @param epochs of the new run, those that are done included
     * @param path of the new run's directory; it is made if need be, and must hold no run
     * @return as {@link #start} does
     */
    public static RunInfo extend(Path run, int epochs, Path path, RunSettings settings, RunObserver observer)
            throws IOException {
        EarlierRun earlierRun = EarlierRun.of(run, epochs, observer::warn);
        Recipe recipe = earlierRun.recipe();
        requireSupported(
                recipe, settings, settings.rendezvous().map(Rendezvous::size).orElse(recipe.replicas()));
        return Team.lead(recipe, settings, team -> start(recipe, path, settings, observer, team, earlierRun));
    }

    /** Why a run of the recipe cannot begin with so many workers, which are others than its replicas. */
    public static String otherReplicas(Recipe recipe, int workers) {
        return "replicas is " + recipe.replicas() + " and there are " + workers
                + " workers: a run begins with as many workers as its recipe has replicas";
    }

    private static RunInfo start(
            Recipe recipe, Path path, RunSettings settings, RunObserver observer, Team team, EarlierRun earlierRun)
            throws IOException {
        var directory = new RunDirectory(path);
        try (var made = OutputDirectory.prepare(path);
                var lock = RunLock.take(path)) {
            directory.requireNoRun(recipe);
            try {
                return new TrainingRun(recipe, directory, settings, observer, team, earlierRun)
                        .session(Optional.empty());
            } finally {
                if (directory.holdsARun()) {
                    made.keep();
                } else {
                    directory.forgetBeginnings();
                }
            }
        }
    }

    /**
     * Goes on with a run from its newest checkpoint that is whole. One that is done stays as it is.
     *
     * @param settings with the run's own number of threads: another may round otherwise
     * @return as {@link #start} does
     */
    public static RunInfo resume(Path path, RunSettings settings, RunObserver observer) throws IOException {
        Recipe recipe = new RunDirectory(path).recipe();
        requireSupported(
                recipe, settings, settings.rendezvous().map(Rendezvous::size).orElse(recipe.replicas()));
        return Team.lead(recipe, settings, team -> resume(recipe, path, settings, observer, team));
    }

    private static RunInfo resume(Recipe recipe, Path path, RunSettings settings, RunObserver observer, Team team)
            throws IOException {
        var directory = new RunDirectory(path);
        try (var lock = RunLock.take(path)) {
            RunInfo info = directory.info();
            if (!recipe.hash().equals(info.recipeHash())) {
                throw new DamagedRunException(
                        directory.recipeFile() + " is not the recipe that the run began with",
                        "put that one back, or train this one in another directory",
                        null);
            }
            if (info.status() == RunInfo.Status.done) {
                team.tellOfNothing();
                return info;
            }
            return new TrainingRun(recipe, directory, settings, observer, team, null).session(Optional.of(info));
        }
    }

    private static void requireSupported(Recipe recipe, RunSettings settings, int workers) {
        Team.requireSupported(recipe, settings, workers);
        recipe.precision().requireFastOn(settings.device());
    }

    /** @param before what the run's earlier sessions wrote; empty for its first */
    private RunInfo session(Optional<RunInfo> before) throws IOException {
        team.tell(recipe, settings);
        team.setThreads(settings);
        Optional<RunInfo> known =
                before.or(() -> Optional.ofNullable(earlierRun).map(EarlierRun::info));
        Optional<Path> data = settings.data()
                .or(() -> known.flatMap(info -> Assembly.noted(recipe, info)))
                .or(() -> Optional.ofNullable(recipe.data().dir()).map(Path::of));
        try (var scope = Scope.open();
                var images = Assembly.images(recipe, recipe.data().evaluateOn(), data, streams, team.share())) {
            requireContents(images, data);
            team.compareImages(images.dataset().contents());
            if (known.isPresent()) {
                known.get().requireSame(images, data);
                if (recipe.model().torchscript() != null) {
                    known.get().requireSame(recipe.model().torchscript(), torchScript(before));
                }
                warnOfOtherBits(known.get());
            }
            settled = Assembly.settled(recipe, images);
            Network network = Assembly.network(
                    recipe, torchScript(before), images.splits().evaluation(), streams);
            if (torchScript(before) != null) {
                team.share(torchScript(before));
            }
            if (before.isPresent()) {
                info = before.get()
                        .at(data, images.dataset().contents())
                        .with(RunInfo.Status.running, before.get().result());
            }
            Optional<Checkpoint> newest = store.newest(observer::warn);
            if (newest.isEmpty() && before.map(RunInfo::continues).isPresent()) {
                throw directory.noCheckpoint(); // it has no beginning of its own to go back to
            } else if (newest.isEmpty() && earlierRun == null) {
                directory.requireNothingTrained();
                if (before.isPresent() && recipe.model().init() != null) {
                    before.get()
                            .requireSame(
                                    recipe.model().init(),
                                    Path.of(recipe.model().init()));
                }
                redrawn = Assembly.initialise(network, recipe.model(), torchScript(before), streams, observer::warn);
            }
            Assembly.freeze(network, recipe);
            if (earlierRun != null) {
                info = RunInfo.of(earlierRun, settings, data, images.dataset().contents());
                writeRecipe(torchScript(before));
            } else if (before.isEmpty()) {
                int microBatch = microBatch(before, images, network);
                info = RunInfo.of(recipe, settings, data, images, network, microBatch);
                writeRecipe(torchScript(before));
            } else if (mayHaveBeenTooLarge(before.get(), newest)) {
                info = info.withMicroBatch(MemoryFit.smaller(info.microBatch(), microBatch(before, images, network)));
                observer.warn("the run was killed before anything was saved of its training, with "
                        + before.get().microBatch()
                        + " images at a time, so it goes on with " + info.microBatch()
                        + ": sums are rounded otherwise, and batch norm sees the smaller parts");
            }
            info.write(directory.infoFile());
            infoWritten = System.nanoTime();
            if (earlierRun != null) {
                earlierRun.copyTo(directory, store, observer::warn);
                newest = store.newest(observer::warn);
                observer.warn(earlierRun.learningRateInWords());
            }
            team.share(Integer.toString(info.microBatch()));
            moments = new SaveMoments(recipe.checkpoint(), info.length().epochs());
            plan = Assembly.plan(settled, info.microBatch(), info.length().stepsPerEpoch(), streams);
            try (var probes = probes(images);
                    var trainer = new Trainer(
                            network,
                            plan,
                            images.forTraining(),
                            settings.device(),
                            streams,
                            List.of(new Recorder()),
                            team.workers(recipe))) {
                this.trainer = trainer;
                this.probes = probes;
                return train(newest);
            } catch (IOException | RuntimeException | Error e) {
                conclude(statusAfter(e));
                throw e;
            }
        }
    }

    private Probes probes(Assembly.Images images) {
        return recipe.probes() == null
                ? null
                : new Probes(
                        recipe.probes(),
                        info.length().epochs(),
                        info.microBatch(),
                        settled.learns(),
                        images,
                        settings.device(),
                        observer::warn);
    }

    private void requireContents(Assembly.Images images, Optional<Path> data) throws IOException {
        if (settings.contents().isPresent()
                && !settings.contents().get().equals(images.dataset().contents())) {
            throw new IOException("the images" + data.map(path -> " in " + path).orElse("")
                    + " are not those that were asked for: they were exchanged since, or this machine has others");
        }
    }

    private int microBatch(Optional<RunInfo> before, Assembly.Images images, Network network) throws IOException {
        if (MemoryFit.isLeftOpen(recipe) && !settings.device().isCpu()) {
            throw new IOException("microBatch is auto, which is found for the memory of the CPU and not for that of "
                    + settings.device() + ": give a number");
        }
        return MemoryFit.microBatch(
                settled, torchScript(before), images.splits().evaluation(), network.parameterCount(), new Machine());
    }

    /**
     * Whether the micro-batch was chosen for the run, and the run was killed with nothing saved since its start: the kill may have been for
     * that. Steps that were done prove little, as a later one or the evaluation may want more, and every resume would be killed there.
     */
    private boolean mayHaveBeenTooLarge(RunInfo before, Optional<Checkpoint> newest) {
        return MemoryFit.isLeftOpen(recipe)
                && before.status() == RunInfo.Status.running
                && before.microBatch() > 1
                && newest.map(Checkpoint::step).orElse(0L) == 0;
    }

    private static RunInfo.Status statusAfter(Throwable e) {
        if (e instanceof CancellationException) { // an interrupt, upon which the run was saved
            return RunInfo.Status.stopped;
        }
        return e instanceof DivergedException ? RunInfo.Status.diverged : RunInfo.Status.failed;
    }

    /** What the last bits of a sum depend on. */
    private void warnOfOtherBits(RunInfo before) {
        List<String> others = new ArrayList<>();
        if (settings.threads() != before.platform().threads()) {
            others.add(settings.threads() + " threads instead of "
                    + before.platform().threads());
        }
        if (!RunInfo.engineNow().equals(before.platform().engine())) {
            others.add(RunInfo.engineNow() + " instead of " + before.platform().engine());
        }
        if (!settings.device().toString().equals(before.platform().device())) {
            others.add("the device " + settings.device() + " instead of "
                    + before.platform().device());
        }
        String processor = new Machine().processor();
        if (!processor.equals(before.platform().processor())) {
            others.add("the processor " + processor + " instead of "
                    + before.platform().processor());
        }
        if (team.size() != recipe.replicas()) {
            others.add(team.size() + " workers instead of " + recipe.replicas());
        }
        if (!others.isEmpty()) {
            observer.warn(
                    "the run goes on with " + String.join(", ", others)
                            + ": sums may be rounded otherwise, and the bits may differ from those of a run that was not stopped");
        }
    }

    private Path torchScript(Optional<RunInfo> before) {
        if (recipe.model().torchscript() == null) {
            return null;
        }
        if (earlierRun != null) {
            return earlierRun.directory().torchScriptFile();
        }
        return before.isPresent()
                ? directory.torchScriptFile()
                : Path.of(recipe.model().torchscript());
    }

    /** @param script null: the network is none */
    private void writeRecipe(Path script) throws IOException {
        if (script != null) {
            WholeFile.write(directory.torchScriptFile(), draft -> Files.copy(script, draft));
        }
        WholeFile.write(directory.recipeFile(), recipe.toYaml());
    }

    /** @param newest the checkpoint to go on from; empty to begin */
    private RunInfo train(Optional<Checkpoint> newest) throws IOException {
        if (newest.isPresent()) {
            trainer.resumeFrom(newest.get().directory());
            saved = trainer.progress();
            if (SaveMoments.isBest(saved)) {
                markBest(saved.step()); // which a kill right after the save may have prevented
            }
            mendBest(saved);
            team.send(Optional.of(newest.get().directory()));
        } else {
            try (var state = trainer.beginning()) {
                save(state); // a disk that cannot take the first weights is better known now
            }
            team.send(store.newest(observer::warn).map(Checkpoint::directory));
        }
        boolean resumed = newest.isPresent();
        boolean continued = earlierRun != null;
        while (true) {
            Progress from = trainer.progress();
            long every = MetricsLog.everyFor(info.length().stepsPerEpoch());
            try (var log = MetricsLog.resume(
                            directory.metricsFile(), every, from.step(), from.epoch(), observer::warn);
                    var events = resumed
                            ? TensorBoardEvents.resume(directory.path(), every, from.step(), observer::warn)
                            : TensorBoardEvents.create(directory.path(), every, observer::warn);
                    var watchdog = new Watchdog(patience(), sentence -> note(log, "watchdog", sentence))) {
                this.log = log;
                listeners = new ArrayList<>(List.of(log, events, watchdog));
                listeners.addAll(observer.listeners(info, from));
                if (continued) {
                    log.event("continued", earlierRun.learningRateInWords());
                } else if (resumed) {
                    log.event("resumed", "from step " + from.step());
                } else {
                    recipe.model().sameForEverySeed(redrawn).ifPresent(sentence -> note(log, "weights", sentence));
                }
                return trainToAnEnd();
            } catch (DivergedException e) {
                goBack(e);
                resumed = true;
                continued = false;
            }
        }
    }

    private RunInfo trainToAnEnd() throws IOException {
        try {
            boolean done = trainer.run(observer::stopRequested);
            boolean saved = trySave();
            if (done && !saved) {
                throw new IOException(
                        "the training is done, but not saved, see above: make room and repeat the end of it by"
                                + " ./polder resume " + ShellWords.quoted(directory.path()));
            }
            if (!done) {
                log.event("stopped", "after step " + trainer.progress().step());
            } else if (plan.stopsEarlyAt(trainer.progress())) {
                info = info.withStoppedEarly(whyEarly(trainer.progress()));
                log.event("stopped early", info.stoppedEarly());
            }
            return conclude(done ? RunInfo.Status.done : RunInfo.Status.stopped);
        } catch (CancellationException e) {
            if (team.isAlone()) { // others do not know that there is anything to save
                trySave();
            }
            log.event(
                    "stopped",
                    "by an interrupt, after step " + trainer.progress().step());
            throw e;
        } catch (DivergedException e) {
            log.event("diverged", e.getMessage());
            throw e;
        }
    }

    private String whyEarly(Progress progress) {
        Figure judge = info.figures().judge();
        Progress.Best best = progress.best();
        return "after epoch %d of %d: the validation %s %s (earlyStopping.patience: %d)"
                .formatted(
                        progress.epoch(),
                        info.length().epochs(),
                        judge.label(),
                        best == null
                                ? "was never a number"
                                : "has been no better than " + judge.text(best.value()) + " since epoch "
                                        + best.epoch(),
                        recipe.earlyStopping().patience());
    }

    private void note(MetricsLog log, String what, String sentence) {
        log.event(what, sentence);
        observer.warn(sentence);
    }

    private Duration patience() {
        return Duration.ofMillis(Math.round(recipe.watchdogMinutes() * 60_000));
    }

    /** To the newest checkpoint that is not ruined itself, if the recipe allows it once more. */
    private void goBack(DivergedException diverged) throws IOException {
        Recipe.Divergence rule = recipe.onDivergence();
        if (rule.endsAfter(trainer.progress().restarts())) {
            throw diverged;
        }
        Optional<Checkpoint> earlier = store.newestBefore(diverged.ruinedFrom(), observer::warn);
        while (earlier.isPresent() && !trainer.restartFrom(earlier.get().directory(), rule.learningRateFactor())) {
            observer.warn("the checkpoint " + earlier.get() + " has numbers that are not finite: going back past it");
            earlier = store.newestBefore(earlier.get().step(), observer::warn);
        }
        team.send(earlier.map(Checkpoint::directory));
        if (earlier.isEmpty()) {
            observer.warn("there is no good checkpoint of before step " + diverged.ruinedFrom() + " to go back to");
            throw diverged;
        }
        observer.warn(diverged.getMessage() + "; going back to step "
                + trainer.progress().step() + ", on with " + trainer.progress().learningRateScale()
                + " times the recipe's learning rate");
    }

    private void save(Trainer.State state) throws IOException {
        saved = trainer.progress();
        mendBest(saved); // first, or the best would be deleted as one of the old
        store.save(saved.step(), state::writeTo, observer::warn);
    }

    /** A full disk is no reason to end a run of days: the former checkpoint is there, and the next one may fit. */
    private boolean trySave() {
        try (var state = trainer.gather()) { // whatever comes of it: the other workers give their part now
            if (trainer.progress().equals(saved)) {
                return true;
            }
            writeInfo(); // first, or a run that is killed after its last checkpoint would end with an earlier result
            log.sync(); // a checkpoint must not know of more than the record does
            save(state);
            return true;
        } catch (IOException e) {
            saved = null;
            log.event("checkpoint failed", e.getMessage());
            observer.notSaved(e);
            return false;
        }
    }

    private void markBest(long step) {
        try {
            store.markBest(step);
        } catch (IOException e) {
            observer.warn(e.getMessage());
        }
    }

    /** A mark that is damaged is told of once; which epoch was the best is in the state, too. */
    private void mendBest(Progress progress) {
        if (progress.best() == null) {
            return;
        }
        try {
            store.mendBest(info.length().stepsAfter(progress.best().epoch()), sentence -> {
                if (!sentence.equals(brokenMark)) {
                    brokenMark = sentence;
                    observer.warn(sentence);
                }
            });
        } catch (IOException e) {
            observer.warn(e.getMessage());
        }
    }

    private RunInfo conclude(RunInfo.Status status) {
        info = info.with(status, info.result());
        writeInfo();
        return info;
    }

    private void writeInfo() {
        try {
            info.write(directory.infoFile());
        } catch (IOException e) {
            observer.warn(e.getMessage());
        }
        infoWritten = System.nanoTime();
    }

    /** Tells everybody who listens, then saves what is due to be saved. */
    private final class Recorder implements TrainingListener {
        @Override
        public void onStep(StepMetrics metrics) {
            listeners.forEach(listener -> listener.onStep(metrics));
            if (moments.after(metrics)) {
                trySave();
            }
        }

        @Override
        public void onEvaluation(int done, int all) {
            listeners.forEach(listener -> listener.onEvaluation(done, all));
        }

        @Override
        public void onEpoch(EpochMetrics epoch) {
            EpochMetrics metrics = probes == null ? epoch : probes.after(epoch, trainer);
            Progress progress = trainer.progress();
            info = info.with(
                    RunInfo.Status.running,
                    RunResult.after(metrics, progress, info.figures().judge(), info.result()));
            if (System.nanoTime() - infoWritten >= INFO_EVERY.toNanos()) {
                writeInfo();
            }
            listeners.forEach(listener -> listener.onEpoch(metrics));

            if (moments.after(metrics, progress) && trySave() && SaveMoments.isBest(progress)) {
                markBest(progress.step());
            }
        }
    }
}
