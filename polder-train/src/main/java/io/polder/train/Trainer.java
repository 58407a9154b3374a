package io.polder.train;

import io.polder.loss.NetworkPass;
import io.polder.nn.Network;
import io.polder.optim.Optimizer;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.NonFiniteStepException;
import io.polder.penalty.StepGradient;
import io.polder.tensor.Device;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.bytedeco.pytorch.Tensor;

/**
 * Trains a network: {@link #run(BooleanSupplier)} is the whole of it.
 *
 * <p>From the constructor on the network's parameters are views into this trainer's flat vector: close the trainer after the
 * last use of the network. The loaders and the network stay the caller's to close. Interrupting the thread ends the run
 * between two steps.
 *
 * <p>Between two steps, so also in a listener, the state can be saved. A trainer that was made in the same way and resumes from it
 * goes on to the same bits (F12).
 */
public final class Trainer implements AutoCloseable {
    private final Network network;
    private final TrainingPlan plan;
    private final TrainingData data;
    private final Device device;
    private final List<TrainingListener> listeners;
    private final Workers workers;

    private final FlatParameters parameters;
    private final NetworkPass pass;
    private final GradientScheme scheme;
    private final Optimizer optimizer;
    private final Optional<MovingAverage> average;
    private Progress progress = Progress.START;
    private Task.Tally tally;
    private EpochMetrics last;

    public Trainer(
            Network network,
            TrainingPlan plan,
            TrainingData data,
            Device device,
            RandomStreams streams,
            List<TrainingListener> listeners) {
        this(network, plan, data, device, streams, listeners, Workers.alone());
    }

    /**
     * As one of several workers.
     *
     * @param data this worker's share of every batch
     */
    public Trainer(
            Network network,
            TrainingPlan plan,
            TrainingData data,
            Device device,
            RandomStreams streams,
            List<TrainingListener> listeners,
            Workers workers) {
        this.network = network.moveTo(device);
        this.plan = plan;
        this.data = data;
        this.device = device;
        this.listeners = List.copyOf(listeners);
        this.workers = workers;
        tally = plan.task().trainingTally();
        parameters = FlatParameters.of(network.parametersByName());
        pass = new NetworkPass(
                network, parameters, plan.task().loss(), plan.pass(), streams, new Counter(), workers.sharedBatch());
        scheme = plan.scheme().get();
        optimizer = plan.optimizer().get();
        average = plan.average().stream()
                .mapToObj(decay -> new MovingAverage(network, parameters, decay))
                .findAny();
    }

    /** Trains to the end of the plan and returns what the last epoch came to. */
    public EpochMetrics run() {
        run(() -> false);
        return last;
    }

    /**
     * Trains to the end of the plan, or until asked to stop, which is looked at before each step.
     *
     * @return whether the end was reached
     * @throws DivergedException if a loss or gradient is not finite, or beyond the plan's limit; the progress is that before the
     *     step, and so is the network, unless it is the weights or their norm that are not finite
     * @throws NotEnoughMemoryException if the engine finds no room; progress and network are those before the step
     */
    public boolean run(BooleanSupplier stop) {
        while (!plan.isDoneBy(progress)) {
            var clock = new Stopwatch();
            try (var batches = data.train().epoch(progress.epoch(), progress.batch())) {
                while (batches.hasNext() && progress.step() < plan.steps()) {
                    Batches.Batch batch = batches.next();
                    if (workers.stop(stop)) {
                        return false;
                    }
                    StepMetrics metrics = step(batch, clock);
                    listeners.forEach(listener -> listener.onStep(metrics));
                }
            }
            Optional<Evaluation> evaluation = Optional.empty();
            Progress next = progress.afterEpoch(progress.best());
            if (plan.evaluatesAfter(progress)) {
                evaluation = evaluate(data.sample(), stop);
                next = progress.afterEpoch(better(evaluation)); // by the same examples as all before it
                if (evaluation.isPresent() && plan.isDoneBy(next) && data.sample() != data.test()) {
                    evaluation = evaluate(data.test(), stop);
                }
                if (evaluation.isEmpty()) {
                    return false;
                }
            }
            last = EpochMetrics.of(progress, clock, evaluation);
            progress = next;
            listeners.forEach(listener -> listener.onEpoch(last));
            workers.bePatient();
        }
        return true;
    }

    /** One step of training: the gradient of the scheme, of all workers, clipped, and the optimizer's move. */
    private StepMetrics step(Batches.Batch batch, Stopwatch clock) {
        long step = progress.step();
        try (var scope = Scope.open()) {
            double learningRate = plan.learningRate().at(step) * progress.learningRateScale();
            List<Figure> training = plan.task().figures().training();

            put(batch);
            StepOutcome outcome = workers.combine(batch, pass, parameters, step, training, seen -> {
                StepGradient own = scheme.computeGradient(seen, parameters, step);
                return new StepOutcome(own, Figures.only(training, tally.figures()));
            });
            StepGradient gradient = outcome.gradient();
            requireStable(gradient);
            plan.clip().apply(parameters, gradient.norm());
            optimizer.step(parameters, learningRate);
            average.ifPresent(weights -> weights.update(step + 1));

            double parameterNorm = parameters.values().norm();
            if (!Double.isFinite(parameterNorm)) {
                String what = parameters.values().isFinite()
                        ? "the parameters are finite, but so large that their norm is not"
                        : "the parameters are no longer finite";
                throw new DivergedException(step, what, step + 1);
            }
            progress = progress.afterStep(
                    progress.sums().plus(batch.whole(), gradient, outcome.figures(), parameterNorm, learningRate),
                    progress.norms().plus(gradient.norm()));
            return new StepMetrics(
                    step,
                    progress.epoch(),
                    gradient.loss(),
                    gradient.referenceNorm(),
                    gradient.norm(),
                    parameterNorm,
                    learningRate,
                    Figures.ofStep(outcome.figures(), gradient.figures()),
                    clock.lap(batch.whole()));
        } catch (NonFiniteStepException e) {
            throw new DivergedException(e);
        } catch (RuntimeException e) {
            throw NotEnoughMemoryException.inPlaceOf(e, "step " + step);
        }
    }

