package io.polder.train;

import io.polder.loss.Loss;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/**
 * What a network is to learn: how its outputs become a loss, which figures there are besides, and which of them judges. The loop,
 * checkpoints, metrics, searches and reports know tasks only.
 *
 * <p>Stateless: what is counted is in a {@link Tally}, which is made anew for each step and each evaluation.
 */
public interface Task {
    /** Of the outputs in training. */
    Loss loss();

    /** Which numbers there are, and which of them judges. */
    Figures figures();

    /** Counts the {@link Figures#training()} of one batch. */
    Tally trainingTally();

    /** Counts the {@link Figures#evaluation()} of a whole set of examples. */
    Tally evaluationTally();

    /** Whether an example may be of several classes at once, or of none: what is true of the task must be true of its examples. */
    default boolean hasSeveralLabels() {
        return false;
    }

    /**
     * How likely each class is, by what the network said of examples: a row for each.
     *
     * @throws UnsupportedOperationException where there are no classes
     */
    default double[][] probabilities(Tensor outputs) {
        throw new UnsupportedOperationException("this task has no classes to predict");
    }

    /** Adds up what a network says of some examples. */
    interface Tally {
        /** In the caller's scope; nothing is differentiated. */
        void add(Tensor outputs, Tensor targets);

        /** By the names of the figures, of which all that are asked for must be there. */
        Map<String, Double> figures();
    }
}
