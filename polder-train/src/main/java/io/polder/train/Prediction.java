package io.polder.train;

import io.polder.data.Batch;
import io.polder.data.Loader;
import io.polder.data.Normalization;
import io.polder.loss.SoftCrossEntropy;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.tensor.Device;
import io.polder.tensor.Scope;
import java.util.ArrayList;
import java.util.List;

/**
 * What a network thinks of an image.
 *
 * @param probabilities of the classes, by label
 */
public record Prediction(double[] probabilities) {
    /** Of all images of a loader that does not shuffle, in their order. */
    public static List<Prediction> of(Network network, Loader loader, Normalization normalization, Device device) {
        List<Prediction> predictions = new ArrayList<>();
        try (var batches = loader.epoch(0)) {
            for (Batch batch : batches) {
                try (var scope = Scope.withoutGradient()) {
                    var images = BatchTensors.of(batch, normalization, device).images();
                    var logits = network.forward(images, Forward.INFERENCE);
                    for (double[] probabilities : SoftCrossEntropy.probabilities(logits)) {
                        predictions.add(new Prediction(probabilities));
                    }
                }
            }
        }
        return predictions;
    }
}
