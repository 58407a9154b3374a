package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that something else started, as real processes on a real network, and what may go wrong there. */
@Tag("slow")
class WorkerFaultsTest {
    private final List<PolderProcess> started = new ArrayList<>();
    private final List<String> namespaces = new ArrayList<>();

    @TempDir
    private Path directory;

    private Path recipe;
    private Path run;

    @BeforeEach
    void writeRecipe() throws IOException {
        run = directory.resolve("run");
        recipe = Files.writeString(directory.resolve("tiny.yaml"), """
                name: tiny
                steps: 150
                model: { name: resnet-small }
                data: { name: fashion-mnist-2000, augment: basic, batch: 8, images: 400, evaluateOn: validation, validation: 100 }
                scheme: { name: gradient-norm-penalty, r: 0.05, alpha: 0.7 }
                optimizer: { name: sgd, l2: 1.0e-3 }
                learningRate: { schedule: cosine, base: 0.02 }
                checkpoint: { everySteps: 20 }
                replicas: 2
                syncBatchNorm: true
                """);
    }

    @AfterEach
    void leaveNothingBehind() throws Exception {
        for (PolderProcess each : started) {
            each.process().destroyForcibly().waitFor();
        }
        for (String each : namespaces) {
            ip("netns", "delete", each);
        }
    }

    private static boolean ip(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words));
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            return false; // there is no such program
        }
    }

    /** A worker as torchrun or Slurm would start it. @param before what starts it, in a network of its own */
    private PolderProcess worker(int rank, String host, int port, List<String> before, String... more)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                "env",
                "RANK=" + rank,
                "WORLD_SIZE=2",
                "MASTER_ADDR=" + host,
                "MASTER_PORT=" + port,
                "LOCAL_WORLD_SIZE=" + (before.isEmpty() ? 2 : 1)));
        List<String> words = new ArrayList<>(List.of(
                "train", recipe.toString(), "--out", run.toString(), "--threads", before.isEmpty() ? "2" : "1"));
        words.addAll(List.of(more));
        var process = PolderProcess.start(directory, command, List.of(), words.toArray(String[]::new));
        started.add(process);
        return process;
    }

    private PolderProcess worker(int rank, int port, String... more) throws IOException {
        return worker(rank, "127.0.0.1", port, List.of(), more);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitSteps(PolderProcess polder) throws Exception {
        Path metrics = run.resolve("metrics.jsonl");
        for (int i = 0; i < 6000 && polder.process().isAlive(); i++) {
            if (Files.exists(metrics) && Files.readString(metrics).contains("\"step\"")) {
                return;
            }
            Thread.sleep(20);
        }
        throw new AssertionError("there were no steps: " + polder.outcome().errors());
    }

    private static void assertFails(PolderProcess worker, String sentence) throws Exception {
        var outcome = worker.outcome();
        assertThat(outcome.errors()).contains(sentence);
        assertThat(outcome.exitCode()).isEqualTo(1);
    }

    private static void assertSucceeds(PolderProcess.Outcome outcome) {
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
    }

    /** The run is what threads of one process make, whom nobody disturbs. */
    private void assertIsThatWithoutAFault() throws Exception {
        Path whole = directory.resolve("whole");
        assertSucceeds(PolderProcess.here("train", recipe.toString(), "--out", whole.toString(), "--threads", "2"));
        assertThat(exported(run)).isEqualTo(exported(whole));
    }

    private byte[] exported(Path of) throws Exception {
        Path file = directory.resolve("exported.safetensors");
        assertSucceeds(PolderProcess.here("export", of.toString(), file.toString(), "--checkpoint", "newest"));
        return Files.readAllBytes(file);
    }

    @Test
    void strangersAndAThirdWhoseRankIsTakenDoNotDisturbTheOthers() throws Exception {
        int port = freePort();
        List<PolderProcess> ones = List.of(worker(1, port), worker(1, port)); // they wait for rank 0
        var zero = worker(0, port);
        awaitSteps(zero);
        var random = new Random(11);
        for (int i = 0; i < 100; i++) {
            byte[] garbage = new byte[1 + random.nextInt(2000)];
            random.nextBytes(garbage);
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write(garbage);
            } catch (IOException e) {
                // Thrown out.
            }
        }
        assertSucceeds(zero.outcome());
        var outcomes =
                new ArrayList<>(List.of(ones.get(0).outcome(), ones.get(1).outcome()));
        outcomes.sort(Comparator.comparing(PolderProcess.Outcome::exitCode));
        assertSucceeds(outcomes.get(0));
        assertThat(outcomes.get(1).exitCode()).isEqualTo(1);
        assertThat(outcomes.get(1).errors())
                .contains("polder: rank 1 is taken by another worker: start each with a RANK of its own");
        assertIsThatWithoutAFault();
    }

    @Test
    void anotherRecipeIsFoundBeforeTheFirstStep() throws Exception {
        int port = freePort();
        var zero = worker(0, port);
        var one = worker(1, port, "-s", "seed=7");
        assertFails(one, "polder: rank 1 has another recipe than rank 0, which has ");
        assertFails(zero, "polder: rank 1 has another recipe than rank 0: start all workers alike");
        assertThat(run.resolve("run.json")).doesNotExist();
    }

    @Test
    void aRankThatNeverComesIsNamed() throws Exception {
        assertFails(
                worker(0, freePort(), "--worker-timeout", "0.3"),
                "polder: rank 0 waited 3 s for rank 1 of 2, which did not come: start it, or see why it ended");
        assertFails(
                worker(1, freePort(), "--worker-timeout", "0.3"), "polder: rank 1 did not find rank 0 at 127.0.0.1:");
    }

    /** Two networks with a cable between them, which is pulled out. */
    @Test
    void aLinkThatGoesDownEndsBothSidesAndTheRunGoesOn() throws Exception {
        List<List<String>> machines = new ArrayList<>();
        String name = "polder-" + ProcessHandle.current().pid();
        for (int rank = 0; rank < 2; rank++) {
            String namespace = name + "-" + rank;
            assumeTrue(
                    ip("netns", "add", namespace),
                    "needs root and Debian's iproute2, for networks that can be taken apart");
            namespaces.add(namespace);
            machines.add(List.of("ip", "netns", "exec", namespace, "env", "GLOO_SOCKET_IFNAME=cable"));
            ip("-n", namespace, "link", "set", "lo", "up");
        }
        assertThat(ip(
                        "-n",
                        namespaces.get(0),
                        "link",
                        "add",
                        "cable",
                        "type",
                        "veth",
                        "peer",
                        "name",
                        "cable",
                        "netns",
                        namespaces.get(1)))
                .isTrue();
        for (int rank = 0; rank < 2; rank++) {
            assertThat(ip("-n", namespaces.get(rank), "address", "add", "10.0.0." + (rank + 1) + "/24", "dev", "cable"))
                    .isTrue();
            assertThat(ip("-n", namespaces.get(rank), "link", "set", "cable", "up"))
                    .isTrue();
        }
        List<PolderProcess> workers = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            workers.add(worker(rank, "10.0.0.1", 29500, machines.get(rank), "--worker-timeout", "3"));
        }
        awaitSteps(workers.get(0));
        assertThat(ip("-n", namespaces.get(1), "link", "set", "cable", "down")).isTrue();
        assertFails(workers.get(0), "polder: rank 0 of 2 lost rank 1 in ");
        assertFails(workers.get(1), "polder: rank 1 of 2 lost rank 0 in ");
        assertSucceeds(PolderProcess.here("resume", run.toString()));
        assertIsThatWithoutAFault();
    }
}
