package io.polder.study.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.study.results.Candidate;
import io.polder.study.results.StudyResult;
import io.polder.study.results.StudyText;
import io.polder.study.trial.TrialStore;
import io.polder.study.trial.TrialsHere;
import io.polder.train.Figure;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole study of images with several labels, whose figure is the better the higher it is. */
@Timeout(600)
class MultiLabelStudyTest {
    /** With the first of its learning rates nothing is learned. */
    private static final String STUDY = """
            name: labels
            base:
              name: shapes
              epochs: 10
              task: multi-label
              model: resnet-small
              data: { name: labelled-folder, batch: 16, validation: 24 }
              scheme: standard
              optimizer: sgd
              learningRate: { schedule: cosine, base: 0.05 }
            search: { kind: greedy, standard: { learningRate.base: [1.0e-9, 0.05] }, r: [0.05], alpha: [0.8] }
            methods: [standard, sam]
            seeds: 1
            """;

    @TempDir
    private Path folder;

    @Test
    void itIsSearchedAndShownByItsOwnFigure() throws IOException {
        Study study = StudyFile.read(STUDY, "study.yaml", folder);
        var store = new TrialStore(folder.resolve("store"));
        StudyResult result =
                new StudyRun(study, store, TrialsHere.real(), Optional.of(images()), new StudyWatcher() {}).run();

        assertThat(result.isComplete()).isTrue();
        assertThat(result.outcomes()).hasSize(4).allMatch(outcome -> outcome.isDone());
        var stage = result.stages().get(0);
        Candidate chosen = stage.chosen().orElseThrow();
        assertThat(chosen.judge().better()).isEqualTo(Figure.Better.HIGHER);
        assertThat(chosen.settings()).containsEntry("learningRate.base", "0.05");
        assertThat(chosen.mean()).isGreaterThan(stage.candidates().get(0).mean());
        assertThat(result.rows())
                .allSatisfy(row -> assertThat(row.outcomes().get(0).last()).isGreaterThan(0.8));
        assertThat(StudyText.text(result))
                .contains("* highest mean")
                .containsPattern("chose\\s+learning rate = 0\\.05\\s+with\\s+[0-9.]+ %\\.");
        assertThat(StudyText.markdown(result))
                .contains("| Test mean average precision, % | Label error, % |")
                .containsPattern("\\| Standard \\| learning rate = 0\\.05 \\| 1 \\| \\**[0-9.]+\\** \\|");
    }

    private Path images() throws IOException {
        Path images = Files.createDirectory(folder.resolve("images"));
        var csv = new StringBuilder("file,split,labels\n");
        var random = new Random(5);
        for (int i = 0; i < 144; i++) {
            boolean red = random.nextBoolean();
            boolean blue = random.nextBoolean();
            var image = new BufferedImage(12, 12, BufferedImage.TYPE_INT_RGB);
            var canvas = image.createGraphics();
            canvas.setColor(Color.RED);
            canvas.fillRect(random.nextInt(4), random.nextInt(10), red ? 8 : 0, 2);
            canvas.setColor(Color.BLUE);
            canvas.fillRect(random.nextInt(10), random.nextInt(4), 2, blue ? 8 : 0);
            canvas.dispose();
            ImageIO.write(image, "png", images.resolve(i + ".png").toFile());
            csv.append(
                    "%d.png,%s,%s %s\n".formatted(i, i < 120 ? "train" : "test", red ? "red" : "", blue ? "blue" : ""));
        }
        Files.writeString(images.resolve("labels.csv"), csv);
        return images;
    }
}
