package io.polder.optim;

import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import java.util.Map;

/**
 * Adam with decoupled weight decay (Loshchilov, Hutter; ICLR 2019): θ ← θ − η·(m̂/(√v̂ + ε) + decay·θ). The decay is
 * multiplied by the learning rate, as in PyTorch and optax and unlike the paper. Three copies of the parameters, one of
 * them scratch.
 */
public final class AdamW implements Optimizer {
    /** The settings; 0.9, 0.999 and 1e-8 are the Adam paper's. */
    public record Settings(double beta1, double beta2, double epsilon, double weightDecay) {
        public Settings {
            requireShare("beta1", beta1);
            requireShare("beta2", beta2);
            if (!(epsilon > 0 && epsilon < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("epsilon is " + epsilon + ": it must be a finite number above 0");
            }
            if (!(weightDecay >= 0 && weightDecay < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "weightDecay is " + weightDecay + ": it must be a finite number of at least 0");
            }
        }

        private static void requireShare(String name, double value) {
            if (!(value >= 0 && value < 1)) {
                throw new IllegalArgumentException(name + " is " + value + ": it must be at least 0 and below 1");
            }
        }
    }

    private final Settings settings;
    private FlatVector mean;
    private FlatVector square;
    private FlatVector denominator;
    private long steps;

    public AdamW(Settings settings) {
        this.settings = settings;
    }

    @Override
    public void step(FlatParameters parameters, double learningRate) {
        FlatVector theta = parameters.values();
        FlatVector g = parameters.gradient();
        allocate(theta);
        steps++;
        mean.scale(settings.beta1()).add(1 - settings.beta1(), g);
        square.scale(settings.beta2()).addProduct(1 - settings.beta2(), g, g);

        double meanCorrection = 1 - Math.pow(settings.beta1(), steps);
        double squareCorrection = 1 - Math.pow(settings.beta2(), steps);
        denominator.set(square).scale(1 / squareCorrection).squareRoot().add(settings.epsilon());
        theta.scale(1 - learningRate * settings.weightDecay())
                .addQuotient(-learningRate / meanCorrection, mean, denominator);
    }

    private void allocate(FlatVector theta) {
        if (mean == null) {
            mean = theta.zerosLike();
            square = theta.zerosLike();
            denominator = theta.zerosLike();
        }
    }

    @Override
    public Map<String, FlatVector> memory(FlatParameters parameters) {
        allocate(parameters.values());
        return Map.of("mean", mean, "square", square);
    }

    /** The bias correction depends on their number. */
    @Override
    public void resumeAfter(long steps) {
        this.steps = steps;
    }

    @Override
    public void close() {
        if (mean != null) {
            mean.close();
            square.close();
            denominator.close();
        }
    }
}
