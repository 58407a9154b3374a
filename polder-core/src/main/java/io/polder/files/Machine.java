package io.polder.files;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What Linux tells in {@code /proc} of the machine and its processes: the only place that looks there. Elsewhere little is known. */
public final class Machine {
    private static final long KIBIBYTE = 1024;

    private final Path root;

    public Machine() {
        this(Path.of("/"));
    }

    /** @param root where {@code proc} and the mounted groups are looked for */
    public Machine(Path root) {
        this.root = root;
    }

    /** What the processor calls itself, or its architecture. */
    public String processor() {
        return ofProcessor("model name").orElse(System.getProperty("os.arch"));
    }

    /** What the processor can do, in the kernel's words. */
    public Set<String> processorFlags() {
        return Set.copyOf(List.of(ofProcessor("flags").orElse("").split("\\s+")));
    }

    /** Of the first: they are all the same. */
    private Optional<String> ofProcessor(String field) {
        return lines(root.resolve("proc/cpuinfo")).stream()
                .filter(line -> line.startsWith(field))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst();
    }

    /** The kernel's word first: Java asks the network for the name of its own machine, and may wait for the answer. */
    public String host() {
        try {
            List<String> kernel = lines(root.resolve("proc/sys/kernel/hostname"));
            return kernel.isEmpty()
                    ? InetAddress.getLocalHost().getHostName()
                    : kernel.get(0).strip();
        } catch (IOException e) {
            return "localhost";
        }
    }

    /** Bytes of memory that a process has now. */
    public OptionalLong memoryOf(long pid) {
        return kibibytes("proc/" + pid + "/status", "VmRSS:");
    }

    /** The most that it has had. */
    public OptionalLong peakOf(long pid) {
        return kibibytes("proc/" + pid + "/status", "VmHWM:");
    }

    /** The peak of this process is counted anew from here. */
    public void forgetPeak() throws IOException {
        Files.writeString(root.resolve("proc/self/clear_refs"), "5");
    }

    /**
     * Bytes that this process can have without swapping: the least of what the machine and each group around the process have left. A
     * container is such a control group (cgroup v1 or v2), with a limit that {@code /proc/meminfo} does not show.
     */
    public OptionalLong available() {
        List<Long> left = new ArrayList<>();
        kibibytes("proc/meminfo", "MemAvailable:").ifPresent(left::add);
        for (Group group : groups()) {
            group.left().ifPresent(left::add);
        }
        return left.stream().mapToLong(Long::longValue).min();
    }

    /**
     * A control group as a directory.
     *
     * @param version 1 or 2: its files are called otherwise
     */
    private record Group(Path directory, int version) {
        /** Empty if it has no limit. What a full group holds of files goes before a process of it is killed: it counts as left. */
        OptionalLong left() {
            OptionalLong limit = number(directory.resolve(version == 1 ? "memory.limit_in_bytes" : "memory.max"));
            OptionalLong used = number(directory.resolve(version == 1 ? "memory.usage_in_bytes" : "memory.current"));
            if (limit.isEmpty() || used.isEmpty()) {
                return OptionalLong.empty();
            }
            // In version 1 the plain figures are without those of the groups below.
            String prefix = version == 1 ? "total_" : "";
            Path figures = directory.resolve("memory.stat");
            long files = field(figures, prefix + "inactive_file ").orElse(0)
                    + field(figures, prefix + "active_file ").orElse(0);
            return OptionalLong.of(Math.max(0, limit.getAsLong() - Math.max(0, used.getAsLong() - files)));
        }
    }

    /** The one that this process is in and those around it, as far up as this process sees: each of them may have a limit. */
    private List<Group> groups() {
        List<Group> found = new ArrayList<>();
        List<String> mounts = lines(root.resolve("proc/self/mountinfo"));
        for (String line : lines(root.resolve("proc/self/cgroup"))) {
            String[] parts = line.split(":", 3); // 4:memory:/path, or 0::/path in version 2
            int version = line.startsWith("0::") ? 2 : 1;
            if (parts.length < 3 || version == 1 && !hasWord(parts[1], "memory")) {
                continue;
            }
            for (String mount : mounts) {
                found.addAll(groups(mount, parts[2], version));
            }
        }
        return found;
    }

    /** @param mount a line of mountinfo: {@code 35 31 0:32 ROOT POINT rw,relatime - TYPE source OPTIONS} */
    private List<Group> groups(String mount, String group, int version) {
        int separator = mount.indexOf(" - ");
        String[] before = mount.split(" ");
        String[] after =
                separator < 0 ? new String[0] : mount.substring(separator + 3).split(" ");
        if (after.length < 3 || before.length < 5 || !after[0].equals(version == 1 ? "cgroup" : "cgroup2")) {
            return List.of();
        }
        if (version == 1 && !hasWord(after[2], "memory")) {
            return List.of();
        }
        Path top = inRoot(before[4]);
        // A container may see its own group only, mounted as if it were the top one.
        Path below = Path.of(before[3]).relativize(Path.of(group));
        Path directory = top.resolve(below).normalize();
        if (!directory.startsWith(top) || !Files.isDirectory(directory)) {
            directory = top;
        }
        List<Group> found = new ArrayList<>();
        for (Path each = directory; each.startsWith(top); each = each.getParent()) {
            found.add(new Group(each, version));
        }
        return found;
    }

    private Path inRoot(String absolute) {
        return root.resolve(Path.of("/").relativize(Path.of(absolute))).normalize();
    }

    private static boolean hasWord(String words, String word) {
        return Arrays.asList(words.split(",")).contains(word);
    }

    /** Empty if there is no such file or it has none, as {@code max}. */
    private static OptionalLong number(Path file) {
        return lines(file).stream()
                .limit(1)
                .mapToLong(Machine::digits)
                .filter(value -> value >= 0)
                .findFirst();
    }

    private OptionalLong kibibytes(String file, String name) {
        OptionalLong number = field(root.resolve(file), name);
        return number.isEmpty() ? number : OptionalLong.of(number.getAsLong() * KIBIBYTE);
    }

    private static OptionalLong field(Path file, String name) {
        return lines(file).stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> digits(line.substring(name.length())))
                .filter(value -> value >= 0)
                .findFirst();
    }

    /** -1 if there are none, or too many. */
    private static long digits(String text) {
        try {
            return Long.parseLong(text.replaceAll("\\D", ""));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }
}
