package io.polder.train;

import io.polder.data.Batch;
import io.polder.nn.Network;
import io.polder.optim.Optimizer;
import io.polder.penalty.StepGradient;
import io.polder.tensor.Device;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.util.List;
import java.util.Optional;

/**
 * Trains a network: {@link #run()} is the whole of it.
 *
 * <p>From the constructor on the network's parameters are views into this trainer's flat vector: close the trainer after the
 * last use of the network. The loaders and the network stay the caller's to close. Interrupting the thread ends the run
 * between two steps.
 */
public final class Trainer implements AutoCloseable {
    private final Network network;
    private final TrainingPlan plan;
    private final TrainingData data;
    private final Device device;
    private final List<TrainingListener> listeners;

    private final FlatParameters parameters;
    private final ClassifierPass pass;
    private final Optimizer optimizer;

    public Trainer(
            Network network,
            TrainingPlan plan,
            TrainingData data,
            Device device,
            RandomStreams streams,
            List<TrainingListener> listeners) {
        this.network = network.moveTo(device);
        this.plan = plan;
        this.data = data;
        this.device = device;
        this.listeners = List.copyOf(listeners);
        parameters = FlatParameters.of(network.parametersByName());
        pass = new ClassifierPass(network, parameters, plan.objective(), streams);
        optimizer = plan.optimizer().get();
    }

    /** Trains for the plan's epochs and returns what the last one came to. */
    public EpochMetrics run() {
        EpochMetrics last = null;
        long step = 0;
        for (int epoch = 0; epoch < plan.epochs(); epoch++) {
            var meter = new EpochMeter(epoch);
            try (var batches = data.train().epoch(epoch)) {
                for (Batch batch : batches) {
                    try (var scope = Scope.open()) {
                        var tensors = BatchTensors.of(batch, data.normalization(), device);
                        double learningRate = plan.learningRate().at(step);

                        pass.on(tensors.images(), tensors.targets(), step);
                        StepGradient gradient = plan.scheme().computeGradient(pass, parameters, step);
                        plan.clip().apply(parameters, gradient.norm());
                        optimizer.step(parameters, learningRate);

                        double parameterNorm = parameters.values().norm();
                        var metrics =
                                meter.step(step, batch.size(), gradient, pass.error(), parameterNorm, learningRate);
                        listeners.forEach(listener -> listener.onStep(metrics));
                    }
                    step++;
                }
            }
            Optional<Evaluation> evaluation = plan.evaluatesAfter(epoch + 1)
                    ? Optional.of(Evaluation.of(network, data.test(), data.normalization(), device))
                    : Optional.empty();
            var metrics = meter.epoch(evaluation);
            listeners.forEach(listener -> listener.onEpoch(metrics));
            last = metrics;
        }
        return last;
    }

    @Override
    public void close() {
        optimizer.close();
        pass.close();
        parameters.close();
    }
}