    /** Puts the batch before the network, or this worker's share of it, which may be nothing. */
    private void put(Batches.Batch batch) {
        if (batch.size() == 0 && workers.sharedBatch() == null) {
            pass.onNothing();
            return;
        }
        Batches.Examples examples = batch.on(device);
        pass.on(examples.inputs(), examples.targets(), progress.step(), batch.first());
    }

    private void requireStable(StepGradient gradient) {
        if (progress.norms().isExceededBy(gradient.norm(), plan.divergenceFactor())) {
            pass.takeBack();
            throw new DivergedException(
                    progress.step(),
                    "the gradient's norm is %.4g (‖g1‖ is %.4g, the loss %.4g), more than %.4g times the largest before it, %.4g"
                            .formatted(
                                    gradient.norm(),
                                    gradient.referenceNorm(),
                                    gradient.loss(),
                                    plan.divergenceFactor(),
                                    progress.norms().largest()),
                    progress.step());
        }
    }

    /** How the network does now on what it is judged by: its average, where it has one. Empty when asked to stop. */
    public Optional<Evaluation> evaluate(BooleanSupplier stop) {
        return evaluate(data.test(), stop);
    }

    private Optional<Evaluation> evaluate(Batches examples, BooleanSupplier stop) {
        try (var inUse = average.map(MovingAverage::inUse).orElse(null);
                var statistics = workers.meanStatistics(network)) {
            return Evaluation.of(network, plan.task(), examples, device, workers, stop, this::tell);
        } catch (RuntimeException e) {
            throw NotEnoughMemoryException.inPlaceOf(e, "the evaluation after step " + progress.step());
        }
    }

    private void tell(int done, int all) {
        listeners.forEach(listener -> listener.onEvaluation(done, all));
    }

    private Progress.Best better(Optional<Evaluation> evaluation) {
        Progress.Best best = progress.best();
        Figure judge = plan.task().figures().judge();
        return evaluation
                .map(now -> now.figure(judge))
                .filter(value -> best == null || judge.isBetter(value, best.value()))
                .map(value -> new Progress.Best(progress.epoch() + 1, value))
                .orElse(best);
    }

    public Progress progress() {
        return progress;
    }

    /** Lets somebody look at the network between two steps, who leaves it as it is but for the gradient buffer. */
    public void inspect(BiConsumer<Network, FlatParameters> look) {
        look.accept(network, parameters);
    }

    /** Writes all that a run needs to go on, in several files of the directory, which must be there. */
    public void saveTo(Path directory) throws IOException {
        try (var state = gather()) {
            state.writeTo(directory);
        }
    }

    /** All that a run needs to go on. Several workers ask for it at the same moment, and rank 0 writes it. */
    public State gather() {
        return new State(true);
    }

    /** Likewise, of rank 0 alone, before the first step: the others have nothing for themselves yet. */
    public State beginning() {
        return new State(false);
    }

    /** To be written before the next step, or not at all, and closed. */
    public final class State implements AutoCloseable {
        private final Scope scope = Scope.withoutGradient();
        private final List<Map<String, Tensor>> ofWorkers;

        private State(boolean fromAll) {
            try {
                ofWorkers = fromAll ? workers.gather(Snapshot.own(network, parameters, scheme, average)) : List.of();
            } catch (RuntimeException e) {
                scope.close();
                throw e;
            }
            workers.bePatient();
        }

        public void writeTo(Path directory) throws IOException {
            new Snapshot(directory).write(network, parameters, scheme, optimizer, average, progress, ofWorkers);
        }

        @Override
        public void close() {
            scope.close();
        }
    }

    /** Goes on from what {@link #saveTo} wrote for the same plan, network and data. */
    public void resumeFrom(Path directory) throws IOException {
        progress = new Snapshot(directory).read(network, parameters, scheme, optimizer, average, workers);
    }

    /**
     * Goes back to what was saved, after the present training diverged, to go on from there with smaller steps.
     *
     * @return false if a number that was saved is not finite; then all is as it was
     */
    public boolean restartFrom(Path directory, double learningRateFactor) throws IOException {
        if (!new Snapshot(directory).isFinite()) {
            return false;
        }
        Progress diverged = progress;
        resumeFrom(directory);
        progress = progress.again(diverged.restarts() + 1, diverged.learningRateScale() * learningRateFactor);
        return true;
    }

    /** Lets the task count what the network says of a batch at θ. */
    private final class Counter implements NetworkPass.Outputs {
        @Override
        public void begin() {
            tally = plan.task().trainingTally();
        }

        @Override
        public void see(Tensor outputs, Tensor targets) {
            tally.add(outputs, targets);
        }
    }

    @Override
    public void close() {
        average.ifPresent(MovingAverage::close);
        optimizer.close();
        scheme.close();
        pass.close();
        parameters.close();
    }
}
