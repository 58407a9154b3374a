package io.polder.study.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every file of a trial, damaged in every way, before the trial has ended and after: it ends with the outcome of one that nothing
 * happened to, or a sentence names the file.
 */
@Timeout(600)
class DamagedTrialTest {
    /** Three epochs of two steps, and a checkpoint after each step. */
    private static final Recipe RECIPE = RecipeReader.read("""
            name: tiny
            seed: 4
            epochs: 3
            evaluateEvery: 1
            model: { name: resnet-small }
            data: { name: mnist, augment: none, batch: 8, images: 16, evaluateOn: validation, validation: 8 }
            scheme: { name: standard }
            optimizer: { name: sgd }
            learningRate: { schedule: constant, base: 0.01 }
            checkpoint: { everySteps: 1 }
            """, "tiny.yaml", List.of());

    /** In the second epoch. */
    private static final int STEPS_BEFORE_THE_STOP = 3;

    /** Those of every checkpoint are damaged. */
    private static final List<String> CHECKPOINTS =
            List.of("progress.json", "weights.safetensors", "optimizer.safetensors", "manifest.txt");

    @TempDir
    private static Path templates;

    /** A few: those that come with Polder would take longer to read than all else does. */
    private static Path images;

    private static Path stopped;
    private static Path ended;
    private static TrialOutcome expected;

    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();

    @BeforeAll
    static void train() throws IOException {
        images = Files.createDirectory(templates.resolve("images"));
        writeImages("train", 24);
        writeImages("t10k", 8);
        stopped = new TrialStore(templates.resolve("stopped")).directory(RECIPE.hash());
        ended = new TrialStore(templates.resolve("ended")).directory(RECIPE.hash());
        assertThat(attempt(stopped, STEPS_BEFORE_THE_STOP, new ArrayList<>())).isEqualTo(TrialMain.STOPPED);
        assertThat(attempt(ended, Integer.MAX_VALUE, new ArrayList<>())).isEqualTo(TrialMain.FINISHED);
        for (Path trial : List.of(stopped, ended)) {
            Files.writeString(trial.resolve(TrialProcess.LOG), "as it was printed\n");
        }
        expected = new TrialStore(templates.resolve("ended"))
                .outcome(RECIPE.hash())
                .orElseThrow();
        assertThat(expected.curve()).hasSize(3);
    }

    private static void writeImages(String split, int count) throws IOException {
        byte[] pixels = new byte[count * 64];
        new Random(count).nextBytes(pixels);
        var file = ByteBuffer.allocate(16 + pixels.length).putInt(0x803).putInt(count);
        Files.write(
                images.resolve(split + "-images-idx3-ubyte"),
                file.putInt(8).putInt(8).put(pixels).array());
        var labels = ByteBuffer.allocate(8 + count).putInt(0x801).putInt(count);
        for (int i = 0; i < count; i++) {
            labels.put((byte) (i % 2));
        }
        Files.write(images.resolve(split + "-labels-idx1-ubyte"), labels.array());
    }

    private static int attempt(Path trial, int steps, List<String> told) throws IOException {
        var looks = new AtomicInteger();
        TrialTraining training = (recipe, directory, settings, stop) -> new RunTraining(sentence -> {})
                .train(recipe, directory, settings, () -> looks.getAndIncrement() >= steps);
        return new TrialMain(training, told::add)
                .bringToItsEnd(RECIPE, new TrialMain.Arguments(trial, 1, "cpu", Optional.empty(), Optional.of(images)));
    }

    /** What can happen to a file. */
    enum Damage {
        DELETED {
            @Override
            void to(Path file) throws IOException {
                deleteTree(file);
            }
        },
        EMPTIED {
            @Override
            void to(Path file) throws IOException {
                Files.write(file, new byte[0]);
            }
        },
        CUT {
            @Override
            void to(Path file) throws IOException {
                byte[] bytes = Files.readAllBytes(file);
                Files.write(file, Arrays.copyOf(bytes, bytes.length * 2 / 5));
            }
        },
        A_DIGIT_CHANGED {
            @Override
            void to(Path file) throws IOException {
                changeDigit(file, 0.5);
            }
        },
        THE_FIRST_DIGIT_CHANGED {
            @Override
            void to(Path file) throws IOException {
                changeDigit(file, 0);
            }
        },
        A_BYTE_THAT_IS_NO_TEXT {
            @Override
            void to(Path file) throws IOException {
                byte[] bytes = Files.readAllBytes(file);
                if (bytes.length == 0) {
                    bytes = new byte[1];
                }
                bytes[bytes.length / 3] = (byte) 0xff;
                Files.write(file, bytes);
            }
        },
        ZEROS {
            @Override
            void to(Path file) throws IOException {
                Files.write(file, new byte[(int) Files.size(file)]);
            }
        },
        A_DIRECTORY {
            @Override
            void to(Path file) throws IOException {
                deleteTree(file);
                Files.createDirectory(file);
                Files.writeString(file.resolve("inside"), "something");
            }
        };

