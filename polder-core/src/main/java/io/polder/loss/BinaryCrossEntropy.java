package io.polder.loss;

import io.polder.tensor.Scope;
import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * Binary cross-entropy: −q·log σ(z) − (1 − q)·log(1 − σ(z)) of every label's logit z, averaged over labels and examples, with
 * q = (1 − smoothing)·p + smoothing/2. Labels are 0 or 1, as many 1 as there are; mixup and CutMix give numbers between.
 *
 * <p>Smoothing is that of Keras: each label is a question of two answers, between which the share is divided. PyTorch's loss has none, and
 * timm's divides the share by the number of labels, as if only one could be 1.
 *
 * <p>With weights it is −w·q·log σ(z) − (1 − q)·log(1 − σ(z)): PyTorch's {@code pos_weight}.
 *
 * @param labelSmoothing how much of each target is replaced by ½; 0 for none
 * @param weights w, of each label; none: 1
 */
public record BinaryCrossEntropy(double labelSmoothing, List<Double> weights) implements Loss {
    /** ATen's code for "the mean". */
    private static final long MEAN = 1;

    public BinaryCrossEntropy {
        SoftCrossEntropy.requireShare(labelSmoothing);
        weights = ClassWeights.checked(weights);
    }

    /** Yes and no count alike. */
    public BinaryCrossEntropy(double labelSmoothing) {
        this(labelSmoothing, List.of());
    }

    /**
     * The mean loss of a batch, with gradients recorded.
     *
     * @param targets of the shape of the logits
     */
    @Override
    public Tensor mean(Tensor logits, Tensor targets) {
        SoftCrossEntropy.requireOutputs(logits, targets);
        Tensor smoothed = labelSmoothing == 0
                ? targets
                : targets.mul(new Scalar(1 - labelSmoothing)).add(new Scalar(labelSmoothing / 2));
        return torch.binary_cross_entropy_with_logits(
                logits, smoothed, new TensorOptional(), ClassWeights.beside(logits, weights), MEAN);
    }

    /** What logits say of each image: how likely each label is, by itself. */
    public static double[][] probabilities(Tensor logits) {
        try (var scope = Scope.withoutGradient()) {
            return SoftCrossEntropy.rows(logits.to(torch.ScalarType.Double).sigmoid());
        }
    }

    /** How many labels, of all examples, are on the wrong side of ½. */
    public static long errors(Tensor logits, Tensor targets) {
        return logits.gt(new Scalar(0.0)).ne(targets.gt(new Scalar(0.5))).sum().item_long();
    }
}
