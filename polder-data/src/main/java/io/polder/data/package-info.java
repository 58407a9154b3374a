/**
 * What a set of labelled images is, wherever it comes from and whatever is done with it.
 *
 * <p>Here belong the images ({@link io.polder.data.ImageSource}, of one size or of many, which a {@link io.polder.data.Framing} makes into
 * one), views of them, what a training needs of a {@link io.polder.data.Dataset}, and the {@link io.polder.data.Batch} that images are
 * served in. Tensors do not: these packages know bytes and floats, and nothing of the engine. The other rooms know this one, and it knows
 * none of them: {@link io.polder.data.source} reads files and has the sets by name, {@link io.polder.data.augment} is what is done to images
 * at random, {@link io.polder.data.load} serves them in batches. How images are decoded is in {@link io.polder.image}.
 *
 * <p>Read {@link io.polder.data.ImageSource} first; {@link io.polder.data.Dataset} is where all comes together.
 *
 * <h2>The law of determinism</h2>
 *
 * Every random choice is a function of the seed, the epoch and what it is made for: the order of an epoch is drawn from
 * the stream {@code ("shuffle", epoch)}, the framing and then the augmentation of an image from
 * {@code ("augment", epoch, index)} with its index in the source, the mixing of a batch from {@code ("mix", epoch, number)}. No generator is carried from one image
 * or batch to the next. So one thread and many give the same bits, an epoch can be started in the middle, and a
 * checkpoint need only say which batch comes next.
 */
package io.polder.data;
