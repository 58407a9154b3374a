package io.polder.train;

import io.polder.penalty.StepGradient;
import java.util.Map;

/**
 * What a step's examples came to, before anything moved.
 *
 * @param figures of the task
 */
record StepOutcome(StepGradient gradient, Map<String, Double> figures) {}
