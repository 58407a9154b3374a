package io.polder.nn;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorBase;
import org.bytedeco.pytorch.TensorTensorHook;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Mean and variance of each channel over a batch that several share, in double precision and the same bits for all. Their gradient is
 * that of the mean loss over the whole batch: one exchange in the forward pass, and one in the backward pass.
 *
 * @param mean of each channel
 * @param variance divided by the count, not by one less
 * @param count of numbers in a channel, of all shares
 */
record SharedMoments(Tensor mean, Tensor variance, double count) {
    private static final long[] ALL_BUT_CHANNELS = {0, 2, 3};

    /** @param x this one's share, which may have no example: it takes part all the same */
    static SharedMoments of(Tensor x, SharedBatch batch) {
        long channels = x.size(1);
        double own = (double) x.numel() / channels;
        Tensor sums = sums(x, own);
        Tensor ofAll = added(sums, own, batch);
        double count = ofAll.narrow(0, 2 * channels, 1).item_double();

        // The sums of all, bit for bit, with the gradient of the own ones.
        Tensor all = ofAll.narrow(0, 0, 2 * channels).add(sums.sub(sums.detach()));
        if (all.requires_grad()) {
            all.register_hook(new MeanGradient(own, batch));
        }
        Tensor means = all.div(new Scalar(count));
        Tensor mean = means.narrow(0, 0, channels);
        Tensor variance = means.narrow(0, channels, channels).sub(mean.square());
        return new SharedMoments(mean, variance.clamp_min(new Scalar(0.0)), count);
    }

    /** Σx and Σx² of each channel. Squares are added in double precision only after those about the share's own mean: nothing cancels. */
    private static Tensor sums(Tensor x, double own) {
        if (own == 0) {
            Tensor nothing = x.sum(ALL_BUT_CHANNELS).to(torch.ScalarType.Double);
            return torch.cat(new TensorVector(nothing, nothing), 0);
        }
        var moments = torch.var_mean(x, ALL_BUT_CHANNELS, false, false);
        Tensor variance = moments.get0().to(torch.ScalarType.Double);
        Tensor mean = moments.get1().to(torch.ScalarType.Double);
        return torch.cat(new TensorVector(mean, variance.add(mean.square())), 0).mul(new Scalar(own));
    }

    private static Tensor added(Tensor sums, double own, SharedBatch batch) {
        Tensor count = torch.full(new long[] {1}, new Scalar(own), sums.options());
        Tensor ofAll = torch.cat(new TensorVector(sums.detach(), count), 0);
        batch.sum(ofAll);
        return ofAll;
    }

    /**
     * Each one's loss is the mean of its share, and their gradients will be averaged by the sizes of the shares: so is what comes back here.
     * It then stands for the gradient of the mean loss of all, to be weighted by the own share once more.
     */
    private static final class MeanGradient extends TensorTensorHook {
        private final double own;
        private final SharedBatch batch;

        MeanGradient(double own, SharedBatch batch) {
            this.own = own;
            this.batch = batch;
        }

        @Override
        public TensorBase call(TensorBase gradient) {
            Tensor sum = new Tensor(gradient).mul(new Scalar(own));
            batch.sum(sum);
            return own == 0 ? sum : sum.div_(new Scalar(own));
        }
    }
}
