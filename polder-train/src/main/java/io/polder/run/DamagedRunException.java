package io.polder.run;

import java.io.IOException;

/** A run cannot be gone on with because of what is in its directory: a file is damaged, gone, or of another run. */
public final class DamagedRunException extends IOException {
    private static final long serialVersionUID = 1;

    private final String fact;

    /**
     * @param fact which file, and what is wrong with it
     * @param advice what a person can do
     */
    public DamagedRunException(String fact, String advice, Throwable cause) {
        super(fact + ": " + advice, cause);
        this.fact = fact;
    }

    /** Without the advice, for who knows another way out. */
    public String fact() {
        return fact;
    }
}
