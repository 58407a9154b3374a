package io.polder.nn;

import io.polder.tensor.Scope;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * Batch normalisation whose running statistics are updated at θ only: the weights of the perturbed pass are not the
 * model's, so what it measures must not enter the model. Every pass normalises with the batch's own statistics: where
 * {@link Forward#shared several share the batch}, with those of all of it.
 */
public final class BatchNorm2d extends Module {
    /** The share of the newest batch in the running statistics: PyTorch's 0.1, which others write as a momentum of 0.9. */
    private static final double NEWEST = 0.1;

    private static final double EPSILON = 1e-5;

    private final Tensor weight;
    private final Tensor bias;
    private final Tensor runningMean;
    private final Tensor runningVariance;
    private final Tensor batchesSeen;

    /** Keeps the handles it made: those that {@code register_…} returns dangle as soon as another is registered. */
    public BatchNorm2d(long channels) {
        weight = torch.ones(channels);
        bias = torch.zeros(channels);
        runningMean = torch.zeros(channels);
        runningVariance = torch.ones(channels);
        batchesSeen = torch.zeros(new long[0], new TensorOptions(torch.ScalarType.Long));
        register_parameter("weight", weight);
        register_parameter("bias", bias);
        register_buffer("running_mean", runningMean);
        register_buffer("running_var", runningVariance);
        register_buffer("num_batches_tracked", batchesSeen);
    }

    public Tensor forward(Tensor x, Forward forward) {
        boolean update = forward.training() && forward.pass().isAtTheta();
        boolean withoutStatistics = forward.training() && !update;
        if (update) {
            batchesSeen.add_(new Scalar(1L));
        }
        if (forward.training() && forward.shared() != null) {
            Tensor wide = x.to(weight.scalar_type()); // of 16-bit numbers the statistics would be too coarse
            return normalized(wide, SharedMoments.of(wide, forward.shared()), update)
                    .to(x.scalar_type());
        }
        return torch.batch_norm(
                x,
                new TensorOptional(weight),
                new TensorOptional(bias),
                withoutStatistics ? new TensorOptional() : new TensorOptional(runningMean),
                withoutStatistics ? new TensorOptional() : new TensorOptional(runningVariance),
                forward.training(),
                NEWEST,
                EPSILON,
                true);
    }

    private Tensor normalized(Tensor x, SharedMoments moments, boolean update) {
        if (update) {
            double unbiased = moments.count() / Math.max(1, moments.count() - 1);
            learn(runningMean, moments.mean(), 1);
            learn(runningVariance, moments.variance(), unbiased);
        }
        torch.ScalarType type = weight.scalar_type();
        Tensor scale =
                moments.variance().add(new Scalar(EPSILON)).rsqrt().to(type).mul(weight);
        Tensor centred = x.sub(byChannel(moments.mean().to(type)));
        return torch.addcmul(byChannel(bias), centred, byChannel(scale));
    }

    private static void learn(Tensor running, Tensor newest, double factor) {
        try (var scope = Scope.withoutGradient()) {
            running.mul_(new Scalar(1 - NEWEST))
                    .add_(newest.detach().to(running.scalar_type()), new Scalar(NEWEST * factor));
        }
    }

    private static Tensor byChannel(Tensor numbers) {
        return numbers.view(1, -1, 1, 1);
    }

    /** With the running statistics. */
    public Script script() {
        return Script.of(
                "BatchNorm2d",
                "return torch.batch_norm(x, self.weight, self.bias, self.running_mean, self.running_var, False, "
                        + NEWEST + ", " + EPSILON + ", True)");
    }
}
