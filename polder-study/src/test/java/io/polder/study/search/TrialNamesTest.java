package io.polder.study.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.study.trial.OutcomeJson;
import io.polder.study.trial.TrialIds;
import io.polder.study.trial.TrialOutcome;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trial is its recipe and what is in its data and files, never where they are. */
class TrialNamesTest {
    private static final String STUDY = """
            name: names
            base:
              name: tiny
              epochs: 2
              model: resnet-small
              data: { name: image-folder, augment: none, batch: 2 }
              scheme: { name: gradient-norm-penalty, r: 0.05, alpha: 0.8 }
              optimizer: { name: sgd }
              learningRate: { schedule: constant, base: 0.05 }
            methods: [standard, sam]
            seeds: 2
            """;

    @TempDir
    private Path folder;

    private Path images;

    @BeforeEach
    void draw() throws IOException {
        images = folder.resolve("images");
        for (String place : List.of("train/cat/1", "train/dog/2", "test/cat/3", "test/dog/4")) {
            Path file = images.resolve(place + ".bmp");
            Files.createDirectories(file.getParent());
            var picture = new BufferedImage(16, 16, BufferedImage.TYPE_INT_RGB);
            picture.setRGB(place.charAt(place.length() - 1) - '0', 0, 0xffffff);
            ImageIO.write(picture, "bmp", file.toFile());
        }
    }

    @Test
    void dataThatIsElsewhereNamesTheSameTrialAndOtherDataAtTheSamePlaceAnother() throws IOException {
        Recipe recipe = recipe();
        String id = TrialIds.lookingAt(Optional.of(images)).of(recipe);
        Path moved = Files.move(images, folder.resolve("moved"));
        assertThat(TrialIds.lookingAt(Optional.of(moved)).of(recipe)).isEqualTo(id);
        assertThat(TrialIds.lookingAt(Optional.empty()).of(recipe("data.dir=" + moved)))
                .isEqualTo(id);
        Files.move(moved.resolve("test/cat/3.bmp"), moved.resolve("test/cat/5.bmp"));
        Files.move(moved.resolve("test/dog/4.bmp"), moved.resolve("test/cat/3.bmp"));
        Files.move(moved.resolve("test/cat/5.bmp"), moved.resolve("test/dog/4.bmp"));
        assertThat(TrialIds.lookingAt(Optional.of(moved)).of(recipe)).isNotEqualTo(id);
    }

    @Test
    void aFileOfTheRecipeCountsByWhatIsInItAndNotByItsPath() throws IOException {
        Path file = Files.writeString(folder.resolve("first.safetensors"), "weights");
        Path copy = Files.copy(file, folder.resolve("copy.safetensors"));
        for (String field : List.of("model.init", "model={torchscript")) {
            String end = field.contains("{") ? "}" : "";
            String assigned = field.contains("{") ? ": " : "=";
            String[] bundled = {"data={name: fashion-mnist-2000, batch: 2}", field + assigned + file + end};
            String[] other = {bundled[0], field + assigned + copy + end};
            String id = TrialIds.lookingAt(Optional.empty()).of(recipe(bundled));
            assertThat(TrialIds.lookingAt(Optional.empty()).of(recipe(other))).isEqualTo(id);
            Files.writeString(copy, "others");
            assertThat(TrialIds.lookingAt(Optional.empty()).of(recipe(other))).isNotEqualTo(id);
            Files.writeString(copy, "weights");
        }
    }

    @Test
    void onDataThatComesWithPolderTheHashOfTheRecipeSaysAllAndOldStoresAreGoneOnWith() {
        Recipe recipe = recipe("data={name: fashion-mnist-2000, batch: 2}");
        assertThat(TrialIds.lookingAt(Optional.empty()).of(recipe)).isEqualTo(recipe.hash());
    }

    @Test
    void aReportNeedsNoDataAndShowsTheTrialsOfTheDataThatTheStudyHad() throws IOException {
        Study study = StudyFile.read(STUDY, "study.yaml", folder);
        Path home = folder.resolve("study");
        var created = StudyDirectory.create(home, study, home, Optional.of(images));
        List<String> ids = new ArrayList<>();
        for (Trial trial :
                new Planner(study, created.ids()).plan(id -> Optional.empty()).trials()) {
            ids.add(trial.id());
            write(trial, created);
        }
        Files.move(images, folder.resolve("gone"));
        assertThat(StudyDirectory.open(home).result().outcomes())
                .extracting(TrialOutcome::id)
                .containsExactlyInAnyOrderElementsOf(ids);
        assertThatThrownBy(() -> StudyDirectory.create(home, study, home, Optional.of(images)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(images.toString());
        assertThat(StudyDirectory.open(home).result().outcomes()).hasSize(4);
    }

    @Test
    void whatAStudyKeepsOfItselfIsInOneOrderWhateverTheProcess() throws IOException {
        Path home = folder.resolve("study");
        StudyDirectory.create(home, StudyFile.read(STUDY, "study.yaml", folder), home, Optional.of(images));
        assertThat(Files.readString(home.resolve("study.json")))
                .containsSubsequence("\"checksum\"", "\"contents\"", "\"store\"", "\"studySha256\"");
    }

    @Test
    void aStudyOfAnEarlierVersionIsStillReportedButItsTrialsAreNotTakenForThoseOfTodaysData() throws IOException {
        Study study = StudyFile.read(STUDY, "study.yaml", folder);
        Path home = folder.resolve("study");
        var created = StudyDirectory.create(home, study, home, Optional.of(images));
        Files.writeString(home.resolve("study.json"), "{\"store\":\"\"}\n");
        var opened = StudyDirectory.open(home);
        for (Trial trial : new Planner(study).plan(id -> Optional.empty()).trials()) {
            assertThat(trial.id()).isEqualTo(trial.recipe().hash());
            write(trial, opened);
        }
        assertThat(StudyDirectory.open(home).result().outcomes()).hasSize(4);
        assertThat(created.result().outcomes()).isEmpty();
        assertThat(created.cautions()).singleElement().asString().contains("has 4 trials of this study");
    }

    private static void write(Trial trial, StudyDirectory home) throws IOException {
        var outcome = Objective.outcome(trial, 0.25);
        OutcomeJson.write(outcome, home.store().directory(trial.id()).resolve("outcome.json"));
    }

    private static Recipe recipe(String... overrides) {
        return RecipeReader.read("""
                name: tiny
                epochs: 2
                model: { name: resnet-small }
                data: { name: image-folder, batch: 2 }
                scheme: { name: standard }
                optimizer: { name: sgd }
                learningRate: { schedule: constant, base: 0.05 }
                """, "tiny.yaml", List.of(overrides));
    }
}
