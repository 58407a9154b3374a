/**
 * How θ moves once the gradient is known: {@link io.polder.optim.Optimizer}s on flat parameters, {@link
 * io.polder.optim.ClipByGlobalNorm}, and weight decay as a part of the loss, {@link io.polder.loss.L2InLoss}.
 *
 * <p>An optimizer sees all parameters at once and never asks for a gradient: which gradient it steps with is the business of
 * {@code io.polder.penalty}. Learning rates are {@link io.polder.schedule.Schedule}s, read by the training loop.
 */
package io.polder.optim;
