package io.polder.train;

import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.tensor.Device;
import io.polder.tensor.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.bytedeco.pytorch.Tensor;

/**
 * How a network does on examples it was not trained on, in inference mode.
 *
 * @param figures of the task, by name
 */
public record Evaluation(Map<String, Double> figures, long examples) {
    public Evaluation {
        figures = Map.copyOf(figures);
    }

    public static Evaluation of(Network network, Task task, Batches examples, Device device) {
        return of(network, task, examples, device, Workers.alone(), () -> false, (done, all) -> {})
                .orElseThrow();
    }

    /** @param probabilities gets those of the classes for each example, in their order: see {@link #probabilities} */
    public static Evaluation of(
            Network network, Task task, Batches examples, Device device, Consumer<double[]> probabilities) {
        return of(
                        network,
                        task,
                        examples,
                        device,
                        Workers.alone(),
                        () -> false,
                        outputs -> List.of(task.probabilities(outputs)).forEach(probabilities),
                        (done, all) -> {})
                .orElseThrow();
    }

    /**
     * Several workers share each batch, and each of them counts what all found: the same figures, whatever their number.
     *
     * @param stop looked at before each batch; empty if it is found true
     * @param watcher is told how many batches are done, of how many
     */
    static Optional<Evaluation> of(
            Network network,
            Task task,
            Batches examples,
            Device device,
            Workers workers,
            BooleanSupplier stop,
            Watcher watcher) {
        return of(network, task, examples, device, workers, stop, outputs -> {}, watcher);
    }

    /** Somebody who waits for its end. */
    interface Watcher {
        void batch(int done, int all);
    }

    private static Optional<Evaluation> of(
            Network network,
            Task task,
            Batches examples,
            Device device,
            Workers workers,
            BooleanSupplier stop,
            Consumer<Tensor> watching,
            Watcher watcher) {
        Task.Tally tally = task.evaluationTally();
        long count = 0;
        int done = 0;
        try (var batches = examples.epoch(0, 0)) {
            while (batches.hasNext()) {
                Batches.Batch batch = batches.next();
                if (workers.stopNow(stop)) {
                    return Optional.empty();
                }
                try (var scope = Scope.withoutGradient()) {
                    Tensor outputs = null;
                    Tensor targets = null;
                    if (batch.size() > 0) {
                        var tensors = batch.on(device);
                        outputs = network.forward(tensors.inputs(), Forward.INFERENCE);
                        targets = tensors.targets();
                    }
                    Tensor all = workers.rows(outputs);
                    tally.add(all, workers.rows(targets));
                    watching.accept(all);
                    count += batch.whole();
                }
                watcher.batch(++done, examples.perEpoch());
            }
        }
        Map<String, Double> figures = Figures.only(task.figures().evaluation(), tally.figures());
        return Optional.of(new Evaluation(workers.asRankZero(figures), count));
    }

    /** What a network thinks of each example, in their order: the probabilities of the classes, by label. */
    public static List<double[]> probabilities(Network network, Task task, Batches examples, Device device) {
        List<double[]> probabilities = new ArrayList<>();
        try (var batches = examples.epoch(0, 0)) {
            while (batches.hasNext()) {
                Batches.Batch batch = batches.next();
                try (var scope = Scope.withoutGradient()) {
                    Tensor outputs = network.forward(batch.on(device).inputs(), Forward.INFERENCE);
                    probabilities.addAll(List.of(task.probabilities(outputs)));
                }
            }
        }
        return probabilities;
    }

    /** NaN where there is none of that name. */
    public double figure(String name) {
        return figures.getOrDefault(name, Double.NaN);
    }

    public double figure(Figure figure) {
        return figure(figure.name());
    }
}
