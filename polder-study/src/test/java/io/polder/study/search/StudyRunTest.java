package io.polder.study.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.study.results.ResultRow;
import io.polder.study.results.StudyResult;
import io.polder.study.trial.LocalExecutor;
import io.polder.study.trial.StubTrial;
import io.polder.study.trial.TrialExecutor;
import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialStore;
import io.polder.study.trial.TrialsHere;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole studies that do arithmetic in the place of training ({@link StubTrial}): in real processes where one of them is killed or crashes,
 * in this one where that is not what is tested.
 */
@Timeout(600)
class StudyRunTest {
    /** With a search, whose later trials follow from earlier ones. */
    private static final String SEARCH =
            "search: { kind: greedy, r: [0.05, 0.1], alpha: [0.5, 0.8] }\nseeds: 1\nretries: 1\n";

    private static final int TRIALS = 2 + 2 + 3;

    /** Without, one trial a method. */
    private static final String METHODS = "seeds: 1\nretries: 1\n";

    private static final StudyWatcher NOBODY = new StudyWatcher() {};

    private static List<String> undisturbed;

    @TempDir
    Path folder;

    @BeforeAll
    static void runUndisturbed(@TempDir Path store) throws IOException {
        undisturbed = table(runHere(SEARCH, store, NOBODY));
    }

    private static StudyResult runHere(String study, Path store, StudyWatcher watcher) throws IOException {
        return run(study, store, TrialsHere.stubs(), watcher);
    }

    private static StudyResult runInProcesses(String study, Path store, StudyWatcher watcher) throws IOException {
        return run(study, store, new LocalExecutor(StubTrial.command(), 2, 1), watcher);
    }

    private static StudyResult run(String study, Path store, TrialExecutor executor, StudyWatcher watcher)
            throws IOException {
        try (executor) {
            return new StudyRun(StudyTexts.study(study), new TrialStore(store), executor, Optional.empty(), watcher)
                    .run();
        }
    }

    private void behave(Path store, String words) throws IOException {
        Files.createDirectories(store);
        Files.writeString(store.resolve("behaviour"), words);
    }

    /** How often each trial was started. */
    private static Map<String, Integer> starts(Path store) throws IOException {
        Map<String, Integer> starts = new TreeMap<>();
        if (!Files.exists(store.resolve("trials"))) {
            return starts; // none was, yet
        }
        try (Stream<Path> trials = Files.list(store.resolve("trials"))) {
            for (Path trial : trials.toList()) {
                Path attempts = trial.resolve("attempts");
                starts.put(
                        trial.getFileName().toString(),
                        Files.exists(attempts) ? Files.readAllLines(attempts).size() : 0);
            }
        }
        return starts;
    }

    /** What a table shows, which no crash may change. */
    private static List<String> table(StudyResult result) {
        List<String> lines = new ArrayList<>();
        for (ResultRow row : result.rows()) {
            row.outcomes()
                    .forEach(outcome -> lines.add(row.label() + row.settings() + outcome.seed() + " " + outcome.status()
                            + " " + outcome.last() + " " + outcome.epochs() + " " + outcome.curve()));
        }
        return lines;
    }

    @Test
    void aFinishedTrialIsNeverRunAgain() throws IOException {
        StudyResult first = runHere(SEARCH, folder, NOBODY);
        assertThat(first.isComplete()).isTrue();
        assertThat(starts(folder))
                .hasSize(TRIALS)
                .allSatisfy((id, count) -> assertThat(count).isEqualTo(1));
        assertThat(runHere(SEARCH, folder, NOBODY)).isEqualTo(first);
        assertThat(starts(folder))
                .hasSize(TRIALS)
                .allSatisfy((id, count) -> assertThat(count).isEqualTo(1));
    }

