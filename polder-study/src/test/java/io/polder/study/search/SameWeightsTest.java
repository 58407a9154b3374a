package io.polder.study.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.study.results.StudyText;
import io.polder.study.trial.TrialIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Studies of TorchScript files, whose weights a seed draws or does not. Nothing is trained. */
class SameWeightsTest {
    private static final TrialIds LOOKING = TrialIds.lookingAt(Optional.empty());
    private static final String NOTE = "are the same for every seed: ± is over batch order and augmentation alone";

    @TempDir
    private Path folder;

    @Test
    void whereSeedsStartFromTheSameWeightsTheTableAndTheStartSaySo() throws IOException {
        Study study = study(archive("trained.ts", "trained/version"), "");
        assertThat(study.cautions(LOOKING)).hasSize(1).first().asString().contains("trained.ts " + NOTE);
        assertThat(table(study)).contains("trained.ts", NOTE);
        Path untrained = archive("untrained.ts", "untrained/extra/polder_untrained");
        assertThat(study(untrained, ", model.redraw: false").cautions(LOOKING)).hasSize(1);
    }

    @Test
    void whereASeedDrawsItsOwnNothingIsSaid() throws IOException {
        Path untrained = archive("untrained.ts", "untrained/extra/polder_untrained");
        Path trained = archive("trained.ts", "trained/version");
        for (Study study : new Study[] {study(untrained, ""), study(trained, ", model.redraw: true")}) {
            assertThat(study.cautions(LOOKING)).isEmpty();
            assertThat(table(study)).doesNotContain("the same for every seed");
        }
        assertThat(StudyTexts.study("methods: [standard]\n").cautions(LOOKING)).isEmpty();
    }

    private static Study study(Path script, String more) {
        return StudyTexts.study(
                "set: { model.torchscript: '" + script + "'" + more + " }\nmethods: [standard]\nseeds: 2\n");
    }

    /** On one line, as it is wrapped for a terminal. */
    private static String table(Study study) {
        var outcomes = new Objective(recipe -> 0.1);
        var planner = new Planner(study, LOOKING);
        planner.plan(outcomes).trials().forEach(outcomes::run);
        return StudyText.text(planner.plan(outcomes).result()).replaceAll("\\s+", " ");
    }

    private Path archive(String name, String entry) throws IOException {
        Path file = folder.resolve(name);
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry(entry));
        }
        return file;
    }
}
