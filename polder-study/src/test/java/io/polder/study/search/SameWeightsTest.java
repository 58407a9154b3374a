package io.polder.study.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.models.TorchScriptNetwork;
import io.polder.study.results.StudyText;
import io.polder.study.trial.TrialIds;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.pytorch.ExtraFilesMap;
import org.bytedeco.pytorch.global.torch;
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

    /** As nothing says how its own parameter starts, every trial would be refused if the seed drew it. */
    @Test
    void aFileThatSaysItIsUntrainedButCannotBeDrawnAnewIsToldOf() throws IOException, URISyntaxException {
        Path own = folder.resolve("own.ts");
        try (var scope = Scope.open()) {
            var module = torch.load(Path.of(TorchScriptNetwork.class
                            .getResource("/torchscript/tiny.ts")
                            .toURI())
                    .toString());
            module.register_parameter("token", torch.ones(2).set_requires_grad(true), false);
            module.save(
                    own.toString(), new ExtraFilesMap().put(new BytePointer("polder_untrained"), new BytePointer("")));
        }
        Study study = study(own, "");
        assertThat(study.cautions(LOOKING)).singleElement().asString().contains("own.ts " + NOTE);
        assertThat(table(study)).contains("own.ts", NOTE);
        assertThat(new Planner(study, LOOKING)
                        .plan(new Objective(recipe -> 0.1))
                        .trials())
                .isNotEmpty()
                .allSatisfy(trial -> assertThat(trial.recipe().model().redraw()).isNull());
    }

    /** They come after the draw, and replace it. */
    @Test
    void firstWeightsFromAFileAreTheSameForEverySeedWhateverIsDrawn() throws IOException {
        Path script = archive("trained.ts", "trained/version");
        Path init = archive("first.safetensors", "anything");
        Study all = study(script, ", model.redraw: true, model.init: '" + init + "'");
        assertThat(all.cautions(LOOKING)).singleElement().asString().contains("first.safetensors " + NOTE);
        assertThat(table(all)).contains("first.safetensors", NOTE);
        Study butTheHead = study(script, ", model.redraw: true, model.resetHead: true, model.init: '" + init + "'");
        assertThat(butTheHead.cautions(LOOKING))
                .singleElement()
                .asString()
                .endsWith(
                        "the same for every seed: ± is over the last layer's weights, batch order and augmentation alone");
    }

    @Test
    void theSettingsOfAMethodAreLookedAtToo() throws IOException {
        Path trained = archive("trained.ts", "trained/version");
        Study study = StudyTexts.study(
                "methods: [standard, { method: sam, set: { model.torchscript: '" + trained + "' } }]\n");
        assertThat(study.cautions(LOOKING)).singleElement().asString().contains("trained.ts " + NOTE);
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
