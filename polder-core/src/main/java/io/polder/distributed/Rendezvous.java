package io.polder.distributed;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Where workers meet, and which of them one is.
 *
 * @param rank from 0 to {@code size} − 1; each is taken by one worker
 * @param size how many workers there are, on all machines
 * @param localSize how many of them share this machine
 * @param timeout how long a worker waits for the others in an exchange before it gives them up
 */
public record Rendezvous(int rank, int size, int localSize, Place place, Duration timeout) {
    /** More than a slow step's difference between workers, less than anybody likes to wait for one that hangs. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    /** Where nobody trains, workers wait for each other so much longer: at the start, and while rank 0 saves or measures. */
    public static final int PATIENCE = 10;

    /** Set by {@code polder --workers}: a file that local workers meet by, instead of an address. */
    public static final String FILE = "POLDER_RENDEZVOUS";

    /** What workers find each other by. */
    public sealed interface Place {}

    /** A file in a directory that only this user can read: for workers of one machine, and no port is opened for it. */
    public record InFile(Path file) implements Place {}

    /**
     * A port of a machine that all can reach. Rank 0 listens there, unless somebody did before.
     *
     * @param served whether who started the workers listens there, as {@code torchrun} does
     * @param attempt names this start of the workers, where one port serves several in turn
     */
    public record AtPort(String host, int port, boolean served, String attempt) implements Place {
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    public Rendezvous {
        if (size < 1 || rank < 0 || rank >= size) {
            throw new IllegalArgumentException(
                    "the rank is " + rank + " of " + size + " workers: it must be 0 to " + (size - 1));
        }
        if (localSize < 1 || localSize > size) {
            throw new IllegalArgumentException("LOCAL_WORLD_SIZE is " + localSize + ": it must be 1 to " + size);
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the timeout of workers is " + timeout + ": it must be positive");
        }
    }

    /** Of workers that are all here: threads of this process, or processes of this machine. */
    public static Rendezvous inFile(int rank, int size, Path file, Duration timeout) {
        return new Rendezvous(rank, size, size, new InFile(file), timeout);
    }

    /**
     * As torchrun, Slurm's scripts and Kubeflow say it: {@code RANK}, {@code WORLD_SIZE}, {@code MASTER_ADDR}, {@code MASTER_PORT}, and
     * {@code LOCAL_WORLD_SIZE} where several share a machine.
     *
     * @return empty where there are no variables of that kind, or for one worker alone
     * @throws IllegalArgumentException a sentence, if they make no sense
     */
    public static Optional<Rendezvous> of(Map<String, String> environment, Duration timeout) {
        if (!environment.containsKey("WORLD_SIZE")) {
            return Optional.empty();
        }
        int size = number(environment, "WORLD_SIZE", null);
        if (size == 1) {
            return Optional.empty();
        }
        int rank = number(environment, "RANK", null);
        int localSize = number(environment, "LOCAL_WORLD_SIZE", "1");
        String file = environment.get(FILE);
        if (file != null) {
            return Optional.of(new Rendezvous(rank, size, localSize, new InFile(Path.of(file)), timeout));
        }
        String host = environment.get("MASTER_ADDR");
        if (host == null || host.isBlank()) {
            throw new IllegalArgumentException("MASTER_ADDR is not set, and WORLD_SIZE is " + size
                    + ": set it to the machine of rank 0, as torchrun does");
        }
        int port = number(environment, "MASTER_PORT", null);
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("MASTER_PORT is " + port + ": it must be 1 to 65535");
        }
        boolean served = Boolean.parseBoolean(environment.getOrDefault("TORCHELASTIC_USE_AGENT_STORE", "false"));
        String attempt = environment.getOrDefault("TORCHELASTIC_RESTART_COUNT", "0");
        return Optional.of(new Rendezvous(rank, size, localSize, new AtPort(host, port, served, attempt), timeout));
    }

    private static int number(Map<String, String> environment, String name, String otherwise) {
        String text = environment.getOrDefault(name, otherwise);
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is " + (text == null ? "not set" : "\"" + text + "\"")
                    + ": it must be a whole number, as torchrun sets it for every worker");
        }
    }

    /** Whether all workers are on this machine: then nothing of them can be reached from another. */
    public boolean isLocal() {
        return localSize == size;
    }

    Duration patience() {
        return timeout.multipliedBy(PATIENCE);
    }
}
