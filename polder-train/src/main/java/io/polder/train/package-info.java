/**
 * The training loop, in one screen: {@link io.polder.train.Trainer#run(java.util.function.BooleanSupplier)}.
 *
 * <pre>
 *   for each epoch
 *       for each batch of the loader
 *           gradient   the scheme computes it, by one or two passes over the {@link io.polder.train.Task}'s loss
 *           average    over the {@link io.polder.train.Workers}, where there are several
 *           clip       by its global norm
 *           step       the optimizer moves θ
 *           onStep     listeners watch
 *       evaluate       by the task, on what was not trained on
 *       onEpoch        listeners watch
 * </pre>
 *
 * <p>Between two steps the whole state is a {@link io.polder.train.Progress} and some tensors: {@link io.polder.train.Snapshot}
 * names the files it is saved in, and a run that resumes from them ends with the same bits as one that was never stopped.
 *
 * <p>{@link io.polder.train.Task} is what is learnt: a loss, {@link io.polder.train.Figures} and which of them judges. {@link
 * io.polder.train.Batches} is what it is learnt from. The loop knows no other task and no images.
 *
 * <p>Listeners only watch: nothing they do changes the training. What determines a result is in {@link
 * io.polder.train.TrainingPlan}, the network, the loader and the seed.
 */
package io.polder.train;
