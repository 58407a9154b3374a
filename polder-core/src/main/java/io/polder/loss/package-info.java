/**
 * What is minimised: the loss of a network's outputs, and how a scheme gets its gradient.
 *
 * <p>{@link io.polder.loss.Loss} is the formula, {@link io.polder.loss.PassOptions} adds weight decay inside the loss and how the batch goes
 * through, and {@link io.polder.loss.NetworkPass} is the {@link io.polder.penalty.LossPass} that schemes call: the place where the two
 * passes of a step are kept alike. What else a task wants to know of the outputs it learns through {@link
 * io.polder.loss.NetworkPass.Outputs}.
 */
package io.polder.loss;
