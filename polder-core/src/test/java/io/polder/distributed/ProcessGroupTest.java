package io.polder.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.tensor.Numbers;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ProcessGroupTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    /** What a worker does. */
    private interface Part<T> {
        T play(ProcessGroup group) throws Exception;
    }

    /** Threads as workers, each on its own; what they came to, or what they failed by, by rank. */
    private <T> List<Future<T>> play(int workers, Duration timeout, Part<T> part) throws Exception {
        Path file = directory.resolve("rendezvous");
        List<Rendezvous> places = new ArrayList<>();
        for (int rank = 0; rank < workers; rank++) {
            places.add(Rendezvous.inFile(rank, workers, file, timeout));
        }
        return play(places, part);
    }

    private static <T> List<Future<T>> play(List<Rendezvous> places, Part<T> part) throws Exception {
        var threads = Executors.newFixedThreadPool(places.size());
        try {
            return threads.invokeAll(places.stream()
                    .map(place -> (Callable<T>) () -> {
                        try (var group = ProcessGroup.join(place)) {
                            return part.play(group);
                        }
                    })
                    .toList());
        } finally {
            threads.shutdown();
        }
    }

    private static String failure(Future<?> worker) throws InterruptedException {
        try {
            return "none, but " + worker.get();
        } catch (ExecutionException e) {
            return e.getCause().getMessage();
        }
    }

    @Test
    void sumsAreTheSameEverywhereAndAreCounted() throws Exception {
        for (Future<List<double[]>> worker : play(3, LONG, group -> {
            try (var scope = Scope.open()) {
                Tensor numbers = torch.ones(5).mul_(new Scalar(group.rank() + 1.0));
                group.allReduce("a sum", numbers);
                return List.of(Numbers.of(numbers), new double[] {group.allReduces(), group.bytes()});
            }
        })) {
            assertThat(worker.get().get(0)).containsOnly(6).hasSize(5);
            assertThat(worker.get().get(1)).containsExactly(1, 5 * Float.BYTES);
        }
    }

    @Test
    void everybodyLearnsWhatEachSays() throws Exception {
        for (Future<double[][]> worker : play(3, LONG, group -> group.allGather("a talk", group.rank(), 0.1))) {
            assertThat(worker.get()).isDeepEqualTo(new double[][] {{0, 0.1}, {1, 0.1}, {2, 0.1}});
        }
    }

    @Test
    void rowsComeInTheOrderOfRanksAndOneMayHaveNone() throws Exception {
        for (Future<double[]> worker : play(3, LONG, group -> {
            try (var scope = Scope.open()) {
                Tensor mine = torch.ones(group.rank(), 2).mul_(new Scalar((double) group.rank()));
                return Numbers.of(group.allGatherRows("rows", group.rank() == 0 ? null : mine));
            }
        })) {
            assertThat(worker.get()).containsExactly(1, 1, 2, 2, 2, 2);
        }
    }

    @Test
    void filesAndTextsOfRankZeroReachAll() throws Exception {
        byte[] content = new byte[100_003];
        new Random(1).nextBytes(content);
        for (Future<String> worker : play(2, LONG, group -> {
            Path file = directory.resolve("file-" + group.rank());
            if (group.rank() == 0) {
                Files.write(file, content);
            }
            group.broadcast("a file", file);
            assertThat(Files.readAllBytes(file)).isEqualTo(content);
            return group.broadcast("a text", group.rank() == 0 ? "grüße" : "");
        })) {
            assertThat(worker.get()).isEqualTo("grüße");
        }
    }

    @Test
    void tensorsReachRankZero() throws Exception {
        List<Future<Double>> workers = play(3, LONG, group -> {
            try (var scope = Scope.open()) {
                Tensor mine = torch.ones(4).mul_(new Scalar((double) group.rank()));
                if (group.rank() > 0) {
                    group.send("a gift", mine);
                    return 0.0;
                }
                double sum = 0;
                for (int rank = 1; rank < 3; rank++) {
                    sum += rank * group.receive("a gift", rank, mine).sum().item_double();
                }
                return sum;
            }
        });
        assertThat(workers.get(0).get()).isEqualTo(4 * 1 + 2 * 8);
    }

    @Test
    void whoMeansSomethingElseIsNamedToEverybody() throws Exception {
        for (Future<?> worker : play(3, LONG, group -> {
            group.requireSame("version", "1");
            group.requireSame("recipe", group.rank() == 2 ? "b" : "a");
            return null;
        })) {
            assertThat(failure(worker)).startsWith("rank 2 has another recipe than rank 0");
        }
    }

    @Test
    void whoLeavesIsNamedAndWhatTheOthersWereDoing() throws Exception {
        List<Future<double[][]>> workers =
                play(3, LONG, group -> group.rank() == 1 ? null : group.allGather("step 7", group.rank()));
        for (int rank : List.of(0, 2)) {
            assertThat(failure(workers.get(rank))).startsWith("rank " + rank + " of 3 lost rank 1 in step 7: ");
        }
    }

    @Test
    void whoFailsSaysWhy() throws Exception {
        List<Future<double[][]>> workers = play(2, LONG, group -> {
            if (group.rank() == 1) {
                group.fail("its images are gone");
                return null;
            }
            return group.allGather("step 7", 0);
        });
        assertThat(failure(workers.get(0))).isEqualTo("rank 1 failed, so rank 0 ends in step 7: its images are gone");
    }

    @Test
    void whoHangsIsGivenUpAfterTheTimeout() throws Exception {
        List<Future<double[][]>> workers = play(2, Duration.ofMillis(300), group -> {
            group.allGather("step 6", 0);
            if (group.rank() == 1) {
                Thread.sleep(8_000);
                return null;
            }
            return group.allGather("step 7", 0);
        });
        assertThat(failure(workers.get(0))).startsWith("rank 0 of 2 lost rank 1 in step 7: ");
    }

    @Test
    void whoNeverComesIsNamed() {
        var alone = Rendezvous.inFile(0, 3, directory.resolve("rendezvous"), Duration.ofMillis(20));
        assertThatThrownBy(() -> ProcessGroup.join(alone))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "rank 0 waited 200 ms for rank 1, 2 of 3, which did not come: start it, or see why it ended");
    }

    @Test
    void aRankIsTakenOnce() throws Exception {
        Path file = directory.resolve("rendezvous");
        var first = Rendezvous.inFile(1, 2, file, Duration.ofMillis(50));
        List<Future<Object>> workers = play(List.of(first, first), group -> null);
        assertThat(List.of(failure(workers.get(0)), failure(workers.get(1))))
                .contains("rank 1 is taken by another worker: start each with a RANK of its own");
    }

    @Test
    void strangersAtThePortDoNoHarm() throws Exception {
        int port = freePort();
        List<Rendezvous> places = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            places.add(Rendezvous.of(
                            Map.of(
                                    "RANK", Integer.toString(rank),
                                    "WORLD_SIZE", "2",
                                    "LOCAL_WORLD_SIZE", "2",
                                    "MASTER_ADDR", "127.0.0.1",
                                    "MASTER_PORT", Integer.toString(port)),
                            LONG)
                    .orElseThrow());
        }
        var stranger = new Thread(() -> {
            for (int i = 0; i < 50; i++) {
                try (var socket = new Socket()) {
                    socket.connect(new InetSocketAddress("127.0.0.1", port));
                    socket.getOutputStream()
                            .write("GET / HTTP/1.1\r\n\r\n".repeat(i + 1).getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().flush();
                } catch (IOException e) {
                    // Not there yet, or thrown out.
                }
            }
        });
        stranger.start();
        for (Future<double[][]> worker : play(places, group -> {
            stranger.join();
            return group.allGather("a talk", group.rank());
        })) {
            assertThat(worker.get()).isDeepEqualTo(new double[][] {{0}, {1}});
        }
    }

    @Test
    void nobodyIsFoundWhereNobodyListens() throws IOException {
        var lonely = new Rendezvous(
                1, 2, 2, new Rendezvous.AtPort("127.0.0.1", freePort(), false, "0"), Duration.ofMillis(100));
        assertThatThrownBy(() -> ProcessGroup.join(lonely))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("rank 1 did not find rank 0 at 127.0.0.1:");
    }

    @Test
    void variablesThatMakeNoSenseAreNamed() {
        Map<String, String> good = Map.of("RANK", "1", "WORLD_SIZE", "2", "MASTER_ADDR", "a", "MASTER_PORT", "29500");
        assertThat(Rendezvous.of(Map.of(), LONG)).isEmpty();
        assertThat(Rendezvous.of(Map.of("RANK", "0", "WORLD_SIZE", "1"), LONG)).isEmpty();
        assertThat(Rendezvous.of(good, LONG).orElseThrow().isLocal()).isFalse();
        for (String mistake : List.of(
                "RANK=2 the rank is 2 of 2 workers: it must be 0 to 1",
                "WORLD_SIZE=two WORLD_SIZE is \"two\": it must be a whole number",
                "MASTER_PORT=70000 MASTER_PORT is 70000: it must be 1 to 65535",
                "MASTER_ADDR= MASTER_ADDR is not set",
                "LOCAL_WORLD_SIZE=3 LOCAL_WORLD_SIZE is 3: it must be 1 to 2")) {
            Map<String, String> wrong = new HashMap<>(good);
            String[] words = mistake.split("[= ]", 3);
            wrong.put(words[0], words[1]);
            assertThatThrownBy(() -> Rendezvous.of(wrong, LONG))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(words[2]);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
