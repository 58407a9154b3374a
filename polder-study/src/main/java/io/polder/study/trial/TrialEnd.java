package io.polder.study.trial;

import java.io.Serializable;
import java.util.Objects;

/**
 * How one attempt at a trial ended, for whoever started it. The trial's result is not in it: that is in the store.
 *
 * @param detail a sentence; empty if there is nothing to say
 */
public record TrialEnd(Kind kind, String detail) implements Serializable {
    /** What to do next follows from it. */
    public enum Kind {
        /** Its outcome is in the store: done or diverged. The detail says what was found damaged on the way. */
        FINISHED,
        /** It was told to stop and can be resumed. */
        STOPPED,
        /** Another process is at the same trial: wait for its outcome, or for its end. */
        BUSY,
        /** It cannot be run: trying again at once would give the same. */
        REFUSED,
        /** The disk is full or cannot be written to: it goes on from its last checkpoint once it can, and others would fare no better. */
        UNSAVED,
        /** It ran out of memory, or was killed as if it had: it may have enough when nothing runs beside it. */
        OUT_OF_MEMORY,
        /** Its process was killed or crashed, which may be the machine's fault: it may be tried again, from its checkpoint. */
        CRASHED
    }

    public TrialEnd {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(detail, "detail");
    }
}
