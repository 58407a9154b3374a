package io.polder.train;

import java.util.Optional;
import java.util.regex.Pattern;

/** The engine found no room for what the loop asked of it. Its own words are those of the cause, with a stack of its source. */
public final class NotEnoughMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** It has one exception for all that goes wrong, and other words on each device. */
    private static final Pattern ENGINES_WORDS =
            Pattern.compile("can't allocate memory|not enough memory|out of memory|bad_alloc");

    private static final Pattern AMOUNT = Pattern.compile("tried to allocate ([\\d.]+ \\w+)", Pattern.CASE_INSENSITIVE);

    private NotEnoughMemoryException(String what, RuntimeException e) {
        super(
                "there is not enough memory for " + what + amount(e.getMessage())
                        + ": let fewer images through the network at once, with microBatch: auto or a smaller number, or take a smaller data.batch",
                e);
    }

    private static String amount(String message) {
        var matcher = AMOUNT.matcher(message);
        return matcher.find() ? ", which asked for " + matcher.group(1) + " more" : "";
    }

    /** What to throw in the place of an exception: itself, unless it is the engine's for this. */
    static RuntimeException inPlaceOf(RuntimeException e, String what) {
        return isTheEngines(e) ? new NotEnoughMemoryException(what, e) : e;
    }

    /** What to say of an exception that is this one, or the engine's for it from outside the loop; empty for any other. */
    public static Optional<String> sentence(Throwable e) {
        if (e instanceof NotEnoughMemoryException) {
            return Optional.of(e.getMessage());
        }
        return isTheEngines(e)
                ? Optional.of("there is not enough memory for what was wanted" + amount(e.getMessage())
                        + ": close other programs, or ask for a smaller network, or smaller or fewer images at a time")
                : Optional.empty();
    }

    private static boolean isTheEngines(Throwable e) {
        return e.getMessage() != null
                && e.getClass() == RuntimeException.class
                && ENGINES_WORDS.matcher(e.getMessage()).find();
    }
}
