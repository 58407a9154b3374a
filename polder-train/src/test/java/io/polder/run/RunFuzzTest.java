package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.fuzz.Fuzz;
import io.polder.image.Encoder;
import io.polder.tensor.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged files of a run: it is used, or goes on, or one sentence names the file. */
@Tag("slow")
class RunFuzzTest {
    /** An opening or a resume takes a tenth of a second. */
    private static final int FEW = 25;

    @TempDir
    private Path directory;

    private Path run;

    @BeforeEach
    void train() throws IOException {
        run = directory.toRealPath().resolve("run");
        TrainingRun.start(TinyRun.recipe(), run, TinyRun.SETTINGS, new TinyRun.Observer().stoppingAfter(9));
    }

    /** No checksum: a description that is read is one that can be used. */
    @Test
    void descriptions() throws Exception {
        Path file = run.resolve("run.json");
        Fuzz.of("run.json", Files.readAllBytes(file)).naming(file).run(bytes -> {
            Files.write(file, bytes);
            RunInfo info = new RunDirectory(run).info();
            return Arrays.asList(
                    info.images().normalization(),
                    info.images().shape(),
                    info.images().classNames(),
                    info.status());
        });
    }

    @Test
    void descriptionsOfANetworkInUse() throws Exception {
        Path file = run.resolve("run.json");
        Path picture = Files.write(directory.resolve("picture.png"), Encoder.png(new byte[3 * 28 * 28], 28, 28));
        Fuzz.of("run.json in use", Files.readAllBytes(file))
                .oneCaseOf(FEW / 2)
                .naming(run)
                .run(bytes -> {
                    Files.write(file, bytes);
                    try (var network = TrainedNetwork.open(run, RunDirectory.Which.BEST, Device.CPU, complaint -> {})) {
                        return network.predict(List.of(picture), 3)
                                .get(0)
                                .get(0)
                                .className();
                    }
                });
    }

    @Test
    void recipes() throws Exception {
        Path file = run.resolve("recipe.yaml");
        Fuzz.of("recipe.yaml of a run", Files.readAllBytes(file)).naming(file).run(bytes -> {
            Files.write(file, bytes);
            return new RunDirectory(run).recipe();
        });
    }

    @Test
    void resumesWithADamagedDescription() throws Exception {
        resume("run.json");
    }

    /** What was recorded is not needed to go on. */
    @Test
    void resumesWithADamagedRecord() throws Exception {
        resume("metrics.jsonl");
        Path events;
        try (var files = Files.list(run)) {
            events = files.filter(path -> path.getFileName().toString().startsWith("events."))
                    .findFirst()
                    .orElseThrow();
        }
        resume(events.getFileName().toString());
        resume("lock");
    }

    @Test
    void resumesWithADamagedMark() throws Exception {
        resume("checkpoints/best.txt");
    }

    private void resume(String name) throws Exception {
        Path file = run.resolve(name);
        byte[] info = Files.readAllBytes(run.resolve("run.json"));
        byte[] good = Files.readAllBytes(file);
        Fuzz.of("resume with a damaged " + name.replaceFirst("\\d+", "N"), good)
                .oneCaseOf(FEW)
                .naming(run)
                .run(bytes -> {
                    Files.write(run.resolve("run.json"), info);
                    Files.write(file, bytes);
                    var observer = new TinyRun.Observer().stoppingAfter(0);
                    RunInfo after = TrainingRun.resume(run, TinyRun.SETTINGS, observer);
                    assertThat(after.status()).isIn(RunInfo.Status.stopped, RunInfo.Status.done);
                    return new ArrayList<>(observer.steps);
                });
        Files.write(file, good);
        Files.write(run.resolve("run.json"), info);
    }
}
