package io.polder.run;

import static io.polder.run.TinyRun.SETTINGS;
import static io.polder.run.TinyRun.recipe;
import static io.polder.run.TinyRun.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.run.TinyRun.Observer;
import io.polder.tensor.Numbers;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frozen parameters, and learning rates and decay of their own, from the recipe to the weights. */
class ParameterGroupsRunTest {
    private static final String[] METHOD = {
        "scheme={name: gradient-norm-penalty, r: 0.05, alpha: 0.7}", "optimizer={name: adamw, weightDecay: 0.1}"
    };

    @TempDir
    private Path directory;

    private static Map<String, double[]> read(Path file) throws IOException {
        Map<String, double[]> weights = new LinkedHashMap<>();
        try (var scope = Scope.open();
                var tensors = SafeTensors.open(file)) {
            for (String name : tensors.entries().keySet()) {
                weights.put(name, Numbers.of(tensors.read(name)));
            }
        }
        return weights;
    }

    /** @return the weights before the first step and after the last */
    private static Map<String, double[]>[] trained(Path run, String... overrides) throws IOException {
        String[] all = new String[overrides.length + 2];
        System.arraycopy(METHOD, 0, all, 0, 2);
        System.arraycopy(overrides, 0, all, 2, overrides.length);
        TrainingRun.start(recipe(all), run, SETTINGS, new Observer().stoppingAfter(0));
        Map<String, double[]> first = read(weights(run));
        TrainingRun.resume(run, SETTINGS, new Observer());
        @SuppressWarnings({"unchecked", "rawtypes"})
        Map<String, double[]>[] both = new Map[] {first, read(weights(run))};
        return both;
    }

    private static boolean isStatistic(String name) {
        return name.contains("running_") || name.contains("num_batches");
    }

    @Test
    void whatIsFrozenKeepsItsBitsAndTheRestIsTrained() throws IOException {
        var weights = trained(directory, "parameters=[{names: '*', frozen: true}, {names: head.*, frozen: false}]");
        weights[0].forEach((name, first) -> {
            double[] last = weights[1].get(name);
            if (name.startsWith("head.")) {
                assertThat(last).as(name).isNotEqualTo(first);
            } else if (!isStatistic(name)) {
                assertThat(last).as(name).isEqualTo(first);
            }
        });
        assertThat(weights[0].keySet())
                .filteredOn(name -> name.endsWith("running_mean"))
                .isNotEmpty()
                .as("batch norm goes on as if nothing were frozen")
                .noneMatch(name -> Arrays.equals(weights[0].get(name), weights[1].get(name)));
        long head = weights[0].entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("head."))
                .mapToLong(entry -> entry.getValue().length)
                .sum();
        assertThat(new RunDirectory(directory).info().parameters()).isEqualTo(head);
        try (var optimizer = SafeTensors.open(weights(directory).resolveSibling("optimizer.safetensors"))) {
            assertThat(optimizer.entries().keySet())
                    .containsExactlyInAnyOrder(
                            "mean/head.weight", "mean/head.bias", "square/head.weight", "square/head.bias");
        }
    }

    @Test
    void groupsThatSayNothingNewAreTheSameBits() throws IOException {
        Path plain = directory.resolve("plain");
        Path grouped = directory.resolve("grouped");
        trained(plain);
        trained(
                grouped,
                "parameters=[{names: '*', learningRateFactor: 1.0, decayFactor: 1.0}, {names: head.*, frozen: false}]");
        assertThat(Files.mismatch(weights(plain), weights(grouped))).isEqualTo(-1);
    }

    @Test
    void aSmallerLearningRateMovesLess() throws IOException {
        var plain = trained(directory.resolve("plain"), "steps=1");
        var slow = trained(
                directory.resolve("slow"), "steps=1", "parameters=[{names: head.*, learningRateFactor: 0.125}]");
        double whole = distance(plain[0].get("head.weight"), plain[1].get("head.weight"));
        double part = distance(slow[0].get("head.weight"), slow[1].get("head.weight"));
        assertThat(part / whole)
                .isBetween(0.1249, 0.1251); // float32 has 24 bits, and a step is a hundredth of a weight
        plain[1].forEach((name, expected) -> {
            if (!name.startsWith("head.")) {
                assertThat(slow[1].get(name)).as(name).isEqualTo(expected);
            }
        });
    }

    private static double distance(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return Math.sqrt(sum);
    }

    @Test
    void aStoppedRunOfReplicasGoesOnToTheSameBits() throws IOException {
        String[] overrides = {
            METHOD[0],
            METHOD[1],
            "replicas=2",
            "average={}",
            "parameters=[{names: stem.*, frozen: true}, {names: head.*, learningRateFactor: 3}, {names: '*.bias', decayFactor: 0}]"
        };
        Path whole = directory.resolve("whole");
        Path parts = directory.resolve("parts");
        TrainingRun.start(recipe(overrides), whole, SETTINGS, new Observer());
        TrainingRun.start(recipe(overrides), parts, SETTINGS, new Observer().stoppingAfter(5));
        TrainingRun.resume(parts, SETTINGS, new Observer());
        for (String file : new String[] {"weights.safetensors", "average.safetensors", "optimizer.safetensors"}) {
            assertThat(Files.mismatch(
                            weights(parts).resolveSibling(file), weights(whole).resolveSibling(file)))
                    .as(file)
                    .isEqualTo(-1);
        }
    }

    @Test
    void mistakesAreTold() {
        assertThatThrownBy(() -> TrainingRun.start(
                        recipe("parameters=[{names: haed.*, frozen: true}]"), directory, SETTINGS, new Observer()))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "parameters[0].names is \"haed.*\", and no parameter of the network is called so: did you mean \"head.*\"?");
        assertThat(new RunDirectory(directory).holdsARun()).isFalse();
        assertThatThrownBy(() -> recipe("parameters=[{names: head.*}]"))
                .hasMessage(
                        "-s: parameters[0]: says nothing of its parameters; give learningRateFactor, decayFactor or frozen");
        assertThatThrownBy(() -> recipe("parameters=[{names: head.*, decayFactor: 0}]"))
                .hasMessage(
                        "-s: parameters[0].decayFactor: is given, and nothing decays; give optimizer.l2, or with adamw weightDecay");
        assertThatThrownBy(() -> recipe("parameters=[{names: head.*, lr: 0.1}]"))
                .hasMessageContaining("did you mean learningRateFactor?");
    }
}
