package io.polder.sharpness;

import io.polder.loss.Loss;
import io.polder.loss.SoftCrossEntropy;
import io.polder.models.MultilayerPerceptron;
import io.polder.models.MultilayerPerceptron.Activation;
import io.polder.nn.Dropout;
import io.polder.nn.Network;
import io.polder.tensor.Device;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.tensor.VectorView;
import io.polder.train.Batches;
import java.util.List;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** A network, its flat parameters and examples to measure on, all made from seeds. */
final class Measured {
    static final int CLASSES = 4;
    static final RandomStreams STREAMS = new RandomStreams(7);

    private Measured() {}

    /** Of 6 inputs, in double precision. */
    static Network perceptron(Activation activation) {
        return new MultilayerPerceptron(List.of(6, 8, CLASSES), activation, new Dropout(0), STREAMS)
                .inDoublePrecision();
    }

    /** Random examples of a shape, each of a random class. */
    static Batches examples(int count, int batch, long... shape) {
        return Batches.inOrder(count, batch, (numbers, device) -> {
            Tensor[] inputs = new Tensor[numbers.length];
            Tensor[] targets = new Tensor[numbers.length];
            for (int i = 0; i < numbers.length; i++) {
                var generator = new GeneratorOptional(STREAMS.generator("example", numbers[i]));
                inputs[i] = torch.randn(shape, generator, new TensorOptions(torch.ScalarType.Float));
                targets[i] = torch.zeros(CLASSES);
                targets[i]
                        .narrow(0, (numbers[i] * 7L + numbers[i] / 5) % CLASSES, 1)
                        .fill_(new Scalar(1.0));
            }
            return new Batches.Examples(torch.stack(new TensorVector(inputs)), torch.stack(new TensorVector(targets)));
        });
    }

    static FixedLoss loss(Network network, Batches examples, FixedLoss.Settings settings) {
        return loss(network, new SoftCrossEntropy(0), examples, settings);
    }

    static FixedLoss loss(Network network, Loss loss, Batches examples, FixedLoss.Settings settings) {
        return new FixedLoss(
                network,
                FlatParameters.of(network.parametersByName()),
                loss,
                examples,
                Device.CPU,
                settings,
                STREAMS,
                () -> {});
    }

    static FixedLoss.Settings by(BatchStatistics statistics) {
        return new FixedLoss.Settings(Long.MAX_VALUE, statistics, 0, false);
    }

    /** The Hessian column by column, each as a central difference of two gradients: nothing here differentiates twice. */
    static double[][] fullHessian(FixedLoss loss) {
        var parameters = loss.parameters();
        FlatVector theta = parameters.values();
        int n = (int) parameters.size();
        double h = 1e-5;
        double[][] columns = new double[n][];
        try (var there = parameters.excursion();
                FlatVector back = theta.zerosLike()) {
            for (int i = 0; i < n; i++) {
                move(there.values().set(theta), i, -h);
                loss.gradient();
                back.set(there.gradient());
                move(there.values().set(theta), i, h);
                loss.gradient();
                columns[i] = there.gradient().add(-1, back).scale(1 / (2 * h)).toArray();
            }
        }
        return columns;
    }

    private static void move(FlatVector vector, int i, double by) {
        double[] unit = new double[(int) vector.size()];
        unit[i] = 1;
        try (FlatVector direction = like(vector, unit)) {
            vector.add(by, direction);
        }
    }

    /** A vector with these numbers. */
    static FlatVector like(FlatVector vector, double[] numbers) {
        FlatVector made = vector.zerosLike();
        try (var scope = Scope.withoutGradient()) {
            view(made).copy_(Tensor.create(numbers));
        }
        return made;
    }

    /** The vector as a tensor, which only the engine's own package sees. */
    static Tensor view(FlatVector vector) {
        return VectorView.of(vector);
    }
}
