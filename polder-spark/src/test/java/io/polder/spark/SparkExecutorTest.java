package io.polder.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.config.Plugins;
import io.polder.study.trial.TrialCommand;
import io.polder.study.trial.TrialEnd;
import io.polder.study.trial.TrialTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * On a real cluster of two workers with four cores each, and two for a trial. Trials are shell scripts: what matters here is how they come
 * and go. It is one application for all tests, as starting one takes longer than any of them.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SparkExecutorTest {
    private static StandaloneCluster cluster;
    private static SparkExecutor executor;
    private static int trials;

    @TempDir
    private Path store;

    /** A trial's process is the script in its directory, called with the directory and its threads. */
    private record Script() implements TrialOnNode.Command {
        @Override
        public TrialCommand get() {
            return new TrialCommand(
                    List.of("sh", "-c", "cd \"$1\" && . ./script", "sh"),
                    Map.of(
                            "CLASS_PATH",
                            NodeCommand.classPath(Thread.currentThread().getContextClassLoader())));
        }
    }

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException, InterruptedException {
        Path plugin = folder.resolve("a-plugin.jar");
        new JarOutputStream(Files.newOutputStream(plugin), new Manifest()).close();
        Plugins.add(List.of(plugin));
        cluster = StandaloneCluster.start("executor", 2, 4);
        executor = SparkExecutor.open(
                cluster.configuration().set("spark.task.cpus", "2"), Optional.empty(), Optional.empty(), new Script());
    }

    @AfterAll
    static void stop() {
        try {
            executor.close();
        } finally {
            cluster.close();
        }
    }

    private TrialTask task(String script) throws IOException {
        var task = new TrialTask(String.format("%064x", ++trials), "name: x", store.toString(), "", "", 1, "cpu", 1);
        Files.createDirectories(task.directory());
        Files.writeString(task.directory().resolve("script"), script);
        return task;
    }

    private CompletableFuture<TrialEnd> submit(String script) throws IOException {
        return executor.submit(task(script), () -> {});
    }

    @Test
    void nodesGetTheJarsOfPlugins() throws Exception {
        assertThat(submit("case $CLASS_PATH in *a-plugin.jar*) exit 0 ;; esac; exit 1")
                        .get()
                        .kind())
                .isEqualTo(TrialEnd.Kind.FINISHED);
    }

    @Test
    void howTheProcessEndedIsHowTheTrialEnded() throws Exception {
        CompletableFuture<TrialEnd> finished = submit("exit 0");
        CompletableFuture<TrialEnd> refused = submit("echo 'polder: no such data'; exit 1");
        CompletableFuture<TrialEnd> crashed = submit("kill -9 $$");
        CompletableFuture<TrialEnd> busy = submit("exit 4");
        assertThat(finished.get().kind()).isEqualTo(TrialEnd.Kind.FINISHED);
        assertThat(refused.get()).isEqualTo(new TrialEnd(TrialEnd.Kind.REFUSED, "no such data"));
        assertThat(crashed.get().kind()).isEqualTo(TrialEnd.Kind.CRASHED);
        assertThat(crashed.get().detail()).startsWith("on ").contains("signal 9");
        assertThat(busy.get().kind()).isEqualTo(TrialEnd.Kind.BUSY);
    }

    @Test
    void aTrialHasAsManyThreadsAsItsTaskHasCores() throws Exception {
        assertThat(executor.threads()).isEqualTo(2);
        TrialTask task = task("echo $2 $OMP_NUM_THREADS >threads");
        assertThat(executor.submit(task, () -> {}).get().kind()).isEqualTo(TrialEnd.Kind.FINISHED);
        assertThat(task.directory().resolve("threads")).hasContent("2 2");
    }

    @Test
    void everyCoreOfTheClusterIsUsedAtTheSameTime() throws Exception {
        // Each ends when all four have begun.
        String script = "touch ../../begun-$$; until [ $(ls ../.. | grep -c begun) = 4 ]; do sleep 0.1; done";
        var started = new AtomicInteger();
        List<CompletableFuture<TrialEnd>> ends = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ends.add(executor.submit(task(script), started::incrementAndGet));
        }
        for (CompletableFuture<TrialEnd> end : ends) {
            assertThat(end.get().kind()).isEqualTo(TrialEnd.Kind.FINISHED);
        }
        assertThat(started).hasValue(4);
        assertThat(executor.sideBySide()).isEqualTo(4);
        assertThat(executor.describe()).contains("4 trials side by side, 2 threads each");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aStoreThatNodesDoNotSeeIsRefused() throws Exception {
        // Linux has a path that is another directory for each process.
        Path here = Files.createDirectories(Path.of("target", "not-shared"));
        var task = new TrialTask("f".repeat(64), "name: x", "/proc/self/cwd/" + here, "", "", 1, "cpu", 1);
        TrialEnd end = executor.submit(task, () -> {}).get();
        assertThat(end.kind()).isEqualTo(TrialEnd.Kind.REFUSED);
        assertThat(end.detail()).contains(task.store()).contains("every node");
    }

    @Test
    @Order(Integer.MAX_VALUE - 1)
    void trialsOfALostMachineAreRunOnAnother() throws Exception {
        List<TrialTask> tasks = new ArrayList<>();
        List<CompletableFuture<TrialEnd>> ends = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tasks.add(task("echo $$ >>begun; until [ -e ../../go ]; do sleep 0.1; done"));
            ends.add(executor.submit(tasks.get(i), () -> {}));
        }
        for (TrialTask task : tasks) {
            awaitFile(task.directory().resolve("begun"));
        }
        cluster.cutPower(0);
        Files.createFile(store.resolve("go"));
        for (CompletableFuture<TrialEnd> end : ends) {
            assertThat(end.get().kind()).isEqualTo(TrialEnd.Kind.FINISHED);
        }
        List<Integer> times = new ArrayList<>();
        for (TrialTask task : tasks) {
            times.add(Files.readAllLines(task.directory().resolve("begun")).size());
        }
        assertThat(times).containsExactlyInAnyOrder(1, 1, 2, 2);
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void closingLetsRunningTrialsSaveTheirState() throws Exception {
        TrialTask task = task("touch begun; cat >/dev/null; sleep 1; touch saved; exit 3");
        CompletableFuture<TrialEnd> end = executor.submit(task, () -> {});
        awaitFile(task.directory().resolve("begun"));
        executor.close();
        assertThat(task.directory().resolve("saved")).exists();
        assertThat(end.get().kind()).isEqualTo(TrialEnd.Kind.STOPPED);
        assertThat(submit("exit 0").get().kind()).isEqualTo(TrialEnd.Kind.STOPPED);
    }

    private static void awaitFile(Path file) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (!Files.exists(file)) {
            assertThat(System.nanoTime()).as("waiting for %s", file).isLessThan(end);
            Thread.sleep(50);
        }
    }
}
