package io.polder.train;

import io.polder.loss.BinaryCrossEntropy;
import io.polder.loss.Loss;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/**
 * To tell which of several labels an example has, any number of them: judged by the mean average precision, as whether a label is likelier
 * than not says little where it is rare. Outputs are logits (n, labels), targets numbers from 0 to 1 of the same shape.
 *
 * @param loss of the training, which is binary cross-entropy as a rule; that of an evaluation is plain binary cross-entropy, whatever it is
 */
public record MultiLabel(Loss loss) implements Task {
    /** Macro: of each label that any example has, by itself, and then the mean; 0 where none has one. */
    public static final Figure MEAN_AVERAGE_PRECISION =
            new Figure("meanAveragePrecision", "mean average precision", Figure.Unit.SHARE, Figure.Better.HIGHER);

    /** The share of labels, of all examples, that are on the wrong side of ½. */
    public static final Figure LABEL_ERROR = Figure.error("labelError", "label error");

    public static final Figures FIGURES = new Figures(
            MEAN_AVERAGE_PRECISION, List.of(LABEL_ERROR), List.of(Figure.loss(), MEAN_AVERAGE_PRECISION, LABEL_ERROR));

    private static final BinaryCrossEntropy PLAIN = new BinaryCrossEntropy(0);

    /** By binary cross-entropy. */
    public MultiLabel(double labelSmoothing) {
        this(new BinaryCrossEntropy(labelSmoothing));
    }

    @Override
    public Figures figures() {
        return FIGURES;
    }

    @Override
    public boolean hasSeveralLabels() {
        return true;
    }

    @Override
    public double[][] probabilities(Tensor outputs) {
        return BinaryCrossEntropy.probabilities(outputs);
    }

    @Override
    public Tally trainingTally() {
        return new Tally() {
            private long wrong;
            private long labels;

            @Override
            public void add(Tensor outputs, Tensor targets) {
                wrong += BinaryCrossEntropy.errors(outputs, targets);
                labels += outputs.numel();
            }

            @Override
            public Map<String, Double> figures() {
                return Map.of(LABEL_ERROR.name(), (double) wrong / labels);
            }
        };
    }

    @Override
    public Tally evaluationTally() {
        return new Tally() {
            private final AveragePrecision precision = new AveragePrecision();
            private final Tally errors = trainingTally();
            private double loss;
            private long examples;

            @Override
            public void add(Tensor outputs, Tensor targets) {
                loss += PLAIN.mean(outputs, targets).item_double() * outputs.size(0);
                examples += outputs.size(0);
                precision.add(outputs, targets);
                errors.add(outputs, targets);
            }

            @Override
            public Map<String, Double> figures() {
                return Map.of(
                        Figure.loss().name(), loss / examples,
                        MEAN_AVERAGE_PRECISION.name(), precision.mean(),
                        LABEL_ERROR.name(), errors.figures().get(LABEL_ERROR.name()));
            }
        };
    }
}
