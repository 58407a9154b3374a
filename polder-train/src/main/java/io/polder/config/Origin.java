package io.polder.config;

/**
 * Where something was written.
 *
 * @param line from 1; 0 if it was not in a file
 */
record Origin(String source, int line) {
    /** An override: the path that follows it says which. */
    static final Origin OVERRIDE = new Origin("-s", 0);

    boolean isOverride() {
        return equals(OVERRIDE);
    }

    /** Mistakes are told in the order of the file, and those of overrides at the end. */
    int order() {
        return line == 0 ? Integer.MAX_VALUE : line;
    }

    @Override
    public String toString() {
        return line == 0 ? source : source + ":" + line;
    }
}
