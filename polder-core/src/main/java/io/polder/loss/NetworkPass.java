package io.polder.loss;

import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.nn.SavedBuffers;
import io.polder.nn.SharedBatch;
import io.polder.penalty.LossPass;
import io.polder.tensor.Device;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.MathAttention;
import io.polder.tensor.Numbers;
import io.polder.tensor.Precision;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The loss of a network on one batch, and its gradient: what a scheme calls once or twice a step.
 *
 * <p>Both passes get the same inputs and a generator that starts from the same state (F1), and are told which they are, so that
 * only the first updates running statistics (F2). A batch may go through in micro-batches: the gradient of all of them is
 * complete before the scheme perturbs anything (F10). A step that is refused leaves running statistics as they were (F4).
 *
 * <p>The loss that is returned is without the L2 term, which is in the gradient. Closing frees what L2 needed, not the network; the
 * copy of its running statistics is in the scope of whoever made the pass.
 */
public final class NetworkPass implements LossPass, AutoCloseable {
    /** Sees what the network said of a batch at θ, for whoever counts something there. Changes nothing. */
    public interface Outputs {
        /** A pass over a batch begins. */
        default void begin() {}

        /** A part of the batch went through; the tensors live until this returns. */
        default void see(Tensor outputs, Tensor targets) {}
    }

    private final Network network;
    private final FlatParameters parameters;
    private final Loss loss;
    private final PassOptions options;
    private final L2InLoss l2;
    private final RandomStreams streams;
    private final Outputs watcher;
    private final SavedBuffers before;
    private final SharedBatch shared;

    private Part batch;
    private long step;
    private boolean leftTraces;

    public NetworkPass(
            Network network, FlatParameters parameters, Loss loss, PassOptions options, RandomStreams streams) {
        this(network, parameters, loss, options, streams, new Outputs() {});
    }

    public NetworkPass(
            Network network,
            FlatParameters parameters,
            Loss loss,
            PassOptions options,
            RandomStreams streams,
            Outputs watcher) {
        this(network, parameters, loss, options, streams, watcher, null);
    }

    /** @param shared who else has a share of every batch, where its statistics are to be those of all; null: nobody */
    public NetworkPass(
            Network network,
            FlatParameters parameters,
            Loss loss,
            PassOptions options,
            RandomStreams streams,
            Outputs watcher,
            SharedBatch shared) {
        this.network = network;
        this.parameters = parameters;
        this.loss = loss;
        this.options = options;
        this.l2 = new L2InLoss(options.l2(), options.l2SkipsVectors(), options.groups(), parameters);
        this.streams = streams;
        this.watcher = watcher;
        this.shared = shared;
        before = new SavedBuffers(network);
    }

    /**
     * The batch to compute on from now on.
     *
     * @param inputs as the network takes them; the first dimension counts examples. The caller's scope keeps them alive
     * @param targets as the loss takes them, one for each example
     * @param step names the random draws
     */
    public NetworkPass on(Tensor inputs, Tensor targets, long step) {
        return on(inputs, targets, step, 0);
    }

    /**
     * Likewise, of a batch that several workers share.
     *
     * @param place of the first of these examples in the whole batch: so each worker has draws of its own
     */
    public NetworkPass on(Tensor inputs, Tensor targets, long step, long place) {
        batch = new Part(inputs, targets, place);
        this.step = step;
        leftTraces = false;
        return this;
    }

    /** There is no batch for this worker: nothing is computed until the next, and there is nothing to take back. */
    public void onNothing() {
        batch = null;
        leftTraces = false;
    }

    @Override
    public double compute(Pass pass) {
        return batch.compute(pass);
    }

    @Override
    public double compute(Pass pass, double[] losses) {
        return batch.compute(pass, losses);
    }

    @Override
    public double[] losses(Pass pass) {
        return batch.losses(pass);
    }

    @Override
    public long examples() {
        return batch.examples();
    }

    @Override
    public LossPass part(long first, long count) {
        return batch.part(first, count);
    }

    @Override
    public LossPass only(long... examples) {
        return batch.only(examples);
    }

    /** Some of the batch's examples, or all. The first of them, in the batch, names the draws. */
    private final class Part implements LossPass {
        private final Tensor inputs;
        private final Tensor targets;
        private final long place;

        Part(Tensor inputs, Tensor targets, long place) {
            this.inputs = inputs;
            this.targets = targets;
            this.place = place;
        }

        @Override
        public long examples() {
            return inputs.size(0);
        }

        @Override
        public LossPass part(long first, long count) {
            return new Part(inputs.narrow(0, first, count), targets.narrow(0, first, count), place + first);
        }

        @Override
        public LossPass only(long... examples) {
            Tensor chosen = Numbers.on(Device.of(inputs), examples);
            return new Part(inputs.index_select(0, chosen), targets.index_select(0, chosen), place);
        }

