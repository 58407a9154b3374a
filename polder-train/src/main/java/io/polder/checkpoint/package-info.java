/**
 * Checkpoints: directories of files that are whole or not there, whatever moment process or machine died at.
 *
 * <p>Read {@link io.polder.checkpoint.CheckpointStore} first: it saves, finds the newest that is whole, and keeps the last few and
 * the best. {@link io.polder.checkpoint.Checkpoint} is one of them, verified. {@link io.polder.checkpoint.RunLock} keeps a
 * second process out of a run's directory. Every operation on files goes through {@code Disk}, so that a test can make each of
 * them fail in turn.
 *
 * <p>What does not belong here: what is in the files. Nothing here knows of networks, tensors or training.
 */
package io.polder.checkpoint;
