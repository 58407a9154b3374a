/**
 * The training loop, in one screen: {@link io.polder.train.Trainer#run(java.util.function.BooleanSupplier)}.
 *
 * <pre>
 *   for each epoch
 *       for each batch of the loader
 *           gradient   the scheme computes it, by one or two {@link io.polder.loss.NetworkPass}es
 *           clip       by its global norm
 *           step       the optimizer moves θ
 *           onStep     listeners watch
 *       evaluate       on the test images
 *       onEpoch        listeners watch
 * </pre>
 *
 * <p>Between two steps the whole state is a {@link io.polder.train.Progress} and some tensors: {@link io.polder.train.Snapshot}
 * names the files it is saved in, and a run that resumes from them ends with the same bits as one that was never stopped.
 *
 * <p>Listeners only watch: nothing they do changes the training. What determines a result is in {@link
 * io.polder.train.TrainingPlan}, the network, the loader and the seed.
 */
package io.polder.train;