        abstract void to(Path file) throws IOException;

        /** 4 becomes 5. */
        private static void changeDigit(Path file, double place) throws IOException {
            byte[] bytes = Files.readAllBytes(file);
            for (int i = (int) (place * bytes.length); i < bytes.length; i++) {
                if (Character.isDigit(bytes[i])) {
                    bytes[i] ^= 1;
                    break;
                }
            }
            Files.write(file, bytes);
        }
    }

    /** @param file its name, or the end of its path: all files that have it are damaged */
    private record Case(boolean hasEnded, String file, Damage damage) {
        /** A lock that nobody can take. */
        boolean isBeyondRepair() {
            return file.equals("claim") && damage == Damage.A_DIRECTORY;
        }

        /** Of the metrics a few lines may be lost that no outcome needs. */
        boolean losesTheRun() {
            return file.equals("run.json")
                    || CHECKPOINTS.contains(file)
                    || file.equals("metrics.jsonl")
                            && EnumSet.of(Damage.DELETED, Damage.EMPTIED, Damage.ZEROS, Damage.A_DIRECTORY)
                                    .contains(damage);
        }

        @Override
        public String toString() {
            return (hasEnded ? "after the end, " : "before the end, ") + file + ": " + damage;
        }
    }

    static Stream<Case> everyFileInEveryWay() {
        List<Case> cases = new ArrayList<>();
        for (Damage damage : Damage.values()) {
            for (String file : List.of(
                    "run.json",
                    "recipe.yaml",
                    "metrics.jsonl",
                    "attempts",
                    "claim",
                    "lock",
                    "log",
                    "events.out.tfevents")) {
                cases.add(new Case(false, file, damage));
            }
            if (damage != Damage.A_DIRECTORY) {
                cases.add(new Case(false, "best.txt", damage));
            }
            for (String file : CHECKPOINTS) {
                cases.add(new Case(false, file, damage));
            }
            for (String file : List.of("outcome.json", "run.json", "recipe.yaml", "metrics.jsonl", "attempts")) {
                cases.add(new Case(true, file, damage));
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("everyFileInEveryWay")
    void theOutcomeIsAsWithoutDamageOrTheFileIsNamed(Case each) throws IOException {
        Path trial = new TrialStore(folder).directory(RECIPE.hash());
        copy(each.hasEnded ? ended : stopped, trial);
        if (each.hasEnded) {
            // Else the outcome stands, whatever becomes of the files it was made from.
            damage(trial, "outcome.json", Damage.CUT);
        }
        damage(trial, each.file, each.damage);

        var store = new TrialStore(folder);
        if (each.isBeyondRepair()) {
            assertThatThrownBy(() -> attempt(trial, Integer.MAX_VALUE, told))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(each.file)
                    .hasMessageNotContaining("\n");
            // As a study does.
            assertThat(store.recordFailure(RECIPE.hash(), RECIPE, "it was told", 1))
                    .hasValueSatisfying(failure -> assertThat(failure.reason()).isEqualTo("it was told"));
            assertThat(store.complaints()).hasSize(1).allMatch(sentence -> sentence.contains(each.file));
        } else {
            assertThat(attempt(trial, Integer.MAX_VALUE, told)).isEqualTo(TrialMain.FINISHED);
            assertThat(essence(store.outcome(RECIPE.hash()).orElseThrow())).isEqualTo(essence(expected));
            assertThat(store.complaints()).isEmpty();
            if (each.losesTheRun()) {
                assertThat(told)
                        .hasSize(1)
                        .allMatch(sentence -> sentence.contains("damaged-1, and the trial was trained"));
                assertThat(trial.resolve("damaged-1")).isNotEmptyDirectory();
            }
        }
    }

    /** Before the end, it would become the trial's result; after it, the result that is derived anew. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDigitOfAnErrorThatChangedInTheMetricsNeverGetsIntoTheOutcome(boolean hasEnded) throws IOException {
        Path trial = new TrialStore(folder).directory(RECIPE.hash());
        copy(hasEnded ? ended : stopped, trial);
        Files.deleteIfExists(trial.resolve("outcome.json"));
        Path metrics = trial.resolve("metrics.jsonl");
        String text = Files.readString(metrics);
        String damaged = text.replaceFirst("\"testError\":\\d\\.\\d+", "\"testError\":0.1234");
        assertThat(damaged).isNotEqualTo(text);
        Files.writeString(metrics, damaged);

        assertThat(attempt(trial, Integer.MAX_VALUE, told)).isEqualTo(TrialMain.FINISHED);
        assertThat(told).hasSize(1).allMatch(sentence -> sentence.startsWith(metrics + " lacks 1 of the "));
        assertThat(essence(new TrialStore(folder).outcome(RECIPE.hash()).orElseThrow()))
                .isEqualTo(essence(expected));
    }

    /** Without checksums it is found out only when the outcome is made, after the training's end. */
    @Test
    void anImpossibleErrorInTheMetricsOfAnOlderVersionIsTrainedAnew() throws IOException {
        Path trial = new TrialStore(folder).directory(RECIPE.hash());
        copy(stopped, trial);
        Path metrics = trial.resolve("metrics.jsonl");
        String text = Files.readString(metrics).replaceAll("(?m)^\\{\"checksum\":\"[0-9a-f]{8}\",", "{");
        String damaged = text.replaceFirst("\"testError\":\\d\\.\\d+", "\"testError\":7.0");
        assertThat(damaged).isNotEqualTo(text);
        Files.writeString(metrics, damaged);

        assertThat(attempt(trial, Integer.MAX_VALUE, told)).isEqualTo(TrialMain.FINISHED);
        assertThat(told)
                .hasSize(1)
                .allMatch(sentence -> sentence.startsWith(metrics + " has what no trial comes to")
                        && sentence.contains("damaged-1, and the trial was trained"));
        assertThat(essence(new TrialStore(folder).outcome(RECIPE.hash()).orElseThrow()))
                .isEqualTo(essence(expected));
    }

    /** Whose files have no checksums. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTrialOfAnOlderVersionIsGoneOnWithAndItsOutcomeRead(boolean hasEnded) throws IOException {
        Path trial = new TrialStore(folder).directory(RECIPE.hash());
        copy(hasEnded ? ended : stopped, trial);
        try (Stream<Path> files = Files.list(trial)) {
            for (Path file : files.filter(path -> path.toString().matches(".*(outcome.json|run.json|metrics.jsonl)"))
                    .toList()) {
                String text = Files.readString(file);
                String old = text.replaceAll("(?m)^\\{\"checksum\":\"[0-9a-f]{8}\",", "{");
                assertThat(old).isNotEqualTo(text).doesNotContain("checksum");
                Files.writeString(file, old);
            }
        }
        var store = new TrialStore(folder);
        if (hasEnded) {
            assertThat(store.outcome(RECIPE.hash())).contains(expected);
            Files.delete(trial.resolve("outcome.json"));
        }
        assertThat(attempt(trial, Integer.MAX_VALUE, told)).isEqualTo(TrialMain.FINISHED);
        assertThat(essence(new TrialStore(folder).outcome(RECIPE.hash()).orElseThrow()))
                .isEqualTo(essence(expected));
        assertThat(told).isEmpty();
        assertThat(store.complaints()).isEmpty();
    }

    /** Without times, speed and the number of starts. */
    private static List<Object> essence(TrialOutcome outcome) {
        return List.of(
                outcome.id(),
                outcome.status(),
                outcome.epochs(),
                outcome.numbers(),
                outcome.gradientNorm(),
                outcome.parameterNorm(),
                List.copyOf(outcome.curve()));
    }

    private static void damage(Path trial, String name, Damage damage) throws IOException {
        List<Path> files;
        try (Stream<Path> each = Files.walk(trial)) {
            files = each.filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().startsWith(name))
                    .toList();
        }
        assertThat(files).as(name).isNotEmpty();
        for (Path file : files) {
            damage.to(file);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    private static void deleteTree(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
