package io.polder.train;

import io.polder.loss.Loss;
import io.polder.loss.SoftCrossEntropy;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/**
 * To tell which one of several classes an example is of: judged by the share that is wrong. Outputs are logits (n, classes), targets
 * probabilities of the same shape.
 *
 * @param loss of the training, which is cross-entropy as a rule; that of an evaluation is plain cross-entropy, whatever it is
 */
public record Classification(Loss loss) implements Task {
    public static final Figure ERROR = Figure.error("error", "error");

    /** The share of examples whose class is not among the five likeliest; 0 where there are no more than five. */
    public static final Figure TOP5_ERROR = Figure.error("top5Error", "top-5 error");

    public static final Figures FIGURES = new Figures(ERROR, List.of(ERROR), List.of(Figure.loss(), ERROR, TOP5_ERROR));

    private static final SoftCrossEntropy PLAIN = new SoftCrossEntropy(0);

    /** By cross-entropy. */
    public Classification(double labelSmoothing) {
        this(new SoftCrossEntropy(labelSmoothing));
    }

    @Override
    public Figures figures() {
        return FIGURES;
    }

    @Override
    public double[][] probabilities(Tensor outputs) {
        return SoftCrossEntropy.probabilities(outputs);
    }

    @Override
    public Tally trainingTally() {
        return new Tally() {
            private long wrong;
            private long examples;

            @Override
            public void add(Tensor outputs, Tensor targets) {
                wrong += SoftCrossEntropy.errors(outputs, targets);
                examples += outputs.size(0);
            }

            @Override
            public Map<String, Double> figures() {
                return Map.of(ERROR.name(), (double) wrong / examples);
            }
        };
    }

    @Override
    public Tally evaluationTally() {
        return new Tally() {
            private double loss;
            private long wrong;
            private long notAmongFive;
            private long examples;

            @Override
            public void add(Tensor outputs, Tensor targets) {
                loss += PLAIN.mean(outputs, targets).item_double() * outputs.size(0);
                wrong += SoftCrossEntropy.errors(outputs, targets);
                notAmongFive += SoftCrossEntropy.errorsAmong(outputs, targets, 5);
                examples += outputs.size(0);
            }

            @Override
            public Map<String, Double> figures() {
                return Map.of(
                        Figure.loss().name(), loss / examples,
                        ERROR.name(), (double) wrong / examples,
                        TOP5_ERROR.name(), (double) notAmongFive / examples);
            }
        };
    }
}
