package io.polder.watch;

import io.polder.metrics.MetricsFollower;
import io.polder.study.LenientRunInfo;
import io.polder.study.RunSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The runs in the directories that were named, kept up to date. Not for several threads. */
final class WatchedRuns {
    /** Beyond that a chart could not be read. */
    static final int MOST_RUNS = 32;

    /** Many times the points of a curve. */
    private static final int MOST_RECORDS = 4_000;

    private final List<Path> directories;
    private final Map<Path, Run> runs = new LinkedHashMap<>();
    private boolean tooMany;

    private static final class Run {
        private final MetricsFollower metrics;
        private LenientRunInfo facts = new LenientRunInfo(Map.of());

        Run(Path directory) {
            metrics = new MetricsFollower(directory.resolve("metrics.jsonl"), MOST_RECORDS);
        }

        boolean poll(Path directory) throws IOException {
            LenientRunInfo before = facts;
            facts = LenientRunInfo.read(directory);
            return metrics.poll() | !facts.equals(before);
        }
    }

    WatchedRuns(List<Path> directories) throws IOException {
        for (Path directory : directories) {
            if (!Files.isDirectory(directory)) {
                throw new IOException(directory + " is not a directory: name that of a run, or one that contains some");
            }
        }
        this.directories = List.copyOf(directories);
    }

    /**
     * Looks for new runs, and for news of those that are known; whether there was anything. What cannot be read for a moment, or
     * at all, has no news.
     */
    boolean poll() {
        Set<Path> found = find();
        boolean changed = runs.keySet().retainAll(found);
        for (Path directory : found) {
            Run run = runs.get(directory);
            if (run == null) {
                run = new Run(directory);
                runs.put(directory, run);
                changed = true;
            }
            try {
                changed |= run.poll(directory);
            } catch (IOException e) {
                // shown as it was
            }
        }
        return changed;
    }

    /** In the order of the names on the disk, by which each also goes where the runs call themselves the same. */
    List<RunSnapshot> snapshots() {
        Map<String, Integer> names = new HashMap<>();
        runs.values().forEach(run -> names.merge(run.facts.get("name"), 1, Integer::sum));
        List<RunSnapshot> snapshots = new ArrayList<>();
        runs.forEach((directory, run) -> {
            String name = run.facts.get("name");
            String folder = directory.toAbsolutePath().normalize().getFileName().toString();
            snapshots.add(new RunSnapshot(
                    name.isEmpty() || names.get(name) > 1 ? folder : name, run.facts, run.metrics.history()));
        });
        return snapshots;
    }

    /** The directories that are looked in, as they were named. */
    String where() {
        return directories.stream().map(Path::toString).collect(Collectors.joining(" or "));
    }

    /** Whether some were left out. */
    boolean tooMany() {
        return tooMany;
    }

    private Set<Path> find() {
        Set<Path> found = new LinkedHashSet<>();
        Set<Path> seen = new HashSet<>();
        tooMany = false;
        for (Path directory : directories) {
            for (Path candidate : isRun(directory) ? List.of(directory) : children(directory)) {
                if (isRun(candidate)) {
                    add(candidate, found, seen);
                }
            }
        }
        return found;
    }

    private static List<Path> children(Path directory) {
        try (var children = Files.list(directory)) {
            return children.sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /** The same run may be named twice, by itself and by the directory around it. */
    private void add(Path directory, Set<Path> found, Set<Path> seen) {
        if (seen.add(real(directory))) {
            if (found.size() < MOST_RUNS) {
                found.add(directory);
            } else {
                tooMany = true;
            }
        }
    }

    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            return directory; // gone in this moment
        }
    }

    private static boolean isRun(Path directory) {
        return Files.isRegularFile(directory.resolve("metrics.jsonl"))
                || Files.isRegularFile(directory.resolve("run.json"));
    }
}
