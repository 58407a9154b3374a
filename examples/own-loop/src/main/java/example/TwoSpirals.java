package example;

import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.models.MultilayerPerceptron;
import io.polder.nn.Dropout;
import io.polder.nn.Forward;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.schedule.Schedule;
import io.polder.tensor.Engine;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.bytedeco.pytorch.Tensor;

/** A training loop of one's own: two noisy spirals, told apart by a small network, with three ways to compute the gradient. */
public final class TwoSpirals {
    private static final int STEPS = 400;

    public static void main(String[] args) {
        Engine.setThreads(1);
        train("standard", GradientScheme.standard());
        train("SAM", GradientScheme.sam(0.1));
        train("penalty", GradientScheme.gradientNormPenalty(0.1, 0.8));
    }

    private static void train(String name, GradientScheme scheme) {
        var streams = new RandomStreams(1);
        try (var run = Scope.open()) { // frees every tensor that is made in it
            Points train = Points.draw(60, streams.random("training points"));
            Points test = Points.draw(2000, streams.random("test points"));
            var network = new MultilayerPerceptron(
                    List.of(2, 64, 64, 2), MultilayerPerceptron.Activation.TANH, new Dropout(0), streams);
            var learningRate = Schedule.cosine(0.1, STEPS);
            var clip = new ClipByGlobalNorm(5);
            double loss = Double.NaN;
            try (scheme;
                    var parameters = FlatParameters.of(network.parametersByName());
                    var pass = new NetworkPass(
                            network, parameters, new SoftCrossEntropy(0), PassOptions.l2(1e-3), streams);
                    var optimizer = new Sgd(0.9, true)) {
                for (long step = 0; step < STEPS; step++) {
                    try (var scope = Scope.open()) {
                        var gradient = scheme.computeGradient(pass.on(train.x(), train.y(), step), parameters, step);
                        clip.apply(parameters, gradient.norm());
                        optimizer.step(parameters, learningRate.at(step));
                        loss = gradient.loss();
                    }
                }
                long wrong = SoftCrossEntropy.errors(network.forward(test.x(), Forward.INFERENCE), test.y());
                System.out.printf(
                        Locale.ROOT, "%-8s  loss %.4f  test error %.2f %%%n", name, loss, 100.0 * wrong / test.x().size(0));
            }
        }
    }

    /** @param y the probabilities of the two spirals: 1 for that of the point */
    private record Points(Tensor x, Tensor y) {
        static Points draw(int count, SplittableRandom random) {
            float[] x = new float[2 * count];
            float[] y = new float[2 * count];
            for (int i = 0; i < count; i++) {
                double turn = 0.5 + 1.5 * random.nextDouble();
                double angle = 2 * Math.PI * turn / 1.5 + (i % 2) * Math.PI;
                x[2 * i] = (float) (turn * Math.cos(angle) + 0.12 * random.nextGaussian());
                x[2 * i + 1] = (float) (turn * Math.sin(angle) + 0.12 * random.nextGaussian());
                y[2 * i + i % 2] = 1;
            }
            return new Points(Tensor.create(x, count, 2), Tensor.create(y, count, 2));
        }
    }

    private TwoSpirals() {}
}
