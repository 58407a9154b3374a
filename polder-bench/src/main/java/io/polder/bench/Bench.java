package io.polder.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import io.polder.bench.CaseRun.Case;
import io.polder.bench.CaseRun.Plan;
import io.polder.files.Machine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The benchmark beside the peers: what a user calls as {@code polder-bench/bench}. */
@Command(
        name = "polder-bench/bench",
        sortOptions = false,
        subcommands = {GrowthBench.class, EpochBench.class, StartupBench.class},
        description = {
            "A training step, standard and of the penalty, here and in the peers: the same networks, batches and mathematics, all sides in turns in one run.",
            "",
            "[low, high] is where the median over turns lies by order statistics. A pass is forward, backward and L2's part of the gradient; the rest of a step"
                    + " is what \"outside passes\" is of. The rate of the last kind of step is compared with that of a product of 2048² matrices in the same turns.",
            ""
        })
final class Bench implements Callable<Integer> {
    /** What all comparisons take. */
    static final class Common {
        @Option(
                names = "--peers",
                paramLabel = "DIR",
                description = "What tools/peers DIR made: PyTorch and JAX. Without it Polder is measured alone.")
        Path peers;

        // The fewest by which an interval can hold the median with 95 %.
        @Option(names = "--turns", paramLabel = "N", description = "How many turns; default ${DEFAULT-VALUE}.")
        int turns = 6;

        @Option(names = "--threads", paramLabel = "N", description = "Threads of each side; default ${DEFAULT-VALUE}.")
        int threads = 2;

        @Option(
                names = "--json",
                paramLabel = "FILE",
                description = "Where all of it goes as JSON, every single time included.")
        Path json;

        @Option(
                names = {"-h", "--help"},
                usageHelp = true,
                description = "Show this help and exit.")
        private boolean help;

        void validate() {
            if (turns < 1) {
                throw new IllegalArgumentException("--turns is " + turns + ": it must be at least 1");
            }
            if (threads < 1) {
                throw new IllegalArgumentException("--threads is " + threads + ": it must be at least 1");
            }
            if (peers != null && !Files.isExecutable(Path.of(Side.python(peers)))) {
                throw new IllegalArgumentException(
                        "there is no " + Side.python(peers) + ": make it with tools/peers " + peers);
            }
        }
    }

    @Mixin
    private Common common;

    @Option(
            names = "--cases",
            split = ",",
            defaultValue = "wrn-10-1/128,wrn-16-4/64,pyramidnet-164-48/32,vgg16-bn/64,vit-ti-4/64",
            paramLabel = "NETWORK/BATCH",
            description = "What is measured; default ${DEFAULT-VALUE}.")
    private List<String> cases;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "About how long a side has in a turn; default ${DEFAULT-VALUE}.")
    private double seconds = 5;

    public static void main(String[] arguments) {
        var command = new CommandLine(new Bench());
        command.setExecutionExceptionHandler((e, line, result) -> {
            System.err.println("polder-bench/bench: " + e.getMessage());
            return 1;
        });
        System.exit(command.execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        common.validate();
        List<Case> all = cases.stream().map(Case::of).toList();
        var run = new CaseRun(new Plan(common.turns, common.threads, seconds), System.err);
        String machine = machine(common.turns);
        System.out.println(machine);
        List<Object> results = new ArrayList<>();
        List<String> engines = new ArrayList<>();
        for (Case each : all) {
            CaseResult result = run.measure(each, Side.all(common.peers, home()));
            System.out.println(result.text());
            results.add(Map.of("rows", result.rows(), "conclusions", result.conclusions(), "measured", result));
            result.sides().forEach(side -> engines.add(side.name() + " (" + side.engine() + ")"));
            save(common.json, machine, results); // after each: the next may take an hour
        }
        System.out.println("Sides: " + String.join(", ", new TreeSet<>(engines)));
        return 0;
    }

    /** What it ran on, and how busy that was before. */
    static String machine(int turns) {
        var machine = new Machine();
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var flags = new TreeSet<>(machine.processorFlags());
        flags.removeIf(flag -> !flag.matches("avx2|avx512f|avx512_bf16|amx_bf16|fma"));
        return String.format(
                Locale.ROOT,
                "%s, %d cores (%s), %.0f GB, Java %s, %s; load before it began: %.1f%n"
                        + "Medians of %d turns; [low, high] holds the true one with %.0f %%.%n",
                machine.processor(),
                system.getAvailableProcessors(),
                String.join(" ", flags),
                system.getTotalMemorySize() * 1e-9,
                System.getProperty("java.runtime.version"),
                LocalDate.now(),
                system.getSystemLoadAverage(),
                turns,
                100 * Interval.coverage(turns));
    }

    static void save(Path file, String machine, List<Object> results) throws IOException {
        if (file != null) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("machine", machine);
            all.put("results", results);
            new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), all);
        }
    }

    /** The directory of the project, which polder-bench/bench names. */
    static Path home() {
        return Path.of(System.getProperty("polder.home"));
    }
}
