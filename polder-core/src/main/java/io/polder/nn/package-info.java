/**
 * What a network is, how it is told to run, and the layers and losses the engine lacks or does otherwise than the method needs.
 *
 * <p>The engine's own layers ({@code Conv2dImpl}, {@code LinearImpl}) are used as they are. A layer is written here when it
 * must know which {@link io.polder.nn.Pass} it is in ({@link io.polder.nn.BatchNorm2d} updates its running statistics in the
 * first pass only, and may ask a {@link io.polder.nn.SharedBatch} for statistics of more than its own share) or must draw from the step's own random stream ({@link io.polder.nn.Dropout},
 * {@link io.polder.nn.DropPath}, {@link io.polder.nn.ShakeShake}, {@link io.polder.nn.ShakeDrop}), both of which it learns from
 * {@link io.polder.nn.Forward}; or when families of models share it ({@link io.polder.nn.SameConv2d},
 * {@link io.polder.nn.ZeroPaddedShortcut}). {@link io.polder.nn.Weights} keeps a network's numbers in a file, {@link
 * io.polder.nn.SavedBuffers} what a refused step must leave as it was. {@link io.polder.nn.OtherNames} is where other programs keep those
 * numbers in their files, {@link io.polder.nn.Script} what a layer computes in inference, for programs that have none of this.
 *
 * <p>Architectures belong in {@code io.polder.models}; nothing here knows of data sets or optimizers.
 */
package io.polder.nn;