    @Test
    void aTrialThatDivergesIsRecordedAndStopsNothing() throws IOException {
        behave(folder, "sam=diverge");
        StudyResult result = runHere(METHODS, folder, NOBODY);
        assertThat(result.isComplete()).isTrue();
        ResultRow sam = result.rows().get(1);
        assertThat(sam.outcomes()).hasSize(1).allSatisfy(outcome -> {
            assertThat(outcome.status()).isEqualTo(TrialOutcome.Status.DIVERGED);
            assertThat(outcome.reason()).isEqualTo("the training diverged at step 3");
            assertThat(outcome.attempts()).as("it would diverge again").isEqualTo(1);
        });
        assertThat(result.rows().get(2).done()).hasSize(1);
    }

    @Test
    void aTrialThatCrashesIsTriedAgainAndThenRecorded() throws IOException {
        behave(folder, "sam=crash penalty=crash-once standard=refuse");
        StudyResult result = runInProcesses(METHODS, folder, NOBODY);
        assertThat(result.isComplete()).isTrue();
        assertThat(result.rows().get(0).outcomes()).hasSize(1).allSatisfy(outcome -> {
            assertThat(outcome.status()).isEqualTo(TrialOutcome.Status.FAILED);
            assertThat(outcome.reason()).isEqualTo("the images are not there: name their directory with --data");
            assertThat(outcome.attempts()).as("the same would happen again").isEqualTo(1);
        });
        assertThat(result.rows().get(1).outcomes()).hasSize(1).allSatisfy(outcome -> {
            assertThat(outcome.status()).isEqualTo(TrialOutcome.Status.FAILED);
            assertThat(outcome.reason()).isEqualTo("its process was ended by signal 6 (abort)");
            assertThat(outcome.attempts()).isEqualTo(2);
        });
        assertThat(result.rows().get(2).outcomes()).hasSize(1).allSatisfy(outcome -> {
            assertThat(outcome.status()).isEqualTo(TrialOutcome.Status.DONE);
            assertThat(outcome.attempts()).isEqualTo(2);
        });

        behave(folder, "");
        StudyResult later = runInProcesses(METHODS, folder, NOBODY);
        assertThat(later.failures())
                .as("a later study tries failed trials again")
                .isEmpty();
    }

