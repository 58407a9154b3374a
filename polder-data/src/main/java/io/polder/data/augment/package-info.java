/**
 * Random changes to images, on the loader's threads.
 *
 * <p>Here belongs what changes one image's bytes and keeps its class, for which {@link io.polder.data.augment.Augmentation}
 * is the rule and {@link io.polder.data.augment.PadCropFlip} the usual one for small images; and what mixes the images and
 * the targets of a whole batch, for which it is {@link io.polder.data.augment.BatchAugmentation}. Read those two first.
 * {@link io.polder.data.augment.AutoAugment} and {@link io.polder.data.augment.RandAugment} choose among the operations of
 * {@code Operation}, which a {@code Canvas} carries out as Pillow would; {@link io.polder.data.augment.Heavy}, which changes
 * the size, is for whoever brings images to the network's. Normalisation is not random and is the engine's work: everything here comes before it, so "zero" is black, not the mean
 * colour.
 *
 * <p>Either kind draws from the generator it is handed and from nothing else, and keeps nothing from one image or batch to
 * the next but scratch memory: that is what makes the bits independent of the threads. What it changes is the worker's
 * own, lent for the call.
 */
package io.polder.data.augment;
