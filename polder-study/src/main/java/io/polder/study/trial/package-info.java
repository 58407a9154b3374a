/**
 * Trials: what they are, where their outcomes are kept and how they are run.
 *
 * <p>A trial is a resolved recipe, its seed included; the recipe's hash is its name. {@link io.polder.study.trial.TrialOutcome} is
 * what became of one and {@link io.polder.study.trial.TrialStore} the directory that keeps them.
 * {@link io.polder.study.trial.TrialExecutor} runs {@link io.polder.study.trial.TrialTask}s, each as a process of its own, so that a
 * crash of the engine takes one trial with it.
 */
package io.polder.study.trial;
