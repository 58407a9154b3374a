package io.polder.train;

import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.nn.SavedBuffers;
import io.polder.nn.SoftCrossEntropy;
import io.polder.optim.L2InLoss;
import io.polder.penalty.LossPass;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Precision;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The loss of a network on one batch, and its gradient: what a scheme calls once or twice a step.
 *
 * <p>Both passes get the same images and a generator that starts from the same state (F1), and are told which they are, so that
 * only the first updates running statistics (F2). A batch may go through in micro-batches: the gradient of all of them is
 * complete before the scheme perturbs anything (F10). A step that is refused leaves running statistics as they were (F4).
 *
 * <p>The loss that is returned is the cross-entropy alone; the L2 term is in the gradient. Closing frees what L2 needed, not
 * the network; the copy of its running statistics is in the scope of whoever made the pass.
 */
public final class ClassifierPass implements LossPass, AutoCloseable {
    private final Network network;
    private final FlatParameters parameters;
    private final Objective objective;
    private final L2InLoss l2;
    private final RandomStreams streams;
    private final SavedBuffers before;

    private Tensor images;
    private Tensor targets;
    private long step;
    private long errors;
    private boolean leftTraces;

    public ClassifierPass(Network network, FlatParameters parameters, Objective objective, RandomStreams streams) {
        this.network = network;
        this.parameters = parameters;
        this.objective = objective;
        this.l2 = new L2InLoss(objective.l2(), objective.l2SkipsVectors(), parameters);
        this.streams = streams;
        before = new SavedBuffers(network);
    }

    /**
     * The batch to compute on from now on.
     *
     * @param images normalised, (n, channels, height, width); the caller's scope keeps them alive
     * @param targets probabilities, (n, classes)
     * @param step names the random draws
     */
    public ClassifierPass on(Tensor images, Tensor targets, long step) {
        this.images = images;
        this.targets = targets;
        this.step = step;
        leftTraces = false;
        return this;
    }

    @Override
    public double compute(Pass pass) {
        if (pass.isAtTheta()) {
            errors = 0;
            before.save();
            leftTraces = true;
        }
        try {
            return computeGradient(pass);
        } catch (RuntimeException | Error e) {
            takeBack();
            throw e;
        }
    }

    private double computeGradient(Pass pass) {
        parameters.gradient().setZero();
        long n = images.size(0);
        double total = 0;
        for (long first = 0; first < n; first += objective.microBatch()) {
            long count = Math.min(objective.microBatch(), n - first);
            try (var scope = Scope.open()) {
                var forward = Forward.training(pass, streams.generator("forward", step, first));
                Tensor expected = targets.narrow(0, first, count);
                Tensor logits = logits(images.narrow(0, first, count), forward);
                Tensor loss = objective.loss().mean(logits, expected);
                if (count < n) {
                    loss = loss.mul(new Scalar((double) count / n));
                }
                loss.backward();
                total += loss.item_double();
                if (pass.isAtTheta()) {
                    errors += SoftCrossEntropy.errors(logits, expected);
                }
            }
        }
        l2.addGradient(parameters);
        return total;
    }

    /** Running statistics are again what they were before the batch's last pass at θ. */
    @Override
    public void takeBack() {
        if (leftTraces) {
            before.putBack();
            leftTraces = false;
        }
    }

    /** In float32, whatever the network computed in: the loss of 16-bit logits would be too coarse. */
    private Tensor logits(Tensor part, Forward forward) {
        try (var casting = objective.precision().casting(part)) {
            Tensor logits = network.forward(part, forward);
            return objective.precision() == Precision.FLOAT32 ? logits : logits.to(torch.ScalarType.Float);
        }
    }

    /** The share of the batch that the pass at θ got wrong, seen before the step. */
    public double error() {
        return (double) errors / images.size(0);
    }

    @Override
    public void close() {
        l2.close();
    }
}
