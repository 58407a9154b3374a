package io.polder.metrics;

import io.polder.train.EpochMetrics;
import io.polder.train.StepMetrics;

/** One line of {@code metrics.jsonl}. */
public sealed interface RunRecord {
    /** When it was written, in seconds since 1970. */
    double time();

    /** As its line has it, without the checksum. */
    default String toJson() {
        return JsonLine.encode(this);
    }

    record Step(StepMetrics metrics, double time) implements RunRecord {}

    /** @param step how many steps of the run were done at its end */
    record Epoch(EpochMetrics metrics, long step, double time) implements RunRecord {}

    /**
     * Something that happened to the run.
     *
     * @param what a word: "resumed", "diverged", "checkpoint" and so on
     * @param step how many steps of the run were done by then
     */
    record Event(String what, long step, String message, double time) implements RunRecord {}
}
