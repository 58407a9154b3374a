package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.files.Sha256;
import io.polder.tensor.ParameterGroups;
import io.polder.tensor.Precision;
import io.polder.train.Task;
import java.util.List;
import java.util.Map;

/**
 * Everything that determines a training run. Immutable, and valid as a whole: a field out of its range or two that contradict each
 * other are refused here, whether it was read by {@link RecipeReader} or made in Java.
 *
 * <p>A component that may be null says what null means; no other may be.
 */
public record Recipe(
        @Field(
                about = "What the run is called.",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}",
                patternInWords = "letters, digits, dots, hyphens and underscores, at most 100",
                determinesResult = false)
        String name,

        @Field(about = "The seed of everything random.", fallback = "0")
        long seed,

        @Field(
                about = "How long to train, in passes over the images. This or steps.",
                fallback = "null",
                min = 1,
                max = 1_000_000)
        Integer epochs,

        @Field(about = "How long to train, in steps. This or epochs.", fallback = "null", min = 1, max = 1e15)
        Long steps,

        @Field(about = "The network.") ModelRecipe model,
        @Field(about = "The images.") DataRecipe data,
        @Field(about = "How the gradient is computed.") SchemeRecipe scheme,
        @Field(about = "What takes the step.") OptimizerRecipe optimizer,
        @Field(about = "The learning rate over the run.") LearningRate learningRate,

        @Field(
                about =
                        "Parameters that are frozen, or have a learning rate or decay of their own; null: all are alike.",
                fallback = "null")
        List<ParameterRecipe> parameters,

        @Field(about = "What the network is to learn; null: the one class of each image.", fallback = "null")
        TaskRecipe task,

        @Field(about = "What is minimised; null: the task's own loss, all classes alike.", fallback = "null")
        LossRecipe loss,

        @Field(
                about =
                        "The share of each target that is spread over all classes; with task: multi-label, between yes and no.",
                fallback = "0.0",
                min = 0,
                below = 1)
        double labelSmoothing,

        @Field(
                about =
                        "Images that pass through the network at a time, or auto to fit the memory; null: the whole batch of a replica.",
                fallback = "null",
                min = 1,
                word = "auto")
        Integer microBatch,

        @Field(about = "What the network computes in.", fallback = "float32")
        Precision precision,

        @Field(
                about = "The average of the weights that evaluation uses; null: the weights themselves.",
                fallback = "null")
        Average average,

        @Field(
                about = "Copies of the network that share a batch, each with its own perturbation and statistics.",
                fallback = "1",
                min = 1,
                max = 4096)
        int replicas,

        @Field(
                about =
                        "Batch norm takes the statistics of the whole batch, over all replicas; nothing changes with one replica.",
                fallback = "false",
                cameLater = true)
        boolean syncBatchNorm,

        @Field(
                about = "After how many epochs the network is evaluated; always after the last.",
                fallback = "1",
                min = 1)
        int evaluateEvery,

        @Field(
                about = "Ends the run when the figure that judges it no longer gets better; null: never.",
                fallback = "null")
        EarlyStopping earlyStopping,

        @Field(about = "When the run is saved.", fallback = "{}")
        Checkpoints checkpoint,

        @Field(about = "What happens when training diverges.", fallback = "stop")
        Divergence onDivergence,

        @Field(
                about = "What is measured of the network after epochs; null: nothing.",
                fallback = "null",
                determinesResult = false)
        ProbesRecipe probes,

        @Field(
                about = "A step or loader that takes longer than this is reported as hanging.",
                fallback = "10.0",
                above = 0,
                determinesResult = false)
        double watchdogMinutes) {
    /** Begins what is hashed. To be changed when the meaning of a field is, so that old hashes do not name new results. */
    private static final String FORMAT = "polder recipe 1\n";

    public Recipe {
        task = task instanceof TaskRecipe.Classification
                ? null
                : task; // as it was before tasks had names, and so its hash
        parameters = parameters == null ? null : List.copyOf(parameters);
        loss = loss != null && loss.isOwnOf(task) ? null : loss;
        Rules.require(Values.checked(
                Recipe.class,
                name,
                seed,
                epochs,
                steps,
                model,
                data,
                scheme,
                optimizer,
                learningRate,
                parameters,
                task,
                loss,
                labelSmoothing,
                microBatch,
                precision,
                average,
                replicas,
                syncBatchNorm,
                evaluateEvery,
                earlyStopping,
                checkpoint,
                onDivergence,
                probes,
                watchdogMinutes));
    }

    /** What the network is to learn, of what the recipe says. */
    public Task learns() {
        return (task == null ? new TaskRecipe.Classification() : task).task(this);
    }

    /** What holds for some of the network's parameters and not for the others. */
    public ParameterGroups parameterGroups() {
        return parameters == null
                ? ParameterGroups.NONE
                : new ParameterGroups(
                        parameters.stream().map(ParameterRecipe::group).toList());
    }

    /** How many steps the run takes. */
    public long totalSteps(long stepsPerEpoch) {
        return epochs == null ? steps : Math.multiplyExact(epochs, stepsPerEpoch);
    }

    /** The canonical text: every field, in the order of the records. Reads back to an equal recipe. */
    public String toYaml() {
        return Values.of(this).toYaml();
    }

    /** Every field by its name, groups inside groups, as the canonical text has them. */
    public Map<String, Object> fields() {
        return Values.of(this).fields();
    }

    /**
     * SHA-256, in hexadecimal, of the canonical text of what determines a result. Left out are the name, where the data is and is
     * cached, the loader's threads, checkpoints (unless a run may go back to one) and the watchdog; and what is null, or the default of a field that a later
     * version added, so that old hashes stay as they are.
     */
    public String hash() {
        String text = FORMAT + Values.of(this).toHash();
        if (onDivergence.action() == Divergence.Action.RESTORE) {
            // How far a run goes back is then up to when it was saved.
            text += "checkpoint.everyEpochs: " + checkpoint.everyEpochs() + "\n";
            text += "checkpoint.everySteps: " + checkpoint.everySteps() + "\n";
        }
        return Sha256.of(text);
    }

    /** An exponential moving average of the weights, which evaluation then uses. */
    public record Average(
            @Field(
                    about = "The share of the old average that a step keeps; 0.999 looks back some thousand steps.",
                    fallback = "0.999",
                    min = 0,
                    below = 1)
            double decay) {
        public Average {
            Values.checked(Average.class, decay);
        }
    }

    /** When a run ends before its time, by what it is judged by on validation images. */
    public record EarlyStopping(
            @Field(
                    about =
                            "For how many epochs it may be no better than its best; the first evaluation after so many ends the run.",
                    min = 1,
                    max = 1_000_000)
            int patience) {
        public EarlyStopping {
            Values.checked(EarlyStopping.class, patience);
        }
    }

    /** When the run is saved. A result depends on it only if a run that diverges may go back. */
    public record Checkpoints(
            @Field(
                    about = "After how many epochs; null: not by epochs.",
                    fallback = "1",
                    nullable = true,
                    min = 1,
                    determinesResult = false)
            Integer everyEpochs,

            @Field(
                    about = "After how many steps; null: not by steps.",
                    fallback = "null",
                    min = 1,
                    determinesResult = false)
            Long everySteps,

            @Field(
                    about = "How many are kept besides the best; two, so that a damaged one has one before it.",
                    fallback = "2",
                    min = 1,
                    determinesResult = false)
            int keep) {
        public Checkpoints {
            Values.checked(Checkpoints.class, everyEpochs, everySteps, keep);
        }
    }

    /** What happens when the loss is no longer finite, or the gradient norm far beyond its own history. */
    @ByName("action")
    public record Divergence(
            @Field(
                    about =
                            "stop: end with an error; restore: go back to the last checkpoint and on with a smaller learning rate.",
                    fallback = "stop")
            Action action,

            @Field(
                    about =
                            "How many times its usual value the gradient norm must be; ordinary spikes stay far below 100.",
                    fallback = "100.0",
                    above = 1)
            double normFactor,

            @Field(
                    about = "How often restore may go back before the run ends all the same.",
                    fallback = "3",
                    min = 1,
                    max = 1000)
            int restarts,

            @Field(about = "What restore multiplies the learning rate by.", fallback = "0.5", above = 0, max = 1)
            double learningRateFactor) {
        /** What to do. */
        public enum Action {
            STOP,
            RESTORE
        }

        public Divergence {
            Values.checked(Divergence.class, action, normFactor, restarts, learningRateFactor);
        }

        /** Whether a run that diverges ends. @param before how often it went back already */
        public boolean endsAfter(int before) {
            return action == Action.STOP || before >= restarts;
        }
    }
}
