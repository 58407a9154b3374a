package io.polder.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.data.source.Datasets;
import io.polder.run.RunDirectory;
import io.polder.study.results.ResultRow;
import io.polder.study.results.StudyResult;
import io.polder.study.results.StudyText;
import io.polder.study.search.StudyFile;
import io.polder.study.search.StudyRun;
import io.polder.study.search.StudyWatcher;
import io.polder.study.trial.LocalExecutor;
import io.polder.study.trial.TrialCommand;
import io.polder.study.trial.TrialExecutor;
import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
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

/** Real training on a real cluster, and on a real HDFS. */
@Tag("slow")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class StudyOnSparkTest {
    /** Saved so often that a trial has a checkpoint long before its end. */
    private static final String STUDY = """
            name: both
            title: The same on one machine and on a cluster
            base: quick-fashion
            set: { data.name: fashion-mnist, data.images: 640, epochs: 4, evaluateEvery: 4, checkpoint.everySteps: 3 }
            methods: [standard, sam]
            search: { kind: none }
            seeds: 2
            """;

    private static final int TRIALS = 4;

    @TempDir
    private static Path shared;

    private static Path data;
    private static StudyResult here;

    @TempDir
    private Path folder;

    @BeforeAll
    static void runOnOneMachine() throws IOException {
        data = Files.createDirectory(shared.resolve("images"));
        for (String name : List.of("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")) {
            String file = name + "-ubyte.gz";
            try (InputStream bundled = Datasets.class.getResourceAsStream("fashion-mnist-2000/" + file)) {
                Files.copy(bundled, data.resolve(file));
            }
        }
        here = run(new LocalExecutor(TrialCommand.likeThisProcess(), 2, 1), shared.resolve("here"), Optional.of(data));
    }

    @Test
    void aStudyThatLosesAMachineHasTheTableOfOneMachine() throws Exception {
        Path store = folder.resolve("there");
        StudyResult there;
        try (var cluster = StandaloneCluster.start("study", 2, 1)) {
            var powerCut = new FutureTask<Void>(() -> {
                while (!cluster.cutPowerIf(0, commands -> isAtOneOf(running(store), commands))) {
                    Thread.sleep(50);
                }
                return null;
            });
            new Thread(powerCut, "power-cut").start();
            var executor = SparkExecutor.open(cluster.configuration(), Optional.empty(), Optional.empty());
            there = run(executor, store, Optional.of(data));
            powerCut.get();
        }
        isTheSame(there);
        oneTrialWentOnElsewhere(there);
    }

    @Test
    void nodesThatShareNothingButHdfsDoAsWell() throws Exception {
        Path first = folder.resolve("first");
        var settings = new Configuration();
        settings.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
        try (var hdfs = new MiniDFSCluster.Builder(settings).numDataNodes(1).build();
                var cluster = StandaloneCluster.start("hdfs", 2, 1)) {
            FileSystem files = hdfs.getFileSystem();
            var root = new org.apache.hadoop.fs.Path(hdfs.getURI().resolve("/studies"));
            var images = new org.apache.hadoop.fs.Path(hdfs.getURI().resolve("/images"));
            files.copyFromLocalFile(new org.apache.hadoop.fs.Path(data.toUri()), images);
            SparkConf configuration = cluster.configuration()
                    .set("spark.hadoop.dfs.replication", "1")
                    .set(Application.SAVE_INTERVAL, "100ms");
            var powerCut = new FutureTask<Void>(() -> {
                while (!cluster.cutPowerIf(0, commands -> isBreakingOffASave(files, root, commands))) {
                    Thread.sleep(50);
                }
                return null;
            });
            new Thread(powerCut, "power-cut").start();

            var executor = SparkExecutor.open(configuration, Optional.of(root.toUri()), Optional.of(images.toUri()));
            StudyResult there = run(executor, first, Optional.empty());

            powerCut.get();
            isTheSame(there);
            oneTrialWentOnElsewhere(there);
            assertThat(resumedFrom(first))
                    .as("not from its beginning")
                    .singleElement()
                    .matches(step -> step > 0);
            assertThat(trialsIn(files, root).values())
                    .hasSize(TRIALS)
                    .allSatisfy(left -> assertThat(left).singleElement().satisfies(file -> {
                        assertThat(file.getPath().getName()).startsWith("ended-");
                        assertThat(file.getReplication())
                                .as("Spark's settings of Hadoop")
                                .isEqualTo((short) 1);
                    }));
            for (TrialOutcome outcome : there.outcomes()) {
                assertThat(new RunDirectory(new TrialStore(first).directory(outcome.id()))
                                .checkpoint(RunDirectory.Which.NEWEST, complaint -> {})
                                .step())
                        .as("for ./polder evaluate")
                        .isEqualTo(4 * 640 / 64);
            }
            assertThat(leftOnNodes(cluster)).isEmpty();

            configuration.setMaster("local[1]");
            var nothingRuns = SparkExecutor.open(
                    configuration,
                    Optional.of(root.toUri()),
                    Optional.of(images.toUri()), // by which trials are known
                    new RefusesEverything());
            isTheSame(run(nothingRuns, folder.resolve("second"), Optional.empty()));
        }
    }

    /** A second coordinator must not need it. */
    private record RefusesEverything() implements TrialOnNode.Command {
        @Override
        public TrialCommand get() {
            return new TrialCommand(List.of("sh", "-c", "exit 1"), Map.of());
        }
    }

    private static void isTheSame(StudyResult there) {
        assertThat(there.isComplete()).isTrue();
        assertThat(course(there)).hasSize(TRIALS).isEqualTo(course(here));
        assertThat(withoutCost(there)).isEqualTo(withoutCost(here));
    }

    private static void oneTrialWentOnElsewhere(StudyResult there) {
        List<Integer> attempts =
                there.outcomes().stream().map(TrialOutcome::attempts).sorted().toList();
        assertThat(attempts)
                .as("one trial was on the lost machine, and went on from its checkpoint")
                .containsExactly(1, 1, 1, 2);
    }

    private static StudyResult run(TrialExecutor executor, Path store, Optional<Path> data) throws IOException {
        try (executor) {
            return new StudyRun(
                            StudyFile.read(STUDY, "study.yaml", store),
                            new TrialStore(store),
                            executor,
                            data,
                            new StudyWatcher() {})
                    .run();
        }
    }

    /** Whether one of these trials is run by these processes. */
    private static boolean isAtOneOf(List<String> trials, String commands) {
        return trials.stream().anyMatch(commands::contains);
    }

    /** The trials that have a checkpoint and no outcome. */
    private static List<String> running(Path store) throws IOException {
        Path trials = store.resolve("trials");
        if (!Files.isDirectory(trials)) {
            return List.of();
        }
        try (Stream<Path> each = Files.list(trials)) {
            return each.filter(trial ->
                            !Files.exists(trial.resolve("outcome.json")) && hasFiles(trial.resolve("checkpoints")))
                    .map(trial -> trial.getFileName().toString())
                    .toList();
        }
    }

    private static boolean hasFiles(Path directory) {
        String[] names = directory.toFile().list();
        return names != null && names.length > 0;
    }

    private static Map<String, List<FileStatus>> trialsIn(FileSystem files, org.apache.hadoop.fs.Path root)
            throws IOException {
        Map<String, List<FileStatus>> trials = new TreeMap<>();
        for (FileStatus trial : files.globStatus(new org.apache.hadoop.fs.Path(root, "trials/*"))) {
            trials.put(trial.getPath().getName(), List.of(files.listStatus(trial.getPath())));
        }
        return trials;
    }

    /** If the trial that these processes run has a whole save, then half of a later one is put beside it. */
    private static boolean isBreakingOffASave(FileSystem files, org.apache.hadoop.fs.Path root, String commands)
            throws IOException {
        for (Map.Entry<String, List<FileStatus>> trial : trialsIn(files, root).entrySet()) {
            if (commands.contains(trial.getKey()) && hasAWholeSave(trial.getValue())) {
                putHalfOfALaterSave(files, root, trial.getKey());
                return true;
            }
        }
        return false;
    }

    /** The first save is that of the beginning; of later ones the last may be being written; the 14th and last is that of the end. */
    private static boolean hasAWholeSave(List<FileStatus> trial) {
        return trial.size() >= 2
                && trial.stream()
                        .map(file -> file.getPath().getName())
                        .allMatch(name -> name.compareTo("save-000000002") > 0 && name.compareTo("save-000000012") < 0);
    }

    private static void putHalfOfALaterSave(FileSystem files, org.apache.hadoop.fs.Path root, String id)
            throws IOException {
        var whole = new ByteArrayOutputStream();
        TrialArchive.of(new TrialStore(shared.resolve("here")).directory(id)).writeTo(whole);
        try (var half = files.create(
                new org.apache.hadoop.fs.Path(root, "trials/" + id + "/save-999999999-0123456789abcdef.zip"))) {
            half.write(whole.toByteArray(), 0, whole.size() / 2);
        }
    }

    /** Steps, as trials' own records tell. */
    private static List<Long> resumedFrom(Path store) throws IOException {
        List<Long> steps = new ArrayList<>();
        try (Stream<Path> trials = Files.list(store.resolve("trials"))) {
            for (Path trial : trials.toList()) {
                for (String line : Files.readAllLines(trial.resolve("metrics.jsonl"))) {
                    if (line.contains("resumed")) {
                        steps.add(Long.parseLong(line.replaceFirst(".*from step (\\d+).*", "$1")));
                    }
                }
            }
        }
        return steps;
    }

    private static List<Path> leftOnNodes(StandaloneCluster cluster) throws IOException {
        try (Stream<Path> each = Files.walk(cluster.home().resolve("worker-1"))) {
            return each.filter(path -> path.getFileName().toString().startsWith(".polder-"))
                    .toList();
        }
    }

    /** To the last bit: what was trained, and all that was measured on the way, but for the time it took. */
    private static List<String> course(StudyResult result) {
        return result.rows().stream().flatMap(StudyOnSparkTest::course).toList();
    }

    private static Stream<String> course(ResultRow row) {
        return row.outcomes().stream()
                .map(outcome -> row.label() + " seed " + outcome.seed() + " " + outcome.status() + " "
                        + outcome.numbers() + " " + outcome.curve());
    }

    private static String withoutCost(StudyResult result) {
        return StudyText.text(result).replaceAll("[0-9.]+×", "");
    }
}
