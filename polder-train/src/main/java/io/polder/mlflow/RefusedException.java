package io.polder.mlflow;

import java.io.IOException;

/** The server understood what it was asked and said no: to ask again is no use. */
final class RefusedException extends IOException {
    private static final long serialVersionUID = 1;

    private final String code;

    /** @param code MLflow's own name of the reason; empty where it gave none */
    RefusedException(String message, String code) {
        super(message);
        this.code = code;
    }

    boolean is(String code) {
        return this.code.equals(code);
    }
}
