package io.polder.bench;

import io.polder.study.results.StudyResult;
import io.polder.study.results.StudyText;
import io.polder.study.search.Planner;
import io.polder.study.search.Study;
import io.polder.study.search.StudyDirectory;
import io.polder.study.search.StudyFile;
import io.polder.study.search.Trial;
import io.polder.study.trial.EpochPoint;
import io.polder.study.trial.OutcomeJson;
import io.polder.study.trial.TrialOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How long it takes to list a store of 10,000 trials, and to make the result and the table of the study they belong to, in a process that
 * has done nothing before. Each outcome has a curve of 25 epochs.
 *
 * <p>Arguments: how many radii (10), balances (10) and seeds (100): the table has as many rows as the first two multiplied.
 */
public final class StoreSpeed {
    private static final int EPOCHS = 25;

    private StoreSpeed() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length == 1) {
            measure(Path.of(arguments[0]));
            return;
        }
        int[] sizes = arguments.length == 3
                ? Stream.of(arguments).mapToInt(Integer::parseInt).toArray()
                : new int[] {10, 10, 100};
        Path directory = Files.createTempDirectory("polder-store");
        try {
            make(directory, sizes[0], sizes[1], sizes[2]);
            Process reader = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            StoreSpeed.class.getName(),
                            directory.toString())
                    .inheritIO()
                    .start();
            reader.waitFor();
        } finally {
            delete(directory);
        }
    }

    private static void measure(Path directory) throws IOException {
        var home = StudyDirectory.open(directory);
        long start = System.nanoTime();
        int listed = home.store().outcomes().size();
        long list = System.nanoTime();
        StudyResult result = home.result();
        long found = System.nanoTime();
        String text = StudyText.text(result);
        long report = System.nanoTime();
        System.out.printf("list %,d trials:   %.2f s%n", listed, (list - start) / 1e9);
        System.out.printf("result of the study:  %.2f s%n", (found - list) / 1e9);
        System.out.printf(
                "its table:            %.2f s (%,d lines)%n",
                (report - found) / 1e9, text.lines().count());
        System.out.printf("all:                  %.2f s; to be below 3 s%n", (report - start) / 1e9);
    }

    private static void make(Path directory, int radii, int balances, int seeds) throws IOException {
        Study study = StudyFile.read("""
                name: store-speed
                base: quick-fashion
                methods: [{ method: gradient-norm-penalty, sweep: { scheme.r: [%s], scheme.alpha: [%s] } }]
                seeds: %d
                """.formatted(numbers(radii), numbers(balances), seeds), "store-speed", directory);
        var home = StudyDirectory.create(directory, study, directory, Optional.empty());
        var random = new Random(0);
        for (Trial trial : new Planner(study).plan(id -> Optional.empty()).trials()) {
            Path file = home.store().directory(trial.id()).resolve("outcome.json");
            Files.createDirectories(file.getParent());
            // Not OutcomeJson.write: ten thousand waits for the disk would be most of the benchmark.
            Files.writeString(file, OutcomeJson.text(outcome(trial, random)));
        }
    }

    private static TrialOutcome outcome(Trial trial, Random random) {
        List<EpochPoint> curve = new ArrayList<>();
        for (int epoch = 1; epoch <= EPOCHS; epoch++) {
            curve.add(new EpochPoint(
                    epoch,
                    random.nextDouble(),
                    Map.of("error", random.nextDouble()),
                    random.nextDouble(),
                    Map.of("error", random.nextDouble()),
                    random.nextDouble(),
                    random.nextDouble(),
                    random.nextDouble()));
        }
        double error = 0.1 + 0.01 * random.nextDouble();
        return new TrialOutcome(
                trial.id(),
                trial.recipe().toYaml(),
                trial.recipe().name(),
                trial.method().text(),
                trial.recipe().seed(),
                TrialOutcome.Status.DONE,
                "",
                TrialOutcome.TEST,
                EPOCHS,
                null,
                Map.of("lastError", error, "bestError", error, "lastLoss", 1.0, "top5Error", 0.01),
                1,
                20,
                30,
                900,
                1,
                Instant.EPOCH,
                "a machine",
                curve);
    }

    private static String numbers(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> Double.toString(i / 100.0))
                .collect(Collectors.joining(", "));
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
