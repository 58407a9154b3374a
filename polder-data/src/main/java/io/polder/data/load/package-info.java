/**
 * From images to batches the engine can read.
 *
 * <p>Here belong the {@link io.polder.data.load.Loader}, which is short, the {@link io.polder.data.load.Epoch} it serves, where the threads
 * are, and the {@link io.polder.data.load.Pipeline}s: all that is done to images on their way, by name.
 *
 * <h2>Who owns the buffers</h2>
 *
 * The {@link io.polder.data.load.Loader} allocates its batches once, outside the heap, and goes round them in a ring. A
 * {@link io.polder.data.Batch} is the caller's until it asks for the next or closes the epoch; then a worker may be
 * writing in it. The engine reads it in place, so its work on a batch must be done by then. Nothing is freed by hand:
 * the memory goes when the last reference to it does.
 */
package io.polder.data.load;
