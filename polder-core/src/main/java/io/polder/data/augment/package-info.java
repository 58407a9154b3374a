/**
 * Random changes to one image's bytes, on the loader's threads.
 *
 * <p>Here belongs what changes an image and keeps its class: {@link io.polder.data.augment.Augmentation} is the rule,
 * {@link io.polder.data.augment.PadCropFlip} the usual one for small images. What mixes images or targets (mixup,
 * CutMix) does not belong here: it needs the whole batch. Normalisation is not random and is the engine's work.
 *
 * <p>An augmentation draws from the generator it is handed and from nothing else, and keeps no memory from one image to
 * the next: that is what makes the bits independent of the threads. The bytes are the worker's own, lent for the call.
 */
package io.polder.data.augment;
