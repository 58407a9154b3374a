package io.polder.bench;

import com.sun.management.OperatingSystemMXBean;
import io.polder.study.search.Study;
import io.polder.study.search.StudyFile;
import io.polder.study.search.StudyRun;
import io.polder.study.search.StudyWatcher;
import io.polder.study.trial.LocalExecutor;
import io.polder.study.trial.TrialCommand;
import io.polder.study.trial.TrialStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A study of eight small trials, as many side by side as there are cores with one thread each, against one after another with all cores
 * each, in turns; and what the coordinator itself takes of the processor.
 *
 * <p>Arguments: epochs of a trial (default 5), rounds (default 2).
 */
public final class StudyThroughput {
    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final int TRIALS = 8;

    private StudyThroughput() {}

    public static void main(String[] arguments) throws IOException {
        int epochs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2;
        Study study = StudyFile.read(
                "name: throughput\nbase: quick-fashion\nset: { epochs: %d }\nmethods: [gradient-norm-penalty]\nseeds: %d\n"
                        .formatted(epochs, TRIALS),
                "throughput",
                Path.of("."));
        double sideBySide = 0;
        double inTurn = 0;
        double own = 0;
        for (int round = 0; round < rounds; round++) {
            double[] together = run(study, CORES, 1);
            double[] alone = run(study, 1, CORES);
            sideBySide += together[0];
            own += together[1];
            inTurn += alone[0];
            System.out.printf(
                    "round %d: side by side %.1f s, one after another %.1f s%n", round + 1, together[0], alone[0]);
        }
        System.out.printf(
                "%d trials, %d cores: %.2f × the throughput of one after another; to be at least 1.25%n",
                TRIALS, CORES, inTurn / sideBySide);
        System.out.printf(
                "the coordinator's own work: %.2f %% of the processor; to be below 1 %%%n",
                100 * own / (sideBySide * CORES));
    }

    /** Seconds that it took, and seconds of the processor that this process took of them. */
    private static double[] run(Study study, int sideBySide, int threads) throws IOException {
        Path directory = Files.createTempDirectory("polder-throughput");
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        try (var executor = new LocalExecutor(TrialCommand.likeThisProcess(), sideBySide, threads)) {
            long cpu = system.getProcessCpuTime();
            long start = System.nanoTime();
            var result = new StudyRun(
                            study, new TrialStore(directory), executor, Optional.empty(), new StudyWatcher() {})
                    .run();
            if (!result.failures().isEmpty()) {
                throw new IOException(result.failures().get(0).reason());
            }
            return new double[] {(System.nanoTime() - start) / 1e9, (system.getProcessCpuTime() - cpu) / 1e9};
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
