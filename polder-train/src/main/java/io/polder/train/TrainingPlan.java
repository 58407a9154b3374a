package io.polder.train;

import io.polder.loss.PassOptions;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Optimizer;
import io.polder.penalty.GradientScheme;
import io.polder.schedule.Schedule;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * How a network is trained. With the network, the data and the seed it determines the result.
 *
 * @param epochs at most so many
 * @param steps at most so many, be it in the middle of an epoch
 * @param evaluateEvery on what was not trained on after each so many epochs, and at the end in any case
 * @param scheme makes the scheme of a run, which may have memory of its own
 * @param task what is learnt, and by what it is judged
 * @param pass weight decay inside the loss, and how the batch goes through the network
 * @param optimizer makes the optimizer of a run, which has memory of its own
 * @param learningRate by step, not by epoch
 * @param average the decay of a moving average of the weights, which is then what is evaluated; empty for none
 * @param divergenceFactor a gradient norm so many times the largest so far ends the run; infinite for never
 * @param patience ends the run after an evaluation that finds the best one so many epochs ago, or more; empty for never
 */
public record TrainingPlan(
        int epochs,
        long steps,
        int evaluateEvery,
        Supplier<GradientScheme> scheme,
        Task task,
        PassOptions pass,
        Supplier<Optimizer> optimizer,
        Schedule learningRate,
        ClipByGlobalNorm clip,
        OptionalDouble average,
        double divergenceFactor,
        OptionalInt patience) {
    public TrainingPlan {
        if (epochs < 1) {
            throw new IllegalArgumentException("epochs is " + epochs + ": it must be at least 1");
        }
        if (steps < 1) {
            throw new IllegalArgumentException("steps is " + steps + ": it must be at least 1");
        }
        if (evaluateEvery < 1) {
            throw new IllegalArgumentException("evaluateEvery is " + evaluateEvery + ": it must be at least 1");
        }
        average.ifPresent(decay -> {
            if (!(decay >= 0 && decay < 1)) {
                throw new IllegalArgumentException("average is " + decay + ": it must be at least 0 and below 1");
            }
        });
        if (!(divergenceFactor > 1)) {
            throw new IllegalArgumentException("divergenceFactor is " + divergenceFactor + ": it must be above 1");
        }
        patience.ifPresent(epochsWithout -> {
            if (epochsWithout < 1) {
                throw new IllegalArgumentException("patience is " + epochsWithout + ": it must be at least 1");
            }
        });
    }

    /** Whole epochs to the end, no average, and no limit to the gradient norm but that it is finite. */
    public TrainingPlan(
            int epochs,
            int evaluateEvery,
            Supplier<GradientScheme> scheme,
            Task task,
            PassOptions pass,
            Supplier<Optimizer> optimizer,
            Schedule learningRate,
            ClipByGlobalNorm clip) {
        this(
                epochs,
                Long.MAX_VALUE,
                evaluateEvery,
                scheme,
                task,
                pass,
                optimizer,
                learningRate,
                clip,
                OptionalDouble.empty(),
                Double.POSITIVE_INFINITY,
                OptionalInt.empty());
    }

    /** The same steps at another learning rate, without an end and without evaluations: whoever runs it stops it. */
    public TrainingPlan endless(Schedule learningRate) {
        return new TrainingPlan(
                Integer.MAX_VALUE,
                Long.MAX_VALUE,
                Integer.MAX_VALUE,
                scheme,
                task,
                pass,
                optimizer,
                learningRate,
                clip,
                average,
                divergenceFactor,
                OptionalInt.empty());
    }

    /** The same with another scheme. */
    public TrainingPlan withScheme(Supplier<GradientScheme> scheme) {
        return new TrainingPlan(
                epochs,
                steps,
                evaluateEvery,
                scheme,
                task,
                pass,
                optimizer,
                learningRate,
                clip,
                average,
                divergenceFactor,
                patience);
    }

    boolean isDoneBy(Progress progress) {
        return isWholeBy(progress) || stopsEarlyAt(progress);
    }

    private boolean isWholeBy(Progress progress) {
        return progress.epoch() >= epochs || (progress.step() >= steps && progress.batch() == 0);
    }

    /**
     * Whether the run ends here, before its time. By its progress alone, so a run that resumes and each of several workers decide alike.
     */
    public boolean stopsEarlyAt(Progress progress) {
        int best = progress.best() == null ? 0 : progress.best().epoch();
        return patience.isPresent()
                && !isWholeBy(progress)
                && progress.batch() == 0
                && progress.epoch() % evaluateEvery == 0
                && progress.epoch() - best >= patience.getAsInt();
    }

    /** @param progress before the epoch is counted */
    boolean evaluatesAfter(Progress progress) {
        int epoch = progress.epoch() + 1;
        return epoch % evaluateEvery == 0 || epoch == epochs || progress.step() >= steps;
    }
}
