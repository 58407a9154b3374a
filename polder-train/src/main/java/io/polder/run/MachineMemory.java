package io.polder.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * The memory that this process can have, as Linux tells: the machine's, or less where the process is in a container, which is a control
 * group with a limit (cgroup v1 or v2) that {@code /proc/meminfo} does not show. Elsewhere nothing is known.
 */
public final class MachineMemory {
    private static final long KIBIBYTE = 1024;

    private final Path root;

    public MachineMemory() {
        this(Path.of("/"));
    }

    /** @param root where {@code proc} and the mounted groups are looked for */
    MachineMemory(Path root) {
        this.root = root;
    }

    /** Bytes that can be had without swapping: the least of what the machine and each group around this process have left. */
    public OptionalLong available() {
        List<Long> left = new ArrayList<>();
        field(root.resolve("proc/meminfo"), "MemAvailable:").ifPresent(kibibytes -> left.add(kibibytes * KIBIBYTE));
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
                .mapToLong(MachineMemory::digits)
                .filter(value -> value >= 0)
                .findFirst();
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
