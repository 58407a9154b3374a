package io.polder.bench;

import java.lang.management.ManagementFactory;

/** Time the processor spent on this process, all threads together: what "per core" is measured by on a shared machine. */
final class CpuClock {
    private CpuClock() {}

    static long nanoseconds() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
