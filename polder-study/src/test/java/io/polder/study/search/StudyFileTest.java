package io.polder.study.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polder.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class StudyFileTest {
    @TempDir
    Path folder;

    private static List<String> mistakes(String text) {
        return catchThrowableOfType(ConfigException.class, () -> StudyFile.read(text, "s.yaml", Path.of(".")))
                .mistakes();
    }

    /** Each of so many must not be compared with all the others: that took minutes. */
    @Test
    @Timeout(60)
    void ofVeryManyMistakesTheFirstAreToldAndTheOthersCounted() {
        String many =
                IntStream.range(0, 90_000).mapToObj(i -> "k" + i + ": 1\n").collect(Collectors.joining());
        assertThat(mistakes("name: x\nbase: quick-fashion\n" + many))
                .hasSize(101)
                .startsWith(
                        "s.yaml:3: k0: there is no such field; the fields here are name, title, base, set, methods, search, seeds,"
                                + " variants, retries, paper")
                .endsWith("and 89900 more mistakes");
    }

    @Test
    void whatIsLeftOutIsThePapers() {
        Study study = StudyTexts.study("search: greedy\n");
        assertThat(study.seeds()).isEqualTo(5);
        assertThat(study.title()).isEqualTo("tiny-study");
        assertThat(study.methods().stream().map(StudyMethod::method)).containsExactly(TrainingMethod.values());
        assertThat(study.search().r()).containsExactly("0.01", "0.02", "0.05", "0.1", "0.2");
        assertThat(study.search().alpha()).hasSize(9).startsWith("0.1").endsWith("0.9");
        assertThat(study.variants())
                .singleElement()
                .satisfies(variant -> assertThat(variant.name()).isEmpty());
    }

    @Test
    void everyMistakeIsToldAtOnceWithItsLine() {
        assertThat(mistakes(StudyTexts.text("""
                        methods: [standard, sma]
                        seeds: 0
                        search:
                          kind: greddy
                          r: [0.1, big]
                        retires: 3
                        """)))
                .containsExactly(
                        "s.yaml:10: methods[1].method: is \"sma\"; it must be standard, sam or gradient-norm-penalty; did you mean sam?",
                        "s.yaml:11: seeds: is \"0\"; it must be a whole number of at least 1 and at most 1000",
                        "s.yaml:13: search.kind: is \"greddy\"; it must be none, grid, greedy or asha; did you mean greedy?",
                        "s.yaml:14: search.r[1]: is \"big\"; it must be a number",
                        "s.yaml:15: retires: there is no such field; did you mean retries?");
    }

    /** The table is judged by the test images, by which no run may end. */
    @Test
    void aStudyHasNoEarlyStopping() {
        assertThat(mistakes("""
                        name: early
                        base: quick-fashion
                        set: { earlyStopping: { patience: 3 }, data.evaluateOn: validation }
                        """))
                .singleElement()
                .satisfies(mistake ->
                        assertThat(mistake).contains("methods: earlyStopping: is given with evaluateOn: test"));
    }

    @Test
    void aValueThatNoRecipeTakesIsFoundBeforeAnythingIsTrained() {
        assertThat(mistakes(StudyTexts.text(
                        "search: { kind: greedy, r: [0.1, -1], standard: { optimizer.l3: [1, 2] } }\n")))
                .anySatisfy(mistake -> assertThat(mistake).startsWith("s.yaml:10: search.r: scheme.r: "))
                .anySatisfy(mistake -> assertThat(mistake).startsWith("s.yaml:10: search.standard: optimizer.l3: "));
        assertThat(mistakes(StudyTexts.text("set: { data.batch: many }\n")))
                .singleElement()
                .satisfies(mistake -> assertThat(mistake).startsWith("s.yaml:10: set.data.batch: "));
    }

    @Test
    void overridesReachEveryRecipeAndAreTriedWithTheSearchsValues() {
        Study study = StudyTexts.study("search: { kind: asha, r: [0.1], alpha: [0.5] }\n");
        Study changed = StudyFile.with(study, List.of("data.images=500", "epochs=4"));
        assertThat(changed.variants()).singleElement().satisfies(variant -> {
            assertThat(variant.base().data().images()).isEqualTo(500);
            assertThat(variant.base().epochs()).isEqualTo(4);
        });
        assertThat(changed.search()).isEqualTo(study.search());
        assertThat(changed.methods()).isEqualTo(study.methods());
        assertThatThrownBy(() -> StudyFile.with(study, List.of("data.imags=500")))
                .hasMessage("-s: data.imags: there is no such field; did you mean images?");
        assertThatThrownBy(() -> StudyFile.with(study, List.of("epochs=null", "steps=100")))
                .hasMessageContaining("is asha, but the base recipe counts steps");
    }

    @Test
    void aMistakeInABaseThatIsWrittenOutHasItsPath() {
        assertThat(mistakes(StudyTexts.text("").replace("batch: 64", "batch: 0")))
                .singleElement()
                .satisfies(mistake -> assertThat(mistake).startsWith("s.yaml:2: base.data.batch: "));
    }

    @Test
    void aBaseIsBuiltInOrAFileBesideTheStudy() throws IOException {
        Files.writeString(folder.resolve("mine.yaml"), StudyTexts.RECIPE);
        Path file = folder.resolve("study.yaml");
        Files.writeString(file, "name: s\nbase: mine.yaml\nset: { seed: 7, data.images: 1000 }\n");
        assertThat(StudyFile.read(file).variants().get(0).base().seed()).isEqualTo(7);
        Files.writeString(file, "name: s\nbase: quick-fashion\n");
        assertThat(StudyFile.read(file).variants().get(0).base().name()).isEqualTo("quick-fashion");
        Files.writeString(file, "name: s\nbase: quick-fashoin\n");
        assertThatThrownBy(() -> StudyFile.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean quick-fashion?");
    }

    @Test
    void aSweepBesideASearchIsRefused() {
        assertThat(mistakes(StudyTexts.text(
                        "search: greedy\nmethods: [{ method: sam, sweep: { scheme.r: [0.1, 0.2] } }]\n")))
                .singleElement()
                .satisfies(mistake -> assertThat(mistake).contains("a sweep beside a search"));
    }

    @Test
    void everyBuiltInStudyIsValidAndReadsBackFromItsOwnText() {
        for (String name : Studies.names()) {
            Study study = Studies.read(name);
            assertThat(study.name()).isEqualTo(name);
            assertThat(Studies.about(name)).doesNotStartWith("name:").endsWith(".");
            assertThat(StudyFile.read(study.toYaml(), name, Path.of(".")))
                    .as(name)
                    .isEqualTo(study);
            assertThat(new Planner(study).plan(id -> Optional.empty()).result().wanted())
                    .isPositive();
        }
    }

    @Test
    void studiesOfThePaperHaveItsSeedsAndGrids() {
        assertThat(Studies.read("pyramidnet-cifar10").seeds()).isEqualTo(3);
        assertThat(Studies.read("imagenet").search().alpha()).containsExactly("0.7", "0.8");
        Study parameters = Studies.read("parameters-cifar100");
        assertThat(parameters.methods().get(2).sweep())
                .containsEntry("scheme.r", List.of("0.05", "0.1"))
                .containsKey("scheme.alpha");
        assertThat(Studies.read("set-b-cifar10").methods().get(2).sweep().get("scheme.alpha"))
                .containsExactlyInAnyOrder("-0.1", "-0.2", "-0.5", "1.1", "1.2", "1.3", "1.5", "2.0");
    }

    @Test
    void noTextCrashesTheReader() {
        String whole = StudyTexts.text("search: { kind: grid, standard: { optimizer.l2: [0.1] } }\nmethods: [sam]\n");
        for (long seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            StringBuilder text = new StringBuilder(whole);
            for (int i = 0; i < 4; i++) {
                int at = random.nextInt(text.length());
                text.replace(
                        at,
                        Math.min(text.length(), at + random.nextInt(5)),
                        "[]{}:,-&*! \n\"#x0".substring(random.nextInt(15)));
            }
            try {
                StudyFile.read(text.toString(), "s.yaml", folder);
            } catch (ConfigException e) {
                assertThat(e.mistakes())
                        .as("seed " + seed)
                        .isNotEmpty()
                        .allSatisfy(m -> assertThat(m).startsWith("s.yaml:"));
            }
        }
    }

    @Test
    void theDirectoryOfAStudyIsAllAReportNeeds() throws IOException {
        Study study = Studies.read("smoke");
        StudyDirectory.create(folder.resolve("a"), study, folder.resolve("a"), Optional.empty());
        Files.move(folder.resolve("a"), folder.resolve("b"));
        StudyDirectory opened = StudyDirectory.open(folder.resolve("b"));
        assertThat(opened.study()).isEqualTo(study);
        assertThat(opened.store().path().normalize()).isEqualTo(folder.resolve("b"));
        assertThat(opened.result().rows()).hasSize(3);
        assertThat(opened.result().isComplete()).isFalse();
        assertThatThrownBy(() -> StudyDirectory.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds no study");
    }

    @Test
    void variantsHaveSettingsOfTheirOwn() {
        Study study = StudyFile.read("""
                name: s
                set: { epochs: 3 }
                variants:
                  - { name: a, base: quick-fashion }
                  - { name: b, base: quick-fashion, set: { epochs: 4 }, paper: cifar10/WRN-28-10/basic }
                """, "s.yaml", folder);
        assertThat(study.variants().stream()
                        .map(variant -> Map.of(variant.name(), variant.base().epochs())))
                .containsExactly(Map.of("a", 3), Map.of("b", 4));
        assertThat(study.variants().get(1).paper()).isEqualTo("cifar10/WRN-28-10/basic");
    }
}
