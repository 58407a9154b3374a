/**
 * Labelled images, from files to batches the engine can read.
 *
 * <p>Here belong the formats ({@link io.polder.data.Idx}, {@link io.polder.data.Cifar},
 * {@link io.polder.data.ImageFolder}), the sources ({@link io.polder.data.ImageSource}), of one size or
 * of many, which a {@link io.polder.data.Framing} makes into one; parts of them
 * ({@link io.polder.data.Subset}, {@link io.polder.data.Validation}); what has a name ({@link io.polder.data.Datasets},
 * {@link io.polder.data.Pipeline}); and the loader that serves them. Tensors do not: this package knows bytes and floats,
 * and nothing of the engine. What is done to images at random is in {@link io.polder.data.augment}, how they are decoded
 * in {@link io.polder.image}.
 *
 * <p>Read {@link io.polder.data.ImageSource} first, then {@link io.polder.data.Loader}, which is short, then
 * {@link io.polder.data.Epoch}, where the threads are; {@link io.polder.data.Dataset} is where all comes together.
 *
 * <h2>Archives</h2>
 *
 * Commons Compress reads the headers of tar archives; {@code TarReader} says why it is not given the whole stream. Zip archives are
 * read by {@code ZipTree} alone. The library's {@code ZipFile} makes few of the checks that are wanted here: it stops without a word where
 * an entry of the list is damaged, as it does not count them, compares no names, checksums or overlaps, and cannot be told how long a list may
 * be. It takes 520 bytes an entry where {@code ZipTree} takes 190 (400,000 entries, version 1.28, November 2026), and threads share one
 * position, or a channel that the interrupt of one closes for all.
 *
 * <h2>The law of determinism</h2>
 *
 * Every random choice is a function of the seed, the epoch and what it is made for: the order of an epoch is drawn from
 * the stream {@code ("shuffle", epoch)}, the framing and then the augmentation of an image from
 * {@code ("augment", epoch, index)} with its index in the source, the mixing of a batch from {@code ("mix", epoch, number)}. No generator is carried from one image
 * or batch to the next. So one thread and many give the same bits, an epoch can be started in the middle, and a
 * checkpoint need only say which batch comes next.
 *
 * <h2>Who owns the buffers</h2>
 *
 * The {@link io.polder.data.Loader} allocates its batches once, outside the heap, and goes round them in a ring. A
 * {@link io.polder.data.Batch} is the caller's until it asks for the next or closes the epoch; then a worker may be
 * writing in it. The engine reads it in place, so its work on a batch must be done by then. Nothing is freed by hand:
 * the memory goes when the last reference to it does.
 */
package io.polder.data;