    @Test
    void aStudyOfWhichAWholeStageFailedStopsAndSaysWhyOnce() throws IOException {
        behave(folder, "search=refuse");
        assertThatThrownBy(() -> runHere(SEARCH, folder, NOBODY))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "the study has stopped, as all 2 trials of stage 2: α = 1, r failed: the images are not there:"
                                + " name their directory with --data; the same command tries them again");
        assertThat(new TrialStore(folder)
                        .outcomes().stream().filter(outcome -> outcome.method().startsWith("gradient")))
                .as("nothing was chosen, so nothing builds on it")
                .isEmpty();
        behave(folder, "");
        assertThat(table(runHere(SEARCH, folder, NOBODY))).isEqualTo(undisturbed);
    }

    @Test
    void aTrialThatIsKilledBesideOthersIsTriedAgainAloneWhichIsNoRetry() throws IOException {
        behave(folder, "crowd=kill pace=40");
        List<String> crashed = new ArrayList<>();
        StudyResult result = runInProcesses(METHODS.replace("retries: 1", "retries: 0"), folder, new StudyWatcher() {
            @Override
            public void crashed(Trial trial, String reason) {
                crashed.add(reason);
            }
        });
        assertThat(crashed)
                .isNotEmpty()
                .allSatisfy(
                        reason -> assertThat(reason).contains("signal 9", "next time it has the machine to itself"));
        assertThat(result.failures()).isEmpty();
        assertThat(table(result)).isEqualTo(table(runHere(METHODS, folder.resolve("undisturbed"), NOBODY)));
    }

    @Test
    void aTrialThatIsKilledAlsoWhenItIsAloneFails() throws IOException {
        behave(folder, "sam=kill");
        StudyResult result = runInProcesses(METHODS, folder, NOBODY);
        assertThat(result.rows().get(1).outcomes()).hasSize(1).allSatisfy(outcome -> {
            assertThat(outcome.status()).isEqualTo(TrialOutcome.Status.FAILED);
            assertThat(outcome.reason()).startsWith("its process was ended by signal 9");
            assertThat(outcome.attempts()).isBetween(2, 3);
        });
        assertThat(result.rows().get(2).done()).hasSize(1);
    }

    @Test
    void noFileOfATrialCanEndTheStudy() throws IOException {
        runHere(SEARCH, folder, NOBODY);
        List<Path> trials;
        try (Stream<Path> each = Files.list(folder.resolve("trials"))) {
            trials = each.sorted().toList();
        }
        Path curve = trials.get(0).resolve("outcome.json");
        Files.writeString(
                curve, Files.readString(curve).replaceFirst("\"curve\":\\[\\{\"epoch\":1", "\"curve\":[{\"epoch\":0"));
        Path attempts = trials.get(1).resolve("attempts");
        Files.delete(trials.get(1).resolve("outcome.json"));
        Files.write(attempts, new byte[] {(byte) 0xff, '\n'});
        Path metrics = trials.get(2).resolve("metrics.jsonl");
        Files.delete(trials.get(2).resolve("outcome.json"));
        Files.delete(metrics);
        Path outcome = trials.get(3).resolve("outcome.json");
        Files.delete(outcome);
        Files.createDirectories(outcome.resolve("inside"));
        List<String> warnings = new ArrayList<>();
        StudyResult result = runHere(SEARCH, folder, new StudyWatcher() {
            @Override
            public void warned(String sentence) {
                warnings.add(sentence);
            }
        });
        assertThat(table(result)).as("recovered").isEqualTo(undisturbed);
        for (Path file : List.of(curve, attempts, metrics, outcome)) {
            assertThat(warnings).anyMatch(sentence -> sentence.startsWith(file + " "));
        }

        // What cannot be recovered fails one trial, and its reason names the file.
        List<Path> inTheWay = new ArrayList<>();
        for (String file : List.of("claim", "log")) {
            TrialOutcome ended = result.rows().get(inTheWay.size()).outcomes().get(0);
            Path trial = new TrialStore(folder).directory(ended.id());
            Files.delete(trial.resolve("outcome.json"));
            Files.deleteIfExists(trial.resolve(file));
            inTheWay.add(Files.createDirectory(trial.resolve(file)));
        }
        List<ResultRow> rows = runInProcesses(SEARCH, folder, NOBODY).rows();
        for (int i = 0; i < inTheWay.size(); i++) {
            TrialOutcome failed = rows.get(i).outcomes().get(0);
            assertThat(failed.status()).isEqualTo(TrialOutcome.Status.FAILED);
            assertThat(failed.reason()).contains(inTheWay.get(i).toString());
        }
    }

    /** A coordinator as a process of its own, so that it can be killed. */
    public static final class Coordinator {
        public static void main(String[] arguments) throws IOException {
            runInProcesses(SEARCH, Path.of(arguments[0]), NOBODY);
        }

        static Process start(Path store) throws IOException {
            return new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Coordinator.class.getName(),
                            store.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(new File(store.toFile(), "coordinator.log"))
                    .start();
        }
    }

    /** Until no process has a trial. */
    private static void awaitNobody(Path store) throws Exception {
        var trials = new TrialStore(store);
        for (String id : starts(store).keySet()) {
            while (!trials.isFree(id)) {
                Thread.sleep(20);
            }
        }
    }

    /** The directory that a trial's process was started with. */
    private static Optional<String> trialOf(ProcessHandle process) {
        return process.info()
                .arguments()
                .flatMap(words ->
                        Stream.of(words).filter(word -> word.contains("trials")).findFirst());
    }

    private static void pause(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Tag("slow")
    void killingTheCoordinatorLosesNothingAndRepeatsOnlyWhatRan() throws Exception {
        Path store = folder.resolve("killed");
        behave(store, "pace=60");
        long seed = 7;
        var random = new Random(seed);
        int kills = 0;
        boolean ended = false;
        while (!ended) {
            Process coordinator = Coordinator.start(store);
            ended = coordinator.waitFor(kills < 4 ? 700 + random.nextInt(1500) : 300_000, TimeUnit.MILLISECONDS);
            if (!ended) {
                List<TrialOutcome> finished = new TrialStore(store).outcomes();
                coordinator.destroyForcibly().waitFor();
                kills++;
                awaitNobody(store); // trials watch their parent
                assertThat(new TrialStore(store).outcomes())
                        .as("seed %d, kill %d", seed, kills)
                        .containsAll(finished);
            } else {
                assertThat(coordinator.exitValue())
                        .as(Files.readString(store.resolve("coordinator.log")))
                        .isZero();
            }
        }
        assertThat(kills).isGreaterThanOrEqualTo(2);
        StudyResult result = runHere(SEARCH, store, NOBODY);
        assertThat(table(result)).as("seed " + seed).isEqualTo(undisturbed);
        // Two run at a time, so each kill can repeat two.
        int repeated = starts(store).values().stream()
                .mapToInt(count -> Math.max(0, count - 1))
                .sum();
        assertThat(repeated).isLessThanOrEqualTo(2 * kills);
        assertThat(starts(store)).hasSize(TRIALS);
    }

    @Test
    @Tag("slow")
    void killingAWorkerRepeatsThatTrialFromItsCheckpoint() throws Exception {
        Path store = folder.resolve("killed");
        behave(store, "pace=60");
        var random = new Random(11);
        List<String> crashed = new ArrayList<>();
        var killer = new Thread(() -> {
            // Each trial once at most, for it is tried again once.
            Set<String> seen = new HashSet<>();
            while (!Thread.currentThread().isInterrupted()) {
                ProcessHandle.current()
                        .children()
                        .filter(child -> trialOf(child).filter(seen::add).isPresent())
                        .filter(child -> random.nextInt(3) > 0)
                        .forEach(child -> {
                            pause(300 + random.nextInt(600));
                            child.destroyForcibly();
                        });
                pause(50);
            }
        });
        killer.start();
        StudyResult result;
        try {
            result = runInProcesses(SEARCH, store, new StudyWatcher() {
                @Override
                public void crashed(Trial trial, String reason) {
                    crashed.add(reason);
                }
            });
        } finally {
            killer.interrupt();
            killer.join();
        }
        assertThat(crashed).isNotEmpty().allSatisfy(reason -> assertThat(reason).contains("signal 9"));
        assertThat(table(result)).isEqualTo(undisturbed);
    }

    @Test
    @Tag("slow")
    void twoCoordinatorsShareOneStoreAndTheWork() throws Exception {
        Path store = folder.resolve("shared");
        behave(store, "pace=30");
        Process one = Coordinator.start(store);
        Process other = Coordinator.start(store);
        assertThat(one.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(other.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(one.exitValue()).isZero();
        assertThat(other.exitValue()).isZero();
        assertThat(starts(store))
                .hasSize(TRIALS)
                .allSatisfy((id, count) -> assertThat(count).isEqualTo(1));
        assertThat(table(runHere(SEARCH, store, NOBODY))).isEqualTo(undisturbed);
    }

    @Test
    void aStoppedStudyGoesOnWhereItWas() throws Exception {
        Path store = folder.resolve("stopped");
        behave(store, "pace=60");
        var worker = new Thread(() -> {
            try {
                runInProcesses(SEARCH, store, NOBODY);
            } catch (IOException | CancellationException e) {
                // As asked.
            }
        });
        worker.start();
        Thread.sleep(2500);
        worker.interrupt();
        worker.join();
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .as("trials are waited for")
                .isEmpty();
        assertThat(table(runHere(SEARCH, store, NOBODY))).isEqualTo(undisturbed);
    }
}
