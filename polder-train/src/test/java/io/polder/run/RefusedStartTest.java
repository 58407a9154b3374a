package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start that is refused says why in a sentence and leaves everything as it was. */
class RefusedStartTest {
    @TempDir
    private Path directory;

    @Test
    void ofDataThatIsNotThereNothingIsLeft() throws IOException {
        String[] mistake = {"data.name=mnist", "data.dir=" + directory.resolve("nowhere")};
        assertRefused(directory.resolve("runs/new"), "nowhere", mistake);
        assertThat(directory.resolve("runs")).doesNotExist();

        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertRefused(empty, "nowhere", mistake);
        assertThat(empty).isEmptyDirectory();
    }

    @Test
    void aFileInTheWayIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "in the way");
        assertRefused(file, "cannot write to the directory " + file);
        assertRefused(file.resolve("below"), "cannot write to the directory " + file.resolve("below"));
        assertThat(file).hasContent("in the way");
    }

    @Test
    void bf16IsRefusedWhereTheProcessorLacksItAndOnlyThere() throws IOException {
        var flags = Files.readString(Path.of("/proc/cpuinfo"));
        Path run = directory.resolve("run");
        if (flags.contains("avx512_bf16") || flags.contains("amx_bf16")) {
            TrainingRun.start(TinyRun.recipe("precision=bf16"), run, TinyRun.SETTINGS, new TinyRun.Observer());
            assertThat(run.resolve("run.json")).isRegularFile();
        } else {
            assertRefused(run, "precision is bf16: this processor cannot compute in it", "precision=bf16");
            assertThat(run).doesNotExist();
        }
    }

    @Test
    void checkpointsWithoutTheirRunAreNotTakenForItsOwn() throws IOException {
        Path run = directory.resolve("run");
        TrainingRun.start(TinyRun.recipe(), run, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(5));
        Files.delete(run.resolve("run.json"));
        Path weights = TinyRun.weights(run);
        byte[] before = Files.readAllBytes(weights);
        assertRefused(run, "has checkpoints of a run whose run.json is gone");
        assertThat(TinyRun.weights(run)).isEqualTo(weights).hasBinaryContent(before);
    }

    @Test
    void aRecipeThatSomebodyKeepsInTheDirectoryIsNotOverwritten() throws IOException {
        Path recipe = Files.writeString(directory.resolve("recipe.yaml"), TinyRun.RECIPE);
        assertRefused(directory, "has a recipe.yaml of another run");
        assertThat(recipe).hasContent(TinyRun.RECIPE);
        assertThat(directory).isDirectoryNotContaining(file -> !file.equals(recipe));

        Files.write(recipe, new byte[] {(byte) 0xff});
        assertRefused(directory, "has a recipe.yaml of another run");
        Files.delete(recipe);
        Files.createDirectory(recipe);
        assertRefused(directory, "has a recipe.yaml of another run");
    }

    private static void assertRefused(Path run, String sentence, String... overrides) {
        assertThatThrownBy(() ->
                        TrainingRun.start(TinyRun.recipe(overrides), run, TinyRun.SETTINGS, new TinyRun.Observer()))
                .hasMessageContaining(sentence)
                .hasMessageNotContaining("\n");
    }
}