        @Override
        public double compute(Pass pass) {
            return compute(pass, null);
        }

        @Override
        public double compute(Pass pass, double[] losses) {
            if (pass.isAtTheta() && !leftTraces) { // of a batch in parts, before the first of them
                watcher.begin();
                before.save();
                leftTraces = true;
            }
            try {
                return computeGradient(pass, losses);
            } catch (RuntimeException | Error e) {
                takeBack();
                throw e;
            }
        }

        /** @param losses null if nobody asks for those of the examples */
        private double computeGradient(Pass pass, double[] losses) {
            l2.startGradient(parameters);
            long n = examples();
            if (n == 0) {
                takePart(pass);
            }
            try (Tensor total = zero()) {
                for (long first = 0; first < n; first += options.microBatch()) {
                    long count = Math.min(options.microBatch(), n - first);
                    try (var scope = Scope.open()) {
                        Tensor expected = targets.narrow(0, first, count);
                        Tensor outputs = outputs(pass, first, count);
                        Tensor part = loss.mean(outputs, expected);
                        if (count < n) {
                            part = part.mul(new Scalar((double) count / n));
                        }
                        part.backward();
                        total.add_(part.detach());
                        if (losses != null) {
                            tell(losses, first, outputs, expected);
                        }
                        if (pass.isAtTheta()) {
                            watcher.see(outputs, expected);
                        }
                    }
                }
                return total.item_double(); // only now: reading waits until the device has done all of it
            }
        }

        /** Goes the way of the others' examples with none, for what they exchange on it. */
        private void takePart(Pass pass) {
            try (var scope = Scope.open()) {
                outputs(pass, 0, 0).sum().backward();
            }
        }

        @Override
        public double[] losses(Pass pass) {
            double[] losses = new double[Math.toIntExact(examples())];
            for (long first = 0; first < losses.length; first += options.microBatch()) {
                long count = Math.min(options.microBatch(), losses.length - first);
                try (var scope = Scope.withoutGradient()) {
                    tell(losses, first, outputs(pass, first, count), targets.narrow(0, first, count));
                }
            }
            return losses;
        }

        /** On the function whose gradient a pass at θ computes: the same batch, draws and statistics. Costs four to five passes. */
        @Override
        public void computeProduct(FlatVector direction, FlatVector product) {
            l2.start(product, direction);
            long n = examples();
            try (var here = Scope.open();
                    var attention = new MathAttention()) {
                var statistics = new SavedBuffers(network);
                for (long first = 0; first < n; first += options.microBatch()) {
                    long count = Math.min(options.microBatch(), n - first);
                    try (var scope = Scope.open()) {
                        Tensor part = loss.mean(outputs(Pass.REFERENCE, first, count), targets.narrow(0, first, count));
                        try (var gradient = parameters.differentiate(part)) {
                            gradient.addProduct(direction, (double) count / n, product, false);
                        }
                    } finally {
                        statistics.putBack();
                    }
                }
            } catch (RuntimeException | Error e) {
                takeBack();
                throw e;
            }
        }

        private void tell(double[] losses, long first, Tensor outputs, Tensor expected) {
            try (var scope = Scope.withoutGradient()) {
                double[] some = Numbers.of(loss.each(outputs, expected));
                System.arraycopy(some, 0, losses, (int) first, some.length);
            }
        }

        private Tensor outputs(Pass pass, long first, long count) {
            var generator = streams.generator(Device.of(inputs), "forward", step, place + first);
            return NetworkPass.this.outputs(
                    inputs.narrow(0, first, count),
                    Forward.training(pass, generator).sharing(shared));
        }

        @Override
        public void takeBack() {
            NetworkPass.this.takeBack();
        }

        /** In double precision, where the inputs are. */
        private Tensor zero() {
            return torch.zeros(new long[0], inputs.options().dtype(new ScalarTypeOptional(torch.ScalarType.Double)));
        }
    }

    @Override
    public void computeProduct(FlatVector direction, FlatVector product) {
        batch.computeProduct(direction, product);
    }

    /** Running statistics are again what they were before the batch's first pass at θ. */
    @Override
    public void takeBack() {
        if (leftTraces) {
            before.putBack();
            leftTraces = false;
        }
    }

    /** In float32, whatever the network computed in: the loss of 16-bit outputs would be too coarse. */
    private Tensor outputs(Tensor part, Forward forward) {
        try (var casting = options.precision().casting(part)) {
            Tensor outputs = network.forward(part, forward);
            return options.precision() == Precision.FLOAT32 ? outputs : outputs.to(torch.ScalarType.Float);
        }
    }

    @Override
    public void close() {
        l2.close();
    }
}
