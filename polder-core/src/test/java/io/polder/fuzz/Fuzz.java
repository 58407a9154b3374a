package io.polder.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Damages good files thousands of times, and looks at what a reader makes of each: what it read, or a refusal, which is an exception
 * of a documented type whose message is one sentence that names the file. Anything else is a fault: another exception, an error, a
 * case that does not end, one that allocates out of proportion.
 *
 * <p>A case is a function of the seed, the reader's name and its number. A failure prints all three;
 * {@code -Dpolder.fuzz.seed=… -Dpolder.fuzz.case=…} repeats one case, {@code -Dpolder.fuzz.cases=…} runs more of them. While a case
 * runs, {@code target/fuzz/READER} names it, for readers of native libraries that may end the process.
 */
public final class Fuzz {
    /** What a reader makes of a file's bytes; compared by {@code equals} where the law asks for the same. */
    @FunctionalInterface
    public interface Reader {
        Object read(byte[] bytes) throws Exception;
    }

    private static final long SEED = Long.getLong("polder.fuzz.seed", 20261116);
    private static final int CASES = Integer.getInteger("polder.fuzz.cases", 3_000);
    private static final int ONE_CASE = Integer.getInteger("polder.fuzz.case", -1);

    /** Only to name a case that would never end: the slowest take a few milliseconds. */
    private static final long MOST_SECONDS = 60;

    private static final int LONGEST_SENTENCE = 3_000;
    private static final int MOST_FAULTS = 20;
    private static final ThreadMXBean MEMORY = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final String name;
    private final List<byte[]> seeds;
    private int cases = CASES;
    private long mostBytes = 256L << 20;
    private boolean same;
    private boolean lines;
    private String named;
    private List<Class<? extends Exception>> refusals = List.of(IOException.class);

    private Fuzz(String name, List<byte[]> seeds) {
        this.name = name;
        this.seeds = seeds;
    }

    /** @param seeds good files, each of which the reader reads */
    public static Fuzz of(String name, byte[]... seeds) {
        return new Fuzz(name, List.of(seeds));
    }

    /** A part of the usual number, for a reader that is slow. */
    public Fuzz oneCaseOf(int many) {
        cases = Math.max(1, CASES / many);
        return this;
    }

    /** What one case may allocate on its thread; 256 MiB unless said. */
    public Fuzz allocatingAtMost(long bytes) {
        mostBytes = bytes;
        return this;
    }

    /** For files with a checksum: what is read at all is what the undamaged file, the first seed, says. */
    public Fuzz sameOrRefused() {
        same = true;
        return this;
    }

    /** A refusal may list mistakes, a line each. */
    public Fuzz listing() {
        lines = true;
        return this;
    }

    /** What every refusal must name. */
    public Fuzz naming(Path file) {
        named = file.toString();
        return this;
    }

    /** Instead of {@link IOException}: the only ones that may be thrown. None: it is always read. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final Fuzz refusedBy(Class<? extends Exception>... types) {
        refusals = List.of(types);
        return this;
    }

    /** Runs the cases; fails with one example of each kind of fault. */
    public void run(Reader reader) throws Exception {
        Object good = null;
        for (byte[] seed : seeds) {
            Object read = reader.read(seed.clone());
            good = good == null ? read : good;
        }
        var run = new Run(reader, good);
        Thread worker = new Thread(run, "fuzz-" + name);
        worker.setDaemon(true);
        worker.start();
        awaitEnd(worker, run.current);
        System.out.println("Fuzz: " + name + ", seed " + SEED + ": " + run.read + " read, " + run.refused + " refused");
        if (!run.faults.isEmpty()) {
            var all = new AssertionError(run.faults.size() + " kinds of faults in " + name + ":\n"
                    + run.faults.values().stream()
                            .map(fault -> fault.getMessage() + ": " + fault.getCause())
                            .collect(Collectors.joining("\n")));
            run.faults.values().forEach(all::addSuppressed);
            throw all;
        }
        if (ONE_CASE < 0) {
            assertThat(run.changed).as("cases that are no seed").isGreaterThan(cases / 2);
        }
    }

    private void awaitEnd(Thread worker, AtomicInteger current) throws InterruptedException {
        int last = -1;
        for (worker.join(MOST_SECONDS * 1000); worker.isAlive(); worker.join(MOST_SECONDS * 1000)) {
            int now = current.get();
            if (now == last) {
                var stuck = new AssertionError(place(now) + " is not done after a minute");
                stuck.setStackTrace(worker.getStackTrace());
                throw stuck;
            }
            last = now;
        }
    }

    private String place(int number) {
        return name + ": -Dpolder.fuzz.seed=" + SEED + " -Dpolder.fuzz.case=" + number;
    }

    private byte[] damaged(int number) {
        return Mutator.mutated(seeds, new SplittableRandom(Objects.hash(SEED, name, number)));
    }

    private final class Run implements Runnable {
        private final Reader reader;
        private final Object good;
        private final AtomicInteger current = new AtomicInteger();
        private final Map<String, Throwable> faults = new LinkedHashMap<>();
        private int read;
        private int refused;
        private int changed;

        Run(Reader reader, Object good) {
            this.reader = reader;
            this.good = good;
        }

        @Override
        public void run() {
            int first = ONE_CASE < 0 ? 0 : ONE_CASE;
            int end = ONE_CASE < 0 ? cases : ONE_CASE + 1;
            for (int i = first; i < end && faults.size() < MOST_FAULTS; i++) {
                current.set(i);
                byte[] damaged = damaged(i);
                changed += seeds.stream().noneMatch(seed -> Arrays.equals(seed, damaged)) ? 1 : 0;
                try {
                    note(i);
                    one(damaged);
                } catch (Throwable e) {
                    faults.putIfAbsent(kind(e), new AssertionError(place(i), e));
                }
            }
        }

        private void one(byte[] damaged) throws Throwable {
            long before = MEMORY.getCurrentThreadAllocatedBytes();
            try {
                Object result = reader.read(damaged);
                read++;
                if (same) {
                    assertThat(result).as("what is read of a damaged file").isEqualTo(good);
                }
            } catch (Exception e) {
                if (refusals.stream().noneMatch(type -> type.isInstance(e))) {
                    throw e;
                }
                refused++;
                requireSentence(e);
            }
            assertThat(MEMORY.getCurrentThreadAllocatedBytes() - before)
                    .as("bytes allocated")
                    .isLessThan(mostBytes);
        }

        private void requireSentence(Exception e) {
            String message = e.getMessage();
            if (message == null
                    || message.isBlank()
                    || message.lines().anyMatch(line -> line.length() > LONGEST_SENTENCE)
                    || message.chars().anyMatch(c -> Character.isISOControl(c) && !(lines && c == '\n'))
                    || (named != null && !message.contains(named))) {
                throw new AssertionError("no sentence that names the file: " + message, e);
            }
        }

        private void note(int number) throws IOException {
            Path directory = Files.createDirectories(Path.of("target", "fuzz"));
            Files.writeString(directory.resolve(name.replaceAll("[^A-Za-z0-9.-]", "-")), place(number) + "\n");
        }

        /** Faults of one place in the code are one kind. */
        private static String kind(Throwable e) {
            Throwable root = e.getCause() != null && e instanceof AssertionError ? e.getCause() : e;
            return e.getClass().getName()
                    + Arrays.stream(root.getStackTrace())
                            .filter(frame -> frame.getClassName().startsWith("io.polder.")
                                    && !frame.getClassName().startsWith("io.polder.fuzz."))
                            .findFirst();
        }
    }
}
