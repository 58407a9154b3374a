package io.polder.loss;

import io.polder.tensor.Numbers;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;

/** How much each class counts in a loss: a number for each, or none where all count alike. */
final class ClassWeights {
    private ClassWeights() {}

    static List<Double> checked(List<Double> weights) {
        for (double weight : weights) {
            if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "a class weight is " + weight + ": it must be a finite number above 0");
            }
        }
        return List.copyOf(weights);
    }

    /** For the engine; in the caller's scope. */
    static TensorOptional beside(Tensor logits, List<Double> weights) {
        return weights.isEmpty() ? new TensorOptional() : new TensorOptional(tensor(logits, weights));
    }

    /** The numbers times their classes' weights; in the caller's scope. */
    static Tensor times(Tensor numbers, List<Double> weights) {
        return weights.isEmpty() ? numbers : numbers.mul(tensor(numbers, weights));
    }

    private static Tensor tensor(Tensor logits, List<Double> weights) {
        if (logits.size(1) != weights.size()) {
            throw new IllegalArgumentException("there are " + weights.size() + " class weights where there are "
                    + logits.size(1) + " classes: give one for each class");
        }
        return Numbers.like(
                logits, weights.stream().mapToDouble(Double::doubleValue).toArray());
    }
}
