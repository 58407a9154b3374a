package io.polder.distributed;

/** Others are no longer there to exchange anything with. The message is a sentence that names them and what was being done. */
public final class LostWorkerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LostWorkerException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
