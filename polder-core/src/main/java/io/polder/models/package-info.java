/**
 * Architectures, one file for each family: the block, then the network, to be read beside the figure in its paper.
 *
 * <p>A model registers its layers under the names PyTorch users know, draws its first weights from the run's streams, and
 * passes {@link io.polder.nn.Forward} on to the layers that need it. Layers shared by families belong in
 * {@code io.polder.nn}.
 */
package io.polder.models;
