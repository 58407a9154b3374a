package io.polder.loss;

import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Cross-entropy that looks away from what is easy (Lin et al., ICCV 2017): each term is multiplied by (1 − p)^γ, with p what the network gives
 * the answer that the term is about. γ = 0 is cross-entropy.
 *
 * <p>{@link #ofOneClass} has p by the softmax: −Σ w·q·(1 − p)^γ·log p over the classes, averaged over the examples. {@link #ofLabels} asks of each
 * label by itself, as the paper and torchvision's {@code sigmoid_focal_loss} do: −w·q·(1 − p)^γ·log p − (1 − q)·p^γ·log(1 − p) with p = σ(z),
 * averaged over labels and examples. Their α, one number for yes and its rest for no, is 1 here; w is in its place. Targets are
 * smoothed as {@link SoftCrossEntropy} and {@link BinaryCrossEntropy} smooth them; torchvision's value is another where they are neither 0 nor 1.
 *
 * @param gamma γ; 2 is the paper's
 * @param isOfLabels whether each class is a question of its own
 * @param weights w, of each class; none: 1
 */
public record FocalLoss(double gamma, boolean isOfLabels, double labelSmoothing, List<Double> weights) implements Loss {
    public FocalLoss {
        if (!(gamma >= 0 && gamma < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("gamma is " + gamma + ": it must be a finite number of at least 0");
        }
        SoftCrossEntropy.requireShare(labelSmoothing);
        weights = ClassWeights.checked(weights);
    }

    /** Where an example is of one class. */
    public static FocalLoss ofOneClass(double gamma, double labelSmoothing, List<Double> weights) {
        return new FocalLoss(gamma, false, labelSmoothing, weights);
    }

    /** Where an example has any number of labels; weights are those of the labels that it has. */
    public static FocalLoss ofLabels(double gamma, double labelSmoothing, List<Double> weights) {
        return new FocalLoss(gamma, true, labelSmoothing, weights);
    }

    @Override
    public Tensor mean(Tensor logits, Tensor targets) {
        return each(logits, targets).mean();
    }

    @Override
    public Tensor each(Tensor logits, Tensor targets) {
        SoftCrossEntropy.requireOutputs(logits, targets);
        return isOfLabels ? ofLabels(logits, targets) : ofOneClass(logits, targets);
    }

    private Tensor ofOneClass(Tensor logits, Tensor targets) {
        Tensor q = smoothed(targets, labelSmoothing / targets.size(1));
        Tensor logP = logits.log_softmax(1);
        // Not 0, where the derivative of a power below 1 is infinite.
        Tensor rest = logP.expm1().neg().clamp_min(new Scalar((double) Float.MIN_NORMAL));
        return ClassWeights.times(q.mul(rest.pow(new Scalar(gamma))).mul(logP), weights)
                .sum(1)
                .neg();
    }

    private Tensor ofLabels(Tensor logits, Tensor targets) {
        Tensor q = smoothed(targets, labelSmoothing / 2);
        Tensor logYes = torch.log_sigmoid(logits);
        Tensor logNo = torch.log_sigmoid(logits.neg());
        Scalar factor = new Scalar(gamma);
        Tensor yes = ClassWeights.times(q.mul(logNo.mul(factor).exp()).mul(logYes), weights);
        Tensor no = q.neg().add(new Scalar(1.0)).mul(logYes.mul(factor).exp()).mul(logNo);
        return yes.add(no).mean(1).neg();
    }

    private Tensor smoothed(Tensor targets, double share) {
        return labelSmoothing == 0
                ? targets
                : targets.mul(new Scalar(1 - labelSmoothing)).add(new Scalar(share));
    }
}
