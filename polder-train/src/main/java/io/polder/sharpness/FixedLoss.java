package io.polder.sharpness;

import io.polder.loss.L2InLoss;
import io.polder.loss.Loss;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.nn.SavedBuffers;
import io.polder.tensor.Device;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.MathAttention;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.RecordedGradient;
import io.polder.tensor.Scope;
import io.polder.train.Batches;
import java.util.Optional;
import java.util.function.Consumer;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * The loss of a network on examples that stay the same, as a function of its parameters: L(θ), ∇L(θ) and H(θ)·v. The mean over the
 * examples, whatever the batches they come in, of which one at a time is in memory; with batch statistics the batches matter.
 *
 * <p>The network is left as it was, but for the gradient buffer. Not thread-safe. Closing it frees neither network nor parameters.
 */
public final class FixedLoss implements AutoCloseable {
    /**
     * What is computed.
     *
     * @param samples at most so many examples, the first of the first epoch
     * @param l2 the coefficient of the L2 term that is a part of the loss; 0 leaves it out
     * @param l2SkipsVectors whether biases and normalisation are left out of that term
     */
    public record Settings(long samples, BatchStatistics statistics, double l2, boolean l2SkipsVectors) {
        public Settings {
            if (samples < 1) {
                throw new IllegalArgumentException("samples is " + samples + ": it must be at least 1");
            }
        }

        /** Every example, by running statistics, without the L2 term. */
        public static Settings plain() {
            return new Settings(Long.MAX_VALUE, BatchStatistics.EVALUATION, 0, false);
        }
    }

    /** Told of each batch before it is computed: draws a bar, or throws to stop. */
    public interface Watcher {
        void batch();
    }

    private final Network network;
    private final FlatParameters parameters;
    private final Loss loss;
    private final Batches examples;
    private final Device device;
    private final Settings settings;
    private final RandomStreams streams;
    private final Watcher watcher;
    private final L2InLoss l2;

    /**
     * @param streams for what draws in a pass, with {@link BatchStatistics#BATCH} only
     * @throws ArithmeticException if a parameter is not finite
     */
    public FixedLoss(
            Network network,
            FlatParameters parameters,
            Loss loss,
            Batches examples,
            Device device,
            Settings settings,
            RandomStreams streams,
            Watcher watcher) {
        if (!parameters.values().isFinite()) {
            throw new ArithmeticException(
                    "the network has weights that are not finite: measure a checkpoint of before they were");
        }
        this.network = network;
        this.parameters = parameters;
        this.loss = loss;
        this.examples = examples;
        this.device = device;
        this.settings = settings;
        this.streams = streams;
        this.watcher = watcher;
        l2 = new L2InLoss(settings.l2(), settings.l2SkipsVectors(), parameters);
    }

    public FlatParameters parameters() {
        return parameters;
    }

    /** Some examples in memory: as many as were served at once. */
    private final class Part {
        private final Batches.Examples batch;
        private final long first;
        private final long count;

        /** Whether these are all examples there are. */
        private final boolean isAll;

        Part(Batches.Examples batch, long first, long count, boolean isAll) {
            this.batch = batch;
            this.first = first;
            this.count = count;
            this.isAll = isAll;
        }

        Tensor mean() {
            return mean(0, count);
        }

        /** Of a group of the examples; in the caller's scope. */
        Tensor mean(long from, long some) {
            Forward forward = settings.statistics() == BatchStatistics.EVALUATION
                    ? Forward.INFERENCE
                    // At θ, so that what shakes has the true gradient of its value; statistics are put back.
                    : Forward.training(Pass.REFERENCE, streams.generator(device, "measured", first + from));
            Tensor outputs = network.forward(likeParameters(batch.inputs().narrow(0, from, some)), forward);
            return loss.mean(outputs, likeParameters(batch.targets().narrow(0, from, some)));
        }

        /** In the parameters' precision, if it is no whole number. */
        private Tensor likeParameters(Tensor tensor) {
            return tensor.is_floating_point() ? parameters.inOwnPrecision(tensor) : tensor;
        }
    }

    /** @return how many examples there were */
    private long each(Consumer<Part> use) {
        long seen = 0;
        try (var here = Scope.open();
                var batches = examples.epoch(0, 0)) {
            var statistics = new SavedBuffers(network);
            while (seen < settings.samples() && batches.hasNext()) {
                watcher.batch();
                Batches.Batch batch = batches.next();
                long count = Math.min(batch.size(), settings.samples() - seen);
                boolean isLast = seen + count == settings.samples() || !batches.hasNext();
                try (var scope = Scope.open()) {
                    use.accept(new Part(batch.on(device), seen, count, seen == 0 && isLast));
                } finally {
                    statistics.putBack();
                }
                seen += count;
            }
        }
        return seen;
    }

    Network network() {
        return network;
    }

