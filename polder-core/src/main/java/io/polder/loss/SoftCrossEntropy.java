package io.polder.loss;

import io.polder.tensor.Numbers;
import io.polder.tensor.Scope;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Cross-entropy against probabilities: −Σ q·log softmax(logits), averaged over the batch, with
 * q = (1 − smoothing)·p + smoothing/classes. Plain labels are one-hot probabilities; mixup and CutMix give others.
 *
 * <p>With weights it is −Σ w·q·log softmax(logits), still divided by the number of examples: PyTorch's formula for targets that are
 * probabilities. (For those that are numbers of classes PyTorch divides by the sum of the weights, so that a batch's parts would not add up.)
 *
 * @param labelSmoothing how much of each target is spread over all classes; 0 for none
 * @param weights w, of each class; none: 1
 */
public record SoftCrossEntropy(double labelSmoothing, List<Double> weights) implements Loss {
    /** ATen's code for "the mean over the batch". */
    private static final long MEAN = 1;

    /** And for "no mean". */
    private static final long NONE = 0;

    /** ATen's default; it means nothing where targets are probabilities. */
    private static final long IGNORE_INDEX = -100;

    public SoftCrossEntropy {
        requireShare(labelSmoothing);
        weights = ClassWeights.checked(weights);
    }

    /** All classes count alike. */
    public SoftCrossEntropy(double labelSmoothing) {
        this(labelSmoothing, List.of());
    }

    static void requireShare(double labelSmoothing) {
        if (!(labelSmoothing >= 0 && labelSmoothing < 1)) {
            throw new IllegalArgumentException(
                    "labelSmoothing is " + labelSmoothing + ": it must be at least 0 and below 1");
        }
    }

    static void requireOutputs(Tensor logits, Tensor targets) {
        if (logits.size(1) != targets.size(1)) {
            throw new IllegalArgumentException("the network has " + logits.size(1) + " outputs where there are "
                    + targets.size(1) + " classes: give it one for each class");
        }
    }

    /**
     * The mean loss of a batch, with gradients recorded.
     *
     * @param probabilities of the shape of the logits
     */
    @Override
    public Tensor mean(Tensor logits, Tensor probabilities) {
        return loss(logits, probabilities, MEAN);
    }

    @Override
    public Tensor each(Tensor logits, Tensor probabilities) {
        return loss(logits, probabilities, NONE);
    }

    private Tensor loss(Tensor logits, Tensor probabilities, long reduction) {
        requireOutputs(logits, probabilities);
        return torch.cross_entropy_loss(
                logits, probabilities, ClassWeights.beside(logits, weights), reduction, IGNORE_INDEX, labelSmoothing);
    }

    /** What logits say of each image, as probabilities of the classes. */
    public static double[][] probabilities(Tensor logits) {
        try (var scope = Scope.withoutGradient()) {
            return rows(logits.to(torch.ScalarType.Double).softmax(1));
        }
    }

    static double[][] rows(Tensor numbers) {
        double[][] rows = new double[(int) numbers.size(0)][];
        int width = (int) numbers.size(1);
        double[] all = Numbers.of(numbers);
        for (int i = 0; i < rows.length; i++) {
            rows[i] = Arrays.copyOfRange(all, i * width, (i + 1) * width);
        }
        return rows;
    }

    /** How many images' likeliest class is not that of their target. */
    public static long errors(Tensor logits, Tensor probabilities) {
        return logits.argmax(new LongOptional(1), false)
                .ne(probabilities.argmax(new LongOptional(1), false))
                .sum()
                .item_long();
    }

    /**
     * How many images' class is not among their {@code k} likeliest; 0 where there are no more classes than that.
     *
     * @param probabilities the class is their likeliest
     */
    public static long errorsAmong(Tensor logits, Tensor probabilities, int k) {
        if (k < 1) {
            throw new IllegalArgumentException("k is " + k + ": it must be at least 1");
        }
        if (logits.size(1) <= k) {
            return 0;
        }
        Tensor likeliest = logits.topk(k, 1, true, false).get1();
        long hits = likeliest
                .eq(probabilities.argmax(new LongOptional(1), true))
                .sum()
                .item_long();
        return logits.size(0) - hits;
    }
}
