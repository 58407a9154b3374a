package io.polder.cli;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * How busy the cores are with other things.
 *
 * @param load so many processes wanted a core over the last minute; negative where the system does not tell
 */
record CoreLoad(double load, int cores) {
    static CoreLoad now() {
        return new CoreLoad(
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
    }

    boolean isHigh() {
        return load > cores;
    }

    /** What to know and to do where it is high. */
    String advice() {
        return String.format(
                Locale.ROOT,
                "The cores are busy with something else (load %.1f on %d): training would take about %.0f times as long as on"
                        + " idle ones; end it, or train later.",
                load,
                cores,
                1 + load / cores);
    }

    /** Likewise, where the training begins all the same. */
    String hint() {
        return String.format(
                Locale.ROOT,
                "the cores are busy with something else (load %.1f on %d), so this takes about %.0f times as long as on idle ones",
                load,
                cores,
                1 + load / cores);
    }
}
