/**
 * How flat a minimum is: what the method promises, measured.
 *
 * <p>{@link io.polder.sharpness.FixedLoss} is the loss of a network on examples that stay the same, with its gradient and exact products
 * with its Hessian. {@link io.polder.sharpness.Lanczos} finds the ends of the Hessian's spectrum, {@link io.polder.sharpness.Trace} its
 * trace, {@link io.polder.sharpness.SpectralDensity} how its eigenvalues lie, {@link io.polder.sharpness.Ascent} how far the loss rises
 * nearby. {@link io.polder.sharpness.Measure} names all of them for the command line and for recipes. {@link
 * io.polder.sharpness.Approximation} judges the method's own approximation of a product.
 *
 * <p>Nothing here changes a network: parameters and running statistics are bit for bit what they were. Random vectors come from a seed.
 */
package io.polder.sharpness;
