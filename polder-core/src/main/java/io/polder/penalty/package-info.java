/**
 * The method: which gradient a training step uses.
 *
 * <p>Read {@link io.polder.penalty.GradientNormPenalty}: it is Algorithm 1 of <em>Penalizing Gradient Norm for Efficiently
 * Improving Generalization in Deep Learning</em> (Zhao, Zhang, Hu; ICML 2022), line by line. {@link
 * io.polder.penalty.Coefficients} are its r and α over time, {@link io.polder.penalty.Perturbation} where θ is moved to,
 * {@link io.polder.penalty.Mix} how the two gradients are combined. {@link io.polder.penalty.IntermittentScheme}, {@link
 * io.polder.penalty.ReusingScheme} and {@link io.polder.penalty.AscentShare} make schemes of two passes cheaper, {@link
 * io.polder.penalty.PartwiseScheme} perturbs parts of a batch by themselves; {@link io.polder.penalty.FriendlySam}, {@link
 * io.polder.penalty.Esam} and {@link io.polder.penalty.MomentumSam} are schemes of others, {@link io.polder.penalty.ExactPenalty} is
 * what the penalty approximates. {@link io.polder.penalty.GradientScheme} is the interface a training loop sees, and the place to add
 * another scheme.
 *
 * <p>Nothing here knows of models or data: a scheme is given a {@link io.polder.penalty.LossPass}, a way to compute the loss
 * and its gradient at the present parameters.
 */
package io.polder.penalty;
