/**
 * What things cost. {@link io.polder.bench.Bench} measures the training step beside the peers, each side a process that sleeps while
 * others have their turn: {@code polder-bench/bench}. Every other benchmark is a program that runs the alternatives interleaved in one
 * process and compares medians: {@code polder-bench/run NAME}. The machine's noise then falls on all alike.
 */
package io.polder.bench;