    /** L(θ) where the network stands. */
    public double value() {
        return requireFinite(unchecked());
    }

    /** Likewise, and infinite where it is not finite: far away it may be. */
    double height() {
        double value = unchecked();
        return Double.isFinite(value) ? value : Double.POSITIVE_INFINITY;
    }

    private double unchecked() {
        double[] sum = {0};
        long count;
        try (var scope = Scope.withoutGradient()) {
            count = each(part -> sum[0] += part.mean().item_double() * part.count);
        }
        return sum[0] / count + l2Term();
    }

    /** Leaves ∇L(θ) in the parameters' gradient buffer and returns L(θ), where the network stands. */
    public double gradient() {
        FlatVector gradient = parameters.gradient().setZero();
        double[] sum = {0};
        long count = each(part -> {
            Tensor mean = part.mean();
            mean.mul(new Scalar((double) part.count)).backward();
            sum[0] += mean.item_double() * part.count;
        });
        gradient.scale(1.0 / count);
        if (settings.l2() != 0) {
            try (FlatVector term = gradient.zerosLike()) {
                l2.start(term, parameters.values());
                gradient.add(1, term);
            }
        }
        return requireFinite(sum[0] / count + l2Term());
    }

    /** ‖∇L‖ of each batch by itself, its mean over the batches: what training sees. */
    public double batchGradientNorm() {
        double[] sum = {0, 0};
        each(part -> {
            l2.startGradient(parameters);
            part.mean().backward();
            sum[0] += parameters.gradient().norm();
            sum[1]++;
        });
        return requireFinite(sum[0] / sum[1]);
    }

    /**
     * m-sharpness: for each m examples by themselves how far their loss rises at ρ·g/‖g‖ of their own gradient, the mean over the groups
     * by their sizes (Foret et al., ICLR 2021). The last group of a batch may be smaller.
     */
    public double mSharpness(int m, double rho) {
        if (m < 1) {
            throw new IllegalArgumentException("m is " + m + ": it must be at least 1");
        }
        FlatVector theta = parameters.values();
        FlatVector gradient = parameters.gradient();
        double[] sum = {0};
        long count = each(part -> {
            for (long first = 0; first < part.count; first += m) {
                long size = Math.min(m, part.count - first);
                try (var scope = Scope.open()) {
                    l2.startGradient(parameters);
                    Tensor mean = part.mean(first, size);
                    mean.backward();
                    double before = mean.item_double() + l2Term();
                    double norm = gradient.norm();
                    if (norm < Float.MIN_NORMAL) {
                        continue;
                    }
                    try (var there = parameters.excursion();
                            var still = Scope.withoutGradient()) {
                        there.values().setSum(theta, rho / norm, gradient);
                        sum[0] += size * (part.mean(first, size).item_double() + l2Term() - before);
                    }
                }
            }
        });
        return requireFinite(sum[0] / count);
    }

    private double l2Term() {
        if (settings.l2() == 0) {
            return 0;
        }
        try (FlatVector term = parameters.values().zerosLike()) {
            l2.start(term, parameters.values());
            return 0.5 * term.dot(parameters.values());
        }
    }

    private static double requireFinite(double value) {
        if (!Double.isFinite(value)) {
            throw new ArithmeticException(
                    "the loss on the measured examples or its gradient is " + value
                            + ": the network has diverged, or the distance is too large; measure another checkpoint, or nearer by");
        }
        return value;
    }

    /** The Hessian at θ, where the network is to stand for as long as it is used. The caller closes it. */
    public Hessian hessian() {
        return new Hessian();
    }

    /**
     * H by its exact products. Of a single batch the recorded gradient is kept, and each product but the first costs two to three
     * gradients; of several each costs three to four.
     */
    public final class Hessian implements SymmetricOperator, AutoCloseable {
        private final MathAttention attention = new MathAttention();
        private Optional<RecordedGradient> kept = Optional.empty();

        private Hessian() {}

        @Override
        public void apply(FlatVector vector, FlatVector to) {
            if (kept.isPresent()) {
                watcher.batch();
                to.setZero();
                kept.get().addProduct(vector, 1, to, true);
            } else {
                to.setZero();
                long count = each(part -> {
                    RecordedGradient gradient = parameters.differentiate(part.mean());
                    try {
                        gradient.addProduct(vector, part.count, to, part.isAll);
                        kept = part.isAll ? Optional.of(gradient) : Optional.empty();
                    } finally {
                        if (kept.isEmpty()) {
                            gradient.close();
                        }
                    }
                });
                to.scale(1.0 / count);
            }
            if (settings.l2() != 0) {
                try (FlatVector term = to.zerosLike()) {
                    l2.start(term, vector);
                    to.add(1, term);
                }
            }
        }

        @Override
        public void close() {
            kept.ifPresent(RecordedGradient::close);
            attention.close();
        }
    }

    @Override
    public void close() {
        l2.close();
    }
}
