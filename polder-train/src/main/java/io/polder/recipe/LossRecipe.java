package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.loss.FocalLoss;
import io.polder.loss.Loss;
import io.polder.loss.SoftCrossEntropy;
import java.util.List;
import java.util.function.Function;

/** What is minimised, where it is not the task's own; see {@code io.polder.loss}. */
@ByName("name")
public sealed interface LossRecipe {
    @Field(
            about =
                    "How much each class counts, in the order of the classes, or where classes are asked one by one its yes; null: alike.",
            fallback = "null",
            above = 0)
    List<Double> weights();

    @Field(
            about = "Takes weights by which all classes count alike, of the labels of the training images.",
            fallback = "false")
    boolean balanced();

    /** The same with the weights that {@code balanced} means. */
    LossRecipe weighted(List<Double> weights);

    /** Where an image is of one class. */
    Loss ofOneClass(double labelSmoothing);

    /** Where an image has any number of labels. */
    Loss ofLabels(double labelSmoothing);

    /** Whether it is what the task has anyway. @param task null: classification */
    default boolean isOwnOf(TaskRecipe task) {
        boolean ofItsKind = task == null
                ? this instanceof CrossEntropy
                : task instanceof TaskRecipe.MultiLabel && this instanceof BinaryCrossEntropy;
        return ofItsKind && weights() == null && !balanced();
    }

    /** By weights that are known, which balanced ones are when the images are. */
    private Loss by(Function<List<Double>, Loss> loss) {
        if (balanced()) {
            return (outputs, targets) -> {
                throw new IllegalStateException("balanced weights are not known before the training images are");
            };
        }
        return loss.apply(weights() == null ? List.of() : weights());
    }

    @Called(value = "cross-entropy", about = "Of the softmax: the loss of a classification.")
    record CrossEntropy(List<Double> weights, boolean balanced) implements LossRecipe {
        public CrossEntropy {
            Values.checked(CrossEntropy.class, weights, balanced);
        }

        @Override
        public LossRecipe weighted(List<Double> weights) {
            return new CrossEntropy(weights, false);
        }

        @Override
        public Loss ofOneClass(double labelSmoothing) {
            return ((LossRecipe) this).by(known -> new SoftCrossEntropy(labelSmoothing, known));
        }

        @Override
        public Loss ofLabels(double labelSmoothing) {
            throw new IllegalStateException("several labels have no softmax: a recipe with both is refused");
        }
    }

    @Called(
            value = "binary-cross-entropy",
            about = "Of each class by itself, yes or no: the loss of several labels.",
            alsoCalled = "bce: binary-cross-entropy")
    record BinaryCrossEntropy(List<Double> weights, boolean balanced) implements LossRecipe {
        public BinaryCrossEntropy {
            Values.checked(BinaryCrossEntropy.class, weights, balanced);
        }

        @Override
        public LossRecipe weighted(List<Double> weights) {
            return new BinaryCrossEntropy(weights, false);
        }

        @Override
        public Loss ofOneClass(double labelSmoothing) {
            return ofLabels(labelSmoothing);
        }

        @Override
        public Loss ofLabels(double labelSmoothing) {
            return ((LossRecipe) this).by(known -> new io.polder.loss.BinaryCrossEntropy(labelSmoothing, known));
        }
    }

    @Called(value = "focal", about = "Cross-entropy, binary for several labels, that counts what is easy less.")
    record Focal(
            @Field(
                    about = "How much less: by (1 − p)^gamma; 2 is the paper's, 0 is cross-entropy.",
                    fallback = "2.0",
                    min = 0)
            double gamma,

            List<Double> weights,
            boolean balanced)
            implements LossRecipe {
        public Focal {
            Values.checked(Focal.class, gamma, weights, balanced);
        }

        @Override
        public LossRecipe weighted(List<Double> weights) {
            return new Focal(gamma, weights, false);
        }

        @Override
        public Loss ofOneClass(double labelSmoothing) {
            return ((LossRecipe) this).by(known -> FocalLoss.ofOneClass(gamma, labelSmoothing, known));
        }

        @Override
        public Loss ofLabels(double labelSmoothing) {
            return ((LossRecipe) this).by(known -> FocalLoss.ofLabels(gamma, labelSmoothing, known));
        }
    }
}
