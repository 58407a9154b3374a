/**
 * Processes, or threads, that work together: a {@link io.polder.distributed.Rendezvous} says where they meet, a {@link
 * io.polder.distributed.ProcessGroup} is what they then exchange numbers by. Over libtorch's own c10d: Gloo on the CPU.
 *
 * <p>Knows nothing of networks or of training: what is exchanged, and when, is the business of {@code io.polder.train}.
 */
package io.polder.distributed;
