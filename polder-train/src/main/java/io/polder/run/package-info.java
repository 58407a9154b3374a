/**
 * A training run as a directory: from a recipe to weights that can be used, through stops, crashes and divergence.
 *
 * <pre>
 *   recipe.yaml     the recipe, with every field filled in
 *   run.json        what it runs on, how far it came ({@link io.polder.run.RunInfo})
 *   metrics.jsonl   figures of steps and epochs, and events
 *   events.out.…    the same for TensorBoard
 *   checkpoints/    whole states, each as {@link io.polder.train.Snapshot} has it
 *   sharpness/      what was measured of its networks ({@link io.polder.run.MeasuredNetwork}); where anything was
 *   model.ts        the TorchScript file, where the network is one
 *   lock            keeps a second process out
 * </pre>
 *
 * <p>Read {@link io.polder.run.TrainingRun} first; {@link io.polder.run.Assembly} makes objects of a recipe's words. Of several
 * workers rank 0 has the directory; the others are {@link io.polder.run.Follower}s, and {@link io.polder.run.Team} is what they tell each other.
 */
package io.polder.run;
