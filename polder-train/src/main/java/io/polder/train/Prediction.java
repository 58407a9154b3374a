package io.polder.train;

import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.tensor.Device;
import io.polder.tensor.Scope;
import java.util.ArrayList;
import java.util.List;

/**
 * What a network thinks of an example.
 *
 * @param probabilities of the classes, by label
 */
public record Prediction(double[] probabilities) {
    /** Of all examples, in their order. */
    public static List<Prediction> of(Network network, Task task, Batches examples, Device device) {
        List<Prediction> predictions = new ArrayList<>();
        try (var batches = examples.epoch(0, 0)) {
            while (batches.hasNext()) {
                Batches.Batch batch = batches.next();
                try (var scope = Scope.withoutGradient()) {
                    var outputs = network.forward(batch.on(device).inputs(), Forward.INFERENCE);
                    for (double[] probabilities : task.probabilities(outputs)) {
                        predictions.add(new Prediction(probabilities));
                    }
                }
            }
        }
        return predictions;
    }
}
