package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.metrics.MetricsHistory;
import io.polder.recipe.Recipe;
import io.polder.train.EpochMetrics;
import io.polder.train.Progress;
import io.polder.train.TrainingListener;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measuring during a training: it is recorded, and changes nothing. */
class ProbesTest {
    @TempDir
    private Path directory;

    @Test
    void probesDoNotChangeTheTrainedBitsAndAreRecordedWhenDue() throws IOException {
        Path without = directory.resolve("without");
        Path with = directory.resolve("with");
        Recipe plain = TinyRun.recipe("epochs=3", "data.images=24", "scheme={name: sam, r: 0.1}");
        Recipe probed = TinyRun.recipe(
                "epochs=3",
                "data.images=24",
                "scheme={name: sam, r: 0.1}",
                "probes={every: 2, samples: 12, measure: [gradient-norm, eigenvalues, trace, density, sharpness,"
                        + " m-sharpness, adaptive-sharpness]}");
        assertThat(probed.hash()).isEqualTo(plain.hash());
        TrainingRun.start(plain, without, TinyRun.SETTINGS, new TinyRun.Observer());
        List<EpochMetrics> told = new ArrayList<>();
        TrainingRun.start(probed, with, TinyRun.SETTINGS, listening(told));
        assertThat(TinyRun.weights(with)).hasSameBinaryContentAs(TinyRun.weights(without));

        assertThat(told).extracting(epoch -> epoch.probes().isEmpty()).containsExactly(true, false, false);
        assertThat(told.get(2).probes())
                .containsKeys("topEigenvalue", "trace", "fullGradientNorm", "samSharpness", "lipschitz", "mSharpness")
                .allSatisfy((name, value) -> assertThat(value).as(name).isFinite());
        assertThat(Files.readString(new RunDirectory(with).metricsFile()))
                .contains("\"probeTopEigenvalue\":" + told.get(1).probes().get("topEigenvalue"));
        // As reports read it.
        var read = MetricsHistory.read(new RunDirectory(with).metricsFile());
        assertThat(read.epochs().get(1).metrics().probes())
                .isEqualTo(told.get(1).probes());
        assertThat(read.epochs().get(1).metrics().figures())
                .isEqualTo(told.get(1).figures());
    }

    private static RunObserver listening(List<EpochMetrics> told) {
        return new RunObserver() {
            @Override
            public List<TrainingListener> listeners(RunInfo info, Progress from) {
                return List.of(new TrainingListener() {
                    @Override
                    public void onEpoch(EpochMetrics metrics) {
                        told.add(metrics);
                    }
                });
            }

            @Override
            public void warn(String sentence) {
                assertThat(sentence).doesNotContain("probe");
            }

            @Override
            public boolean stopRequested() {
                return false;
            }
        };
    }

    @Test
    void aTorchScriptNetworkIsProbedToo() throws IOException, URISyntaxException {
        Path script =
                Path.of(ProbesTest.class.getResource("/torchscript/ten.ts").toURI());
        Path without = directory.resolve("without");
        Path with = directory.resolve("with");
        String model = "model={torchscript: " + script + "}";
        TrainingRun.start(TinyRun.recipe(model, "data.images=16"), without, TinyRun.SETTINGS, new TinyRun.Observer());
        List<EpochMetrics> told = new ArrayList<>();
        TrainingRun.start(
                TinyRun.recipe(model, "data.images=16", "probes={samples: 8}"),
                with,
                TinyRun.SETTINGS,
                listening(told));
        assertThat(TinyRun.weights(with)).hasSameBinaryContentAs(TinyRun.weights(without));
        assertThat(told.get(0).probes()).containsKeys("topEigenvalue", "trace", "samSharpness");
    }

    @Test
    void theExactSchemeTrainsAndResumesToTheSameBits() throws IOException {
        Path whole = directory.resolve("whole");
        Path parts = directory.resolve("parts");
        Recipe recipe = TinyRun.recipe("scheme={name: exact-penalty, lambda: 0.02}", "data.images=24");
        TrainingRun.start(recipe, whole, TinyRun.SETTINGS, new TinyRun.Observer());
        TrainingRun.start(recipe, parts, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(4));
        TrainingRun.resume(parts, TinyRun.SETTINGS, new TinyRun.Observer());
        assertThat(TinyRun.weights(parts)).hasSameBinaryContentAs(TinyRun.weights(whole));
        assertThat(Files.readString(new RunDirectory(whole).metricsFile())).contains("\"lambda\":0.02");
    }
}
