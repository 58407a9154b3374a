/**
 * What things cost. Each benchmark is a program that runs the alternatives interleaved in one process and compares medians:
 * the machine's noise then falls on all alike. Start one with {@code polder-bench/run NAME}.
 */
package io.polder.bench;
