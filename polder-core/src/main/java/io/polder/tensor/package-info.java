/**
 * The native engine (libtorch, through JavaCPP) and the few things that keep its edges away from everybody else.
 *
 * <p>Read {@link io.polder.tensor.FlatVector} first: one vector, in native memory, with the arithmetic that the method and the
 * optimizers are written in. {@link io.polder.tensor.FlatParameters} lays all parameters of a network into one such
 * vector and all gradients into another. {@link io.polder.tensor.RandomStreams} is where every random number comes from,
 * {@link io.polder.tensor.Images} how bytes become a batch the engine can convolve, {@link io.polder.tensor.SafeTensors} how
 * tensors get into files and back, {@link io.polder.tensor.Engine} where threads are set,
 * {@link io.polder.tensor.Device} where a computation is, {@link io.polder.tensor.Numbers} how its results are read.
 *
 * <h2>Native memory</h2>
 *
 * A tensor is a small Java object that owns memory the garbage collector cannot see: waiting for the collector means growing
 * until the machine is full. So the rule is one of scopes. Code that runs the engine opens a
 * {@link io.polder.tensor.Scope}; every tensor made while it is open is freed when it closes. What must live longer is made
 * outside of any scope (networks, flat vectors) and closed by its owner. A test holds resident memory flat over thousands
 * of steps.
 *
 * <p>What does not belong here: layers, losses, anything that knows what a classifier is.
 */
package io.polder.tensor;
