package io.polder.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a user waits for before anything happens. */
@Command(
        name = "startup",
        sortOptions = false,
        description =
                "From the call of ./polder to the end of --version, and to the end of the first step of a training; what is read from disk was read before.")
final class StartupBench implements Callable<Integer> {
    @Option(names = "--turns", paramLabel = "N", description = "How many turns; default ${DEFAULT-VALUE}.")
    private int turns = 10;

    @Option(names = "--json", paramLabel = "FILE", description = "Where all of it goes as JSON.")
    private Path json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    private boolean help;

    @Override
    public Integer call() throws IOException, InterruptedException {
        String machine = Bench.machine(turns);
        System.out.println(machine);
        double[] version = new double[turns];
        double[] firstStep = new double[turns];
        for (int turn = -1; turn < turns; turn++) {
            double toVersion = version();
            double toFirstStep = firstStep();
            if (turn >= 0) {
                version[turn] = toVersion;
                firstStep[turn] = toFirstStep;
            }
        }
        var table = new Table("", "seconds");
        table.add("./polder --version", Interval.of(version).text(2));
        table.add(
                "./polder train quick-fashion, first step",
                Interval.of(firstStep).text(2));
        System.out.println(table);
        Bench.save(json, machine, List.of(Map.of("version", version, "firstStep", firstStep)));
        return 0;
    }

    private static double version() throws IOException, InterruptedException {
        long started = System.nanoTime();
        Program.linesOf(List.of(polder(), "--version"));
        return (System.nanoTime() - started) * 1e-9;
    }

    /** By the moment that the run's metrics have for it. */
    private static double firstStep() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("polder-bench");
        try {
            Path run = directory.resolve("run");
            double started = System.currentTimeMillis() * 1e-3;
            Program.linesOf(
                    List.of(polder(), "train", "quick-fashion", "-s", "steps=1", "--json", "--out", run.toString()));
            try (var lines = Files.lines(run.resolve("metrics.jsonl"))) {
                String first = lines.filter(line -> line.contains("\"kind\":\"step\""))
                        .findFirst()
                        .orElseThrow();
                return new ObjectMapper().readTree(first).path("time").asDouble() - started;
            }
        } finally {
            Program.delete(directory);
        }
    }

    private static String polder() {
        return Bench.home().resolve("polder").toString();
    }
}
