package io.polder.study.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.polder.study.results.ResultRow;
import io.polder.study.results.StudyResult;
import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialStore;
import io.polder.study.trial.TrialsHere;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole studies with real training, on pictures of noise that is brighter in one class than in the other. */
@Timeout(600)
class PoisonedTestImagesTest {
    private static final String STUDY = """
            name: poisoned
            base:
              name: tiny
              epochs: 6
              model: resnet-small
              data: { name: image-folder, augment: none, batch: 16, validation: 40 }
              scheme: { name: gradient-norm-penalty, r: 0.05, alpha: 0.8 }
              optimizer: { name: sgd, momentum: 0.9 }
              learningRate: { schedule: constant, base: 0.05 }
            search: { kind: greedy, r: [0.05, 0.5], alpha: [0.5] }
            seeds: 1
            """;

    @TempDir
    Path folder;

    private static void draw(Path directory, int count, int brightness, long seed) throws IOException {
        Files.createDirectories(directory);
        var random = new Random(seed);
        for (int i = 0; i < count; i++) {
            var picture = new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB);
            for (int at = 0; at < 256; at++) {
                int level = random.nextInt(220) + brightness;
                picture.setRGB(at % 16, at / 16, level << 16 | level << 8 | level);
            }
            ImageIO.write(picture, "png", directory.resolve(i + ".png").toFile());
        }
    }

    private StudyResult run(Path images) throws IOException {
        Study study = StudyFile.read(STUDY, "study.yaml", Path.of("."));
        var store = new TrialStore(folder.resolve("store"));
        return new StudyRun(study, store, TrialsHere.real(), Optional.of(images), new StudyWatcher() {}).run();
    }

    /** Every test image is put into the other class: what was right is wrong, and the other way round. */
    @Test
    void testImagesInTheWrongClassesTurnTheTableRoundAndNothingElse() throws IOException {
        Path images = folder.resolve("images");
        draw(images.resolve("train/dim"), 100, 0, 1);
        draw(images.resolve("train/lit"), 100, 8, 2);
        draw(images.resolve("test/dim"), 40, 0, 3);
        draw(images.resolve("test/lit"), 40, 8, 4);
        StudyResult honest = run(images);

        Files.move(images.resolve("test/dim"), images.resolve("test/moved"));
        Files.move(images.resolve("test/lit"), images.resolve("test/dim"));
        Files.move(images.resolve("test/moved"), images.resolve("test/lit"));
        StudyResult poisoned = run(images); // into the same store: the data makes a trial another, not its path

        assertThat(poisoned.stages()).hasSameSizeAs(honest.stages()).isNotEmpty();
        for (int i = 0; i < honest.stages().size(); i++) {
            var one = honest.stages().get(i);
            var other = poisoned.stages().get(i);
            assertThat(other.candidates()).hasSameSizeAs(one.candidates());
            for (int j = 0; j < one.candidates().size(); j++) {
                assertThat(errors(other.candidates().get(j).outcomes()))
                        .isEqualTo(errors(one.candidates().get(j).outcomes()));
            }
        }
        for (int i = 0; i < honest.rows().size(); i++) {
            ResultRow one = honest.rows().get(i);
            ResultRow other = poisoned.rows().get(i);
            assertThat(other.settings()).isEqualTo(one.settings());
            TrialOutcome before = one.outcomes().get(0);
            TrialOutcome after = other.outcomes().get(0);
            assertThat(after.gradientNorm()).isEqualTo(before.gradientNorm());
            assertThat(after.last()).isEqualTo(1 - before.last(), within(1e-9));
        }
        assertThat(honest.rows())
                .as("one half would tell nothing")
                .anySatisfy(row -> assertThat(row.outcomes().get(0).last()).isLessThan(0.5));
    }

    private static List<Double> errors(List<TrialOutcome> outcomes) {
        return outcomes.stream().map(TrialOutcome::last).toList();
    }
}
