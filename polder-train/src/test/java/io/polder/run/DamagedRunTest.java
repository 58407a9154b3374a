package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.checkpoint.CheckpointStore;
import io.polder.models.Architectures;
import io.polder.nn.Weights;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run's directory with a part damaged, changed or gone: one sentence, and nothing of the rest is lost. */
class DamagedRunTest {
    @TempDir
    private Path directory;

    private Path run;

    @BeforeEach
    void train() throws IOException {
        run = directory.resolve("run");
        TrainingRun.start(TinyRun.recipe(), run, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(7));
    }

    @Test
    void aDescriptionThatIsDamaged() throws IOException {
        Path info = run.resolve("run.json");
        String whole = Files.readString(info);
        for (String damaged : new String[] {
            "",
            "null",
            "{}",
            "[]",
            "{\"name\":",
            whole.substring(0, whole.length() / 2),
            whole.replace("\"threads\" : 1", "\"threads\" : 0"),
            whole.replace("\"threads\" : 1", "\"threads\" : 2"),
            whole.replace("\"stepsPerEpoch\" : 8", "\"stepsPerEpoch\" : 9"),
            whole.replace("checksum", "chequesum"),
            whole.replace("\"classNames\" : [", "\"classNames\" : [ \"more\","),
            whole.replace("\"stopped\"", "\"sleeping\""),
            whole.replace("\"stopped\"", "null")
        }) {
            assertThat(damaged).isNotEqualTo(whole);
            Files.writeString(info, damaged);
            assertNothingGoes(info + " is damaged");
            assertThat(info).hasContent(damaged);
        }
        Files.write(info, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertNothingGoes(info + " is damaged");
        Files.delete(info);
        assertNothingGoes("holds no run");
        Files.createDirectory(info);
        assertNothingGoes(info + " cannot be read");
    }

    @Test
    void aDescriptionOfAnOlderVersionHasNoChecksum() throws IOException {
        Path info = run.resolve("run.json");
        String whole = Files.readString(info);
        String old = whole.replaceFirst("\"checksum\":\"[0-9a-f]{8}\",", "");
        assertThat(old).isNotEqualTo(whole).doesNotContain("checksum");
        Files.writeString(info, old);
        assertThat(TrainingRun.resume(run, TinyRun.SETTINGS, new TinyRun.Observer())
                        .status())
                .isEqualTo(RunInfo.Status.done);
        Files.writeString(info, old.replace("\"threads\" : 1", "\"threads\" : 0"));
        assertNothingGoes(info + " is damaged");
    }

    @Test
    void aRecipeThatIsDamagedGoneOrAnother() throws IOException {
        Path recipe = run.resolve("recipe.yaml");
        String whole = Files.readString(recipe);
        Files.writeString(recipe, "name: [");
        assertNothingGoes(recipe + " is damaged");
        Files.write(recipe, new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        assertNothingGoes(recipe + " is damaged");
        Files.delete(recipe);
        assertNothingGoes(recipe + " cannot be read (there is no such file or directory)");

        Files.writeString(recipe, whole.replace("base: 0.01", "base: 0.02"));
        assertThat(recipe).content().isNotEqualTo(whole);
        assertResumeRefused(recipe + " is not the recipe that the run began with");
        // What does not determine the result may be changed.
        Files.writeString(recipe, whole.replaceFirst("watchdogMinutes: .*", "watchdogMinutes: 5.0"));
        assertThat(TrainingRun.resume(run, TinyRun.SETTINGS, new TinyRun.Observer())
                        .status())
                .isEqualTo(RunInfo.Status.done);
    }

    @Test
    void whereNoCheckpointIsWholeTheRecordsStayAsTheyAre() throws IOException {
        String metrics = Files.readString(run.resolve("metrics.jsonl"));
        try (var files = Files.walk(run.resolve("checkpoints"))) {
            for (Path file :
                    files.filter(path -> path.endsWith("progress.json")).toList()) {
                Files.writeString(file, "damaged");
            }
        }
        assertNothingGoes("no checkpoint that is whole");
        assertThat(run.resolve("metrics.jsonl")).hasContent(metrics);
        assertThat(new RunDirectory(run).info().status()).isEqualTo(RunInfo.Status.stopped);
        delete(run.resolve("checkpoints"));
        assertNothingGoes("no checkpoint that is whole");
        assertThat(run.resolve("metrics.jsonl")).hasContent(metrics);
    }

    @Test
    void theBestIsUsedThoughTheNewestIsDamaged() throws IOException {
        Path done = directory.resolve("done");
        // Steps too small to change an answer: the first epoch stays the best.
        TrainingRun.start(
                TinyRun.recipe("learningRate.base=1.0e-9", "epochs=3"), done, TinyRun.SETTINGS, new TinyRun.Observer());
        var best = new RunDirectory(done).checkpoint(RunDirectory.Which.BEST, System.err::println);
        assertThat(best.step()).isEqualTo(8);
        try (var files = Files.walk(done.resolve("checkpoints"))) {
            for (Path file : files.filter(path -> path.endsWith("progress.json"))
                    .filter(path -> !path.startsWith(best.directory()))
                    .toList()) {
                Files.writeString(file, "damaged");
            }
        }
        var complaints = new ArrayList<String>();
        assertThat(new RunDirectory(done)
                        .checkpoint(RunDirectory.Which.BEST, complaints::add)
                        .step())
                .isEqualTo(8);
        assertThat(complaints).isEmpty();
    }

    @Test
    void aRunKilledBeforeItsFirstCheckpointBeginsFromTheRecipesFirstWeights() throws IOException {
        Path first = directory.resolve("first.safetensors");
        try (var scope = Scope.open()) {
            Weights.save(Architectures.named("resnet-small").build(1, 28, 10, new RandomStreams(99)), first);
        }
        var recipe = TinyRun.recipe("model.init=" + first, "average.decay=0.9");
        Path whole = directory.resolve("whole");
        Path killed = directory.resolve("killed");
        TrainingRun.start(recipe, whole, TinyRun.SETTINGS, new TinyRun.Observer());
        TrainingRun.start(recipe, killed, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(1));
        delete(killed.resolve("checkpoints"));
        Files.delete(killed.resolve("metrics.jsonl"));

        byte[] weights = Files.readAllBytes(first);
        Files.write(first, new byte[] {1, 2, 3});
        assertThatThrownBy(() -> TrainingRun.resume(killed, TinyRun.SETTINGS, new TinyRun.Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(first + " is not the file that the run began with");
        Files.write(first, weights);

        TrainingRun.resume(killed, TinyRun.SETTINGS, new TinyRun.Observer());
        assertThat(TinyRun.weights(killed)).hasSameBinaryContentAs(TinyRun.weights(whole));
        assertThat(TinyRun.weights(killed).resolveSibling("average.safetensors"))
                .hasSameBinaryContentAs(TinyRun.weights(whole).resolveSibling("average.safetensors"));
    }

    @Test
    void aBestThatAKillLeftUnmarkedIsMarkedByTheResume() throws IOException {
        Path killed = directory.resolve("killed");
        TrainingRun.start(TinyRun.recipe(), killed, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfterEpoch(1));
        Path mark = killed.resolve("checkpoints/best.txt");
        String marked = Files.readString(mark);
        Files.delete(mark); // as a kill right after the save would have left it
        TrainingRun.resume(killed, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(0));
        assertThat(mark).hasContent(marked);
    }

    @Test
    void aDamagedMarkOfTheBestIsToldOnceMendedAndNeverInTheWayOfARun() throws IOException {
        Path trained = directory.resolve("trained");
        Path mark = trained.resolve("checkpoints/best.txt");
        // Steps too small to change an answer: the first epoch stays the best, so nothing but the state can mend the
        // mark.
        var observer = new TinyRun.Observer().after(13, () -> Files.writeString(mark, "nonsense"));
        RunInfo info = TrainingRun.start(
                TinyRun.recipe("learningRate.base=1.0e-9", "epochs=3"), trained, TinyRun.SETTINGS, observer);
        assertThat(info.status()).isEqualTo(RunInfo.Status.done);
        assertThat(observer.warnings).containsExactly(mark + " is damaged and not used: it does not name a checkpoint");
        assertThat(new RunDirectory(trained)
                        .checkpoint(RunDirectory.Which.BEST, DamagedRunTest::fail)
                        .step())
                .isEqualTo(8);
        assertThat(mark).content().startsWith("step-000000008-");
        assertThat(Files.readString(trained.resolve("metrics.jsonl"))).doesNotContain("checkpoint failed");
    }

    @Test
    void aMarkThatCannotBeMendedIsToldOnceAndOldOnesDoNotPileUp() throws IOException {
        Path trained = directory.resolve("trained");
        Path mark = trained.resolve("checkpoints/best.txt");
        var observer = new TinyRun.Observer().after(9, () -> {
            Files.writeString(mark, "nonsense");
            try (var best = Files.newDirectoryStream(trained.resolve("checkpoints"), "step-000000008-*")) {
                for (Path path : best) {
                    delete(path);
                }
            }
        });
        TrainingRun.start(TinyRun.recipe("checkpoint.everySteps=1"), trained, TinyRun.SETTINGS, observer);
        assertThat(observer.warnings).hasSize(1);
        try (var files = Files.list(trained.resolve("checkpoints"))) {
            assertThat(files.filter(Files::isDirectory))
                    .as("old ones do not pile up")
                    .hasSizeLessThanOrEqualTo(3);
        }
    }

    @Test
    void aDamagedMarkIsHealedByTheNextBest() throws IOException {
        Path trained = directory.resolve("trained");
        Path mark = trained.resolve("checkpoints/best.txt");
        var observer = new TinyRun.Observer().after(4, () -> Files.writeString(mark, "nonsense"));
        TrainingRun.start(TinyRun.recipe("epochs=1"), trained, TinyRun.SETTINGS, observer);
        assertThat(mark).content().startsWith("step-000000008-");
    }

    @Test
    void withoutAGoodMarkTheBestIsFoundByWhatTheNewestCheckpointKnows() throws IOException {
        Path trained = directory.resolve("trained");
        TrainingRun.start(
                TinyRun.recipe("learningRate.base=1.0e-9", "epochs=3"),
                trained,
                TinyRun.SETTINGS,
                new TinyRun.Observer());
        Path mark = trained.resolve("checkpoints/best.txt");
        Files.writeString(mark, "nonsense");
        var complaints = new ArrayList<String>();
        assertThat(new RunDirectory(trained)
                        .checkpoint(RunDirectory.Which.BEST, complaints::add)
                        .step())
                .isEqualTo(8);
        assertThat(complaints).containsExactly(mark + " is damaged and not used: it does not name a checkpoint");
    }

    /** With a manifest in order, so that nothing but the state tells. */
    @Test
    void aCheckpointWhoseNameIsNotThatOfItsStateIsDamaged() throws IOException {
        Path newest = TinyRun.weights(run).getParent();
        var forging = new CheckpointStore(run.resolve("checkpoints"), 9);
        Path forged = forging.save(999_999, draft -> {
                    for (String name : List.of("weights.safetensors", "optimizer.safetensors", "progress.json")) {
                        Files.copy(newest.resolve(name), draft.resolve(name));
                    }
                })
                .directory();
        var observer = new TinyRun.Observer();
        assertThat(TrainingRun.resume(run, TinyRun.SETTINGS, observer).status()).isEqualTo(RunInfo.Status.done);
        assertThat(observer.warnings)
                .containsExactly(
                        "the checkpoint " + forged + " is damaged and not used: its progress.json is that of step 7");
        assertThat(forged).doesNotExist();
    }

    /** Damaged before it was saved, so that its checksum is right. */
    @Test
    void aStateThatCannotBeReadIsADamageOfItsCheckpoint() throws IOException {
        for (byte[] state : List.of("null".getBytes(), "{".getBytes(), new byte[] {(byte) 0xff})) {
            var forging = new CheckpointStore(run.resolve("checkpoints"), 9);
            Path damaged = forging.save(8, draft -> Files.write(draft.resolve("progress.json"), state))
                    .directory();
            List<String> complaints = new ArrayList<>();
            assertThat(new RunDirectory(run)
                            .checkpoint(RunDirectory.Which.NEWEST, complaints::add)
                            .step())
                    .isEqualTo(7);
            assertThat(complaints)
                    .containsExactly("the checkpoint " + damaged + " is damaged and not used: "
                            + damaged.resolve("progress.json")
                            + " does not say where the run stands: use an older checkpoint");
            delete(damaged);
        }
    }

    private static void fail(String complaint) {
        throw new AssertionError(complaint);
    }

    private void assertNothingGoes(String sentence) {
        assertResumeRefused(sentence);
        assertThatThrownBy(() -> TrainedNetwork.open(run, RunDirectory.Which.BEST, Device.CPU, complaint -> {})
                        .close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(sentence)
                .hasMessageNotContaining("\n");
    }

    private void assertResumeRefused(String sentence) {
        assertThatThrownBy(() -> TrainingRun.resume(run, TinyRun.SETTINGS, new TinyRun.Observer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(sentence)
                .hasMessageNotContaining("\n");
    }

    private static void delete(Path tree) throws IOException {
        try (var files = Files.walk(tree)) {
            for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
