package io.polder.spark;

import io.polder.fuzz.Fuzz;
import io.polder.recipe.RecipeReader;
import io.polder.run.RunDirectory;
import io.polder.run.RunObserver;
import io.polder.run.RunSettings;
import io.polder.run.TrainingRun;
import io.polder.tensor.Device;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged archives of trials: what a trial is gone on with is as it was written, or the archive is passed over. */
@Tag("slow")
class TrialArchiveFuzzTest {
    /** An archive has about a megabyte. */
    private static final int SLOW = 6;

    @TempDir
    private Path folder;

    @Test
    void archives() throws Exception {
        Path trial = folder.resolve("trial");
        var recipe = RecipeReader.read("""
                name: tiny
                epochs: 1
                model: { name: resnet-small }
                data: { name: fashion-mnist-2000, augment: none, batch: 8, images: 16, evaluateOn: validation, validation: 8 }
                scheme: { name: standard }
                optimizer: { name: sgd }
                learningRate: { schedule: constant, base: 0.01 }
                """, "tiny.yaml", List.of());
        var settings = new RunSettings(1, Device.CPU, Optional.empty(), Optional.empty(), "", "", "a test");
        TrainingRun.start(recipe, trial, settings, new RunObserver() {});
        var archive = new ByteArrayOutputStream();
        TrialArchive.of(trial).writeTo(archive);

        Path unpacked = folder.resolve("unpacked");
        Fuzz.of("archive of a trial", archive.toByteArray())
                .oneCaseOf(SLOW)
                .sameOrRefused()
                .run(bytes -> {
                    try {
                        TrialArchive.unpack(new ByteArrayInputStream(bytes), unpacked);
                        TrialArchive.requireResumable(unpacked);
                        return whatDecides(unpacked);
                    } finally {
                        Scratch.delete(unpacked);
                    }
                });
    }

    /** What the run is, and the weights that it goes on with. */
    private static List<String> whatDecides(Path trial) throws IOException {
        var run = new RunDirectory(trial);
        var newest = run.checkpoint(RunDirectory.Which.NEWEST, complaint -> {});
        return List.of(
                Files.readString(run.infoFile()),
                Files.readString(run.recipeFile()),
                newest.directory().getFileName().toString());
    }
}
