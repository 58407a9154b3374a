package io.polder.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {
    private static final long MB = 1 << 20;

    @TempDir
    Path root;

    @BeforeEach
    void aMachineWithEightGigabytes() throws IOException {
        write("proc/meminfo", "MemTotal: 16777216 kB\nMemFree: 1048576 kB\nMemAvailable: 8388608 kB\n");
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private long available() {
        return new Machine(root).available().orElseThrow();
    }

    private void groupOfVersion2(String directory, String limit, long used, long files) throws IOException {
        write(directory + "/memory.max", limit + "\n");
        write(directory + "/memory.current", used + "\n");
        write(directory + "/memory.stat", "anon 1\nfile 7\ninactive_file " + files + "\nactive_file 0\n");
    }

    private void groupOfVersion1(String directory, long limit, long used, long files) throws IOException {
        write(directory + "/memory.limit_in_bytes", limit + "\n");
        write(directory + "/memory.usage_in_bytes", used + "\n");
        write(directory + "/memory.stat", "inactive_file 0\ntotal_inactive_file 0\ntotal_active_file " + files + "\n");
    }

    @Test
    void outsideOfAnyGroupItIsWhatTheMachineHas() {
        assertThat(available()).isEqualTo(8192 * MB);
    }

    /** As in Docker: the container's group is mounted as if it were the top one. */
    @Test
    void inAContainerItIsWhatItsLimitLeaves() throws IOException {
        write("proc/self/cgroup", "0::/\n");
        write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw,nsdelegate\n");
        groupOfVersion2("sys/fs/cgroup", Long.toString(470 * MB), 100 * MB, 0);
        assertThat(available()).isEqualTo(370 * MB);
    }

    @Test
    void filesThatAreKeptInMemoryDoNotCountAsUsed() throws IOException {
        write("proc/self/cgroup", "0::/\n");
        write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        groupOfVersion2("sys/fs/cgroup", Long.toString(470 * MB), 460 * MB, 400 * MB);
        assertThat(available()).isEqualTo(410 * MB);
    }

    @Test
    void theTightestOfTheGroupsAroundCounts() throws IOException {
        write("proc/self/cgroup", "0::/batch/job/step\n");
        write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        groupOfVersion2("sys/fs/cgroup/batch", Long.toString(4096 * MB), 3000 * MB, 0);
        groupOfVersion2("sys/fs/cgroup/batch/job", Long.toString(2048 * MB), 10 * MB, 0);
        groupOfVersion2("sys/fs/cgroup/batch/job/step", "max", 10 * MB, 0);
        assertThat(available()).isEqualTo(1096 * MB);
    }

    @Test
    void aGroupThatHasMoreThanTheMachineLimitsNothing() throws IOException {
        write("proc/self/cgroup", "0::/\n");
        write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        groupOfVersion2("sys/fs/cgroup", Long.toString(65536 * MB), 10 * MB, 0);
        assertThat(available()).isEqualTo(8192 * MB);
    }

    /** As in Docker with version 1: the process is told its group's name outside, but sees the group as the top one. */
    @Test
    void versionOneHasItsLimitsInFilesOfOtherNames() throws IOException {
        write("proc/self/cgroup", "9:name=systemd:/docker/c0\n4:memory:/docker/c0\n3:cpu,cpuacct:/docker/c0\n0::/\n");
        write(
                "proc/self/mountinfo",
                "34 31 0:31 /docker/c0 /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                        + "35 31 0:32 /docker/c0 /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n"
                        + "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n");
        groupOfVersion1("sys/fs/cgroup/memory", 1536 * MB, 600 * MB, 64 * MB);
        assertThat(available()).isEqualTo(1000 * MB);
    }

    @Test
    void aGroupOfVersionOneWithoutALimitLimitsNothing() throws IOException {
        write("proc/self/cgroup", "4:memory:/user\n");
        write("proc/self/mountinfo", "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n");
        groupOfVersion1("sys/fs/cgroup/memory/user", 9223372036854771712L, 600 * MB, 0);
        assertThat(available()).isEqualTo(8192 * MB);
    }

    @Test
    void ofAGroupThatIsOutOfSightTheTopOneCounts() throws IOException {
        write("proc/self/cgroup", "0::/../elsewhere\n");
        write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        groupOfVersion2("sys/fs/cgroup", Long.toString(470 * MB), 70 * MB, 0);
        assertThat(available()).isEqualTo(400 * MB);
    }

    @Test
    void aGroupThatIsOverItsLimitHasNothingLeft() throws IOException {
        write("proc/self/cgroup", "0::/\n");
        write("proc/self/mountinfo", "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
        groupOfVersion2("sys/fs/cgroup", Long.toString(470 * MB), 480 * MB, 0);
        assertThat(available()).isZero();
    }

    @Test
    void filesThatSaySomethingElseSayNothing() throws IOException {
        write("proc/self/cgroup", "nonsense\n0::\n4:memory\n");
        write("proc/self/mountinfo", "nonsense\n - \n31 23 0:28 / /sys/fs/cgroup rw - cgroup2\n");
        assertThat(available()).isEqualTo(8192 * MB);
    }

    @Test
    void elsewhereThanOnLinuxNothingIsKnown() {
        assertThat(new Machine(root.resolve("nowhere")).available()).isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisMachineHasSome() {
        assertThat(new Machine().available().orElseThrow()).isBetween(1L, 1L << 50);
    }

    @Test
    void theProcessorIsTheFirstOfThoseListed() throws IOException {
        write(
                "proc/cpuinfo",
                "processor\t: 0\nmodel name\t: Some CPU @ 2.00GHz\nflags\t\t: fpu avx2 amx_bf16\n\n"
                        + "processor\t: 1\nmodel name\t: Another\nflags\t\t: sse\n");
        assertThat(new Machine(root).processor()).isEqualTo("Some CPU @ 2.00GHz");
        assertThat(new Machine(root).processorFlags()).containsExactlyInAnyOrder("fpu", "avx2", "amx_bf16");
    }

    @Test
    void whereNothingIsToldTheProcessorIsItsArchitectureAndTheHostHasAName() {
        var elsewhere = new Machine(root.resolve("nowhere"));
        assertThat(elsewhere.processor()).isEqualTo(System.getProperty("os.arch"));
        assertThat(elsewhere.processorFlags()).doesNotContain("avx2");
        assertThat(elsewhere.host()).isNotBlank();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aProcessHasMemoryAndHasHadNoLess() {
        long self = ProcessHandle.current().pid();
        long resident = new Machine().memoryOf(self).orElseThrow();
        assertThat(resident).isPositive();
        assertThat(new Machine().peakOf(self).orElseThrow()).isGreaterThanOrEqualTo(resident);
    }

    @Test
    void ofAProcessThatIsNotThereNothingIsKnown() {
        assertThat(new Machine().memoryOf(Long.MAX_VALUE)).isEmpty();
    }
}
