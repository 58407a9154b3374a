package io.polder.study.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.files.CheckedJson;
import io.polder.files.Machine;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.run.RunDirectory;
import io.polder.tensor.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an outcome says that the trial ran on. */
@Timeout(600)
class TrialMachineTest {
    private static final Recipe RECIPE = RecipeReader.read("""
            name: tiny
            epochs: 2
            model: { name: resnet-small }
            data: { name: fashion-mnist-2000, augment: none, batch: 8, images: 16, evaluateOn: validation, validation: 8 }
            scheme: { name: standard }
            optimizer: { name: sgd }
            learningRate: { schedule: constant, base: 0.01 }
            """, "tiny.yaml", List.of());

    @TempDir
    private Path folder;

    @BeforeEach
    void beAVersion() {
        System.setProperty(TrialCommand.VERSION, "9.8.7");
    }

    @AfterEach
    void beNone() {
        System.clearProperty(TrialCommand.VERSION);
    }

    @Test
    void itIsTheProcessorTheThreadsAndTheVersions() throws IOException {
        assertThat(trained(Integer.MAX_VALUE)).isEqualTo(TrialMain.FINISHED);
        assertThat(machine()).isEqualTo(here(1, "9.8.7", "libtorch " + Engine.version()));
    }

    /** The threads are those that the trial keeps; all else is told twice, as it was and as it is. */
    @Test
    void aTrialThatGoesOnUnderAnotherVersionSaysWhatItBeganOn() throws IOException {
        assertThat(trained(1)).isEqualTo(TrialMain.STOPPED);
        Path info = new RunDirectory(trial()).infoFile();
        String text = Files.readString(info).replaceFirst("^\\{\"checksum\":\"[0-9a-f]{8}\",", "{");
        String other = text.replaceFirst("\"engine\" : \"[^\"]*\"", "\"engine\" : \"libtorch 1.2\"")
                .replaceFirst("\"threads\" : 1", "\"threads\" : 2");
        Files.writeString(info, CheckedJson.with(other));
        System.setProperty(TrialCommand.VERSION, "9.9.0");

        assertThat(trained(Integer.MAX_VALUE)).isEqualTo(TrialMain.FINISHED);
        assertThat(machine())
                .isEqualTo(here(2, "9.9.0", "libtorch " + Engine.version()) + " (begun on "
                        + here(2, "9.8.7", "libtorch 1.2") + ")");
    }

    private static String here(int threads, String version, String engine) {
        return "%s, %d cores, %s, Polder %s, %s"
                .formatted(
                        new Machine().processor(),
                        Runtime.getRuntime().availableProcessors(),
                        threads == 1 ? "1 thread" : threads + " threads",
                        version,
                        engine);
    }

    private Path trial() {
        return new TrialStore(folder).directory(RECIPE.hash());
    }

    private String machine() {
        return new TrialStore(folder).outcome(RECIPE.hash()).orElseThrow().machine();
    }

    private int trained(int steps) throws IOException {
        var looks = new AtomicInteger();
        TrialTraining training = (recipe, directory, settings, stop) -> new RunTraining(sentence -> {})
                .train(recipe, directory, settings, () -> looks.getAndIncrement() >= steps);
        return new TrialMain(training, sentence -> {})
                .bringToItsEnd(RECIPE, new TrialMain.Arguments(trial(), 1, "cpu", Optional.empty(), Optional.empty()));
    }
}
