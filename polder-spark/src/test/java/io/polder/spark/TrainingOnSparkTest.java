package io.polder.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.cli.ClusterRun;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.run.RunDirectory;
import io.polder.run.RunInfo;
import io.polder.run.RunObserver;
import io.polder.run.RunSettings;
import io.polder.run.TrainingRun;
import io.polder.tensor.Device;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One network trained by the tasks of a barrier stage, on a real cluster with two workers, of which one is lost. */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class TrainingOnSparkTest {
    private static final String RECIPE = """
            name: tiny
            steps: 400
            model: { name: resnet-small }
            data: { name: fashion-mnist-2000, augment: basic, batch: 8, images: 400, evaluateOn: validation, validation: 100 }
            scheme: { name: gradient-norm-penalty, r: 0.05, alpha: 0.7 }
            optimizer: { name: sgd, l2: 1.0e-3 }
            learningRate: { schedule: cosine, base: 0.02 }
            checkpoint: { everySteps: 20 }
            replicas: 2
            """;

    @TempDir
    private static Path shared;

    private static Recipe recipe;
    private static Map<String, String> expected;

    @TempDir
    private Path folder;

    private final Queue<String> said = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void trainHere() throws IOException {
        recipe = RecipeReader.read(RECIPE, "tiny.yaml", List.of());
        var settings = new RunSettings(2, Device.parse("cpu"), Optional.empty(), Optional.empty(), "test", "", "");
        TrainingRun.start(recipe, shared.resolve("here"), settings, new RunObserver() {});
        expected = weights(shared.resolve("here"));
    }

    /** Of the last checkpoint: what every file of tensors has in it. */
    private static Map<String, String> weights(Path run) throws IOException {
        Map<String, String> files = new TreeMap<>();
        Path newest = new RunDirectory(run)
                .checkpoint(RunDirectory.Which.NEWEST, complaint -> {})
                .directory();
        try (Stream<Path> each = Files.list(newest)) {
            for (Path file : each.toList()) {
                if (file.toString().endsWith(".safetensors")) {
                    files.put(file.getFileName().toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
                }
            }
        }
        assertThat(files).isNotEmpty();
        return files;
    }

    private ClusterRun run(int workers, int restarts, Optional<Recipe> begun, Path directory, Optional<URI> store) {
        return new ClusterRun(
                Optional.empty(),
                workers,
                OptionalInt.empty(),
                restarts,
                Duration.ofMinutes(5),
                begun,
                directory,
                store,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                said::add,
                said::add);
    }

    @Test
    void aStageThatLosesASparkExecutorHasTheBitsOfTwoReplicas() throws Exception {
        Path there = folder.resolve("there");
        try (var cluster = StandaloneCluster.start("ranks", 2, 1)) {
            ClusterRun run = run(2, 1, Optional.of(recipe), there, Optional.empty());
            var killing = begin(() -> {
                awaitStep(there, 50);
                // Not the worker's process: that must notice by itself, and holds the run until it does.
                rankZero(cluster, 2).parent().orElseThrow().destroyForcibly();
            });
            assertThat(SparkWorkers.train(run, cluster.configuration()))
                    .as(String.join("\n", said))
                    .isZero();
            killing.get();

            assertThatThrownBy(() -> SparkWorkers.train(
                            new ClusterRun(
                                    run.master(),
                                    3,
                                    run.threads(),
                                    0,
                                    Duration.ofSeconds(3),
                                    run.recipe(),
                                    folder.resolve("none"),
                                    run.store(),
                                    run.data(),
                                    run.remoteData(),
                                    run.options(),
                                    run.output(),
                                    run.errors()),
                            cluster.configuration()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has room for")
                    .hasMessageContaining("of 3 workers with 1 thread each, and all are to run at a time");
            assertThat(folder.resolve("none")).doesNotExist();
        }
        assertThat(said)
                .anyMatch(line -> line.startsWith("tiny: "))
                .contains("polder: starting the workers again, 1 time at most");
        isTheSame(there);
    }

    @Test
    void ranksThatShareNothingButHdfsLoseAMachineAndHaveTheSameBits() throws Exception {
        Path there = folder.resolve("there");
        var settings = new Configuration();
        settings.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
        try (var hdfs = new MiniDFSCluster.Builder(settings).numDataNodes(1).build();
                var cluster = StandaloneCluster.start("hdfs-ranks", 2, 2)) {
            FileSystem files = hdfs.getFileSystem();
            URI store = hdfs.getURI().resolve("/runs/tiny");
            SparkConf configuration = cluster.configuration()
                    .set("spark.hadoop.dfs.replication", "1")
                    .set(Application.SAVE_INTERVAL, "100ms");
            var powerCut = begin(() -> {
                awaitSave(files, store, 3);
                cluster.cutPower(workerOf(cluster, 2, rankZero(cluster, 2)));
            });
            ClusterRun run = run(2, 1, Optional.of(recipe), there, Optional.of(store));
            assertThat(SparkWorkers.train(run, configuration))
                    .as(String.join("\n", said))
                    .isZero();
            powerCut.get();
            isTheSame(there);
            assertThat(there.resolve("report.html")).exists();

            // What is done stays as it is, wherever it is asked for.
            Path elsewhere = folder.resolve("elsewhere");
            assertThat(SparkWorkers.train(run(2, 0, Optional.empty(), elsewhere, Optional.of(store)), configuration))
                    .as(String.join("\n", said))
                    .isZero();
            assertThat(weights(elsewhere)).isEqualTo(expected);
            assertThatThrownBy(() -> SparkWorkers.train(
                            run(2, 0, Optional.of(recipe), folder.resolve("again"), Optional.of(store)), configuration))
                    .hasMessageContaining("holds a run already: go on with it by ./polder resume");
        }
    }

    private static void isTheSame(Path there) throws IOException {
        var directory = new RunDirectory(there);
        assertThat(directory.info().status()).isEqualTo(RunInfo.Status.done);
        assertThat(Files.readString(directory.metricsFile()))
                .as("it went on from a checkpoint")
                .containsPattern("from step [1-9]");
        assertThat(weights(there)).isEqualTo(expected);
    }

    /** Something that is done meanwhile. */
    private interface Deed {
        void now() throws Exception;
    }

    private static FutureTask<Void> begin(Deed deed) {
        var task = new FutureTask<Void>(() -> {
            deed.now();
            return null;
        });
        new Thread(task, "fault").start();
        return task;
    }

    private static void awaitStep(Path run, int steps) throws IOException, InterruptedException {
        Path metrics = new RunDirectory(run).metricsFile();
        while (!Files.exists(metrics) || Files.readAllLines(metrics).size() < steps) {
            Thread.sleep(20);
        }
    }

    private static void awaitSave(FileSystem files, URI store, int least) throws IOException, InterruptedException {
        var path = new org.apache.hadoop.fs.Path(store);
        while (!files.exists(path)
                || Stream.of(files.listStatus(path))
                                .map(FileStatus::getPath)
                                .filter(save -> save.getName().compareTo("save-%09d".formatted(least)) > 0)
                                .count()
                        < 2) {
            Thread.sleep(20);
        }
    }

    /** Its process: the one of them that was given the recipe. */
    private static ProcessHandle rankZero(StandaloneCluster cluster, int workers) {
        return IntStream.range(0, workers)
                .boxed()
                .flatMap(worker -> cluster.descendants(worker).stream())
                .filter(process ->
                        StandaloneCluster.words(process).containsAll(List.of(RankMain.class.getName(), "train")))
                .findFirst()
                .orElseThrow();
    }

    private static int workerOf(StandaloneCluster cluster, int workers, ProcessHandle process) {
        return IntStream.range(0, workers)
                .filter(worker -> cluster.descendants(worker).contains(process))
                .findFirst()
                .orElseThrow();
    }
}
