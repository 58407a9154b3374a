package io.polder.study.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.penalty.Mix;
import io.polder.penalty.Perturbation;
import io.polder.recipe.EvaluateOn;
import io.polder.recipe.OptimizerRecipe;
import io.polder.recipe.Recipe;
import io.polder.recipe.SchemeRecipe;
import io.polder.study.results.Candidate;
import io.polder.study.results.ResultRow;
import io.polder.study.results.SearchStage;
import io.polder.study.results.StudyResult;
import io.polder.train.Figure;
import io.polder.train.Figures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Searches on errors that are a function of the recipe: nothing is trained. */
class SearchTest {
    private static final String GREEDY = """
            search: { kind: greedy, standard: { optimizer.l2: [0.001, 0.0005], learningRate.base: [0.05, 0.1] } }
            seeds: 5
            """;

    /** Least at l2 = 0.0005, learning rate 0.1, r = 0.1, α = 0.7. */
    private static double bowl(Recipe recipe) {
        double error = 0.2
                + Math.abs(((OptimizerRecipe.Sgd) recipe.optimizer()).l2() - 0.0005) * 10
                + Math.abs(recipe.learningRate().base() - 0.1);
        if (recipe.scheme() instanceof SchemeRecipe.TwoPasses two) {
            error += Math.abs(two.r().from() - 0.1) * 0.1 + Math.abs(two.alpha().from() - 0.7) * 0.01 - 0.05;
        }
        return error;
    }

    /** Everything that is wanted, run in the order it is wanted, in batches of one plan. */
    private static List<Trial> runAll(Study study, Objective objective) {
        var planner = new Planner(study);
        List<Trial> visited = new ArrayList<>();
        while (true) {
            List<Trial> pending = pending(planner.plan(objective), objective);
            if (pending.isEmpty()) {
                return visited;
            }
            pending.forEach(objective::run);
            visited.addAll(pending);
        }
    }

    private static List<Trial> pending(StudyPlan plan, Outcomes outcomes) {
        return plan.trials().stream()
                .filter(trial -> outcomes.of(trial.id()).isEmpty())
                .toList();
    }

    /** "validation sam r 0.05 lr 0.1 l2 0.001 seed 0" */
    private static String told(Trial trial) {
        Recipe recipe = trial.recipe();
        String scheme = "standard";
        if (recipe.scheme() instanceof SchemeRecipe.Sam sam) {
            scheme = "sam r " + sam.r().from();
        } else if (recipe.scheme() instanceof SchemeRecipe.GradientNormPenalty penalty) {
            scheme = "penalty r " + penalty.r().from() + " alpha "
                    + penalty.alpha().from();
        }
        return String.format(
                Locale.ROOT,
                "%s %s lr %s l2 %s seed %d",
                recipe.data().evaluateOn().text(),
                scheme,
                recipe.learningRate().base(),
                ((OptimizerRecipe.Sgd) recipe.optimizer()).l2(),
                recipe.seed());
    }

    @Test
    void greedyVisitsExactlyThePapersTrials() {
        List<String> visited = runAll(StudyTexts.study(GREEDY), new Objective(SearchTest::bowl)).stream()
                .map(SearchTest::told)
                .toList();

        List<String> paper = new ArrayList<>();
        for (String l2 : List.of("0.001", "5.0E-4")) {
            for (String lr : List.of("0.05", "0.1")) {
                paper.add("validation standard lr " + lr + " l2 " + l2 + " seed 0");
            }
        }
        String best = " lr 0.1 l2 5.0E-4 seed ";
        for (String r : List.of("0.01", "0.02", "0.05", "0.1", "0.2")) {
            paper.add("validation sam r " + r + best + 0);
        }
        for (int tenth = 1; tenth <= 9; tenth++) {
            paper.add("validation penalty r 0.1 alpha 0." + tenth + best + 0);
        }
        for (int seed = 0; seed < 5; seed++) {
            paper.add("test standard" + best + seed);
            paper.add("test sam r 0.1" + best + seed);
            paper.add("test penalty r 0.1 alpha 0.7" + best + seed);
        }
        assertThat(visited).containsExactlyInAnyOrderElementsOf(paper);
        assertThat(visited).hasSize(4 + 5 + 9 + 15);
    }

    @Test
    void theChoiceMayBeBySeedsThatAreNotThoseOfTheTable() {
        Study study = StudyTexts.study(
                "search: { kind: greedy, seeds: 2, firstSeed: 1001, r: [0.05, 0.1], alpha: [0.7] }\nseeds: 3\n");
        Map<String, List<Long>> seeds = runAll(study, new Objective(SearchTest::bowl)).stream()
                .map(Trial::recipe)
                .collect(Collectors.groupingBy(
                        recipe -> recipe.data().evaluateOn().text(),
                        Collectors.mapping(Recipe::seed, Collectors.toList())));
        assertThat(seeds.get("validation")).containsOnly(1001L, 1002L);
        assertThat(seeds.get("test")).containsOnly(0L, 1L, 2L);
    }

    @Test
    void anySchemeIsSearchedOverItsRadiusAndCalledByItsTitle() {
        Study study = StudyTexts.study("""
                methods:
                  - sam
                  - { method: sam, title: LookSAM, set: { scheme: { name: look-sam, r: 0.5, every: 4 } } }
                search: { kind: greedy, r: [0.05, 0.1] }
                seeds: 2
                """);
        var objective = new Objective(recipe -> recipe.scheme() instanceof SchemeRecipe.LookSam look
                ? look.r().from()
                : 1 - recipe.scheme().toString().length() / 1e4);
        List<Trial> trials = runAll(study, objective);
        assertThat(trials.stream()
                        .filter(trial -> trial.recipe().scheme() instanceof SchemeRecipe.LookSam)
                        .map(Trial::label))
                .containsOnly("LookSAM, r = 0.05", "LookSAM, r = 0.1");
        ResultRow row = new Planner(study).plan(objective).result().rows().get(1);
        assertThat(List.of(row.method(), row.label())).containsOnly("LookSAM");
        assertThat(row.settings()).containsExactly(Map.entry("scheme.r", "0.05"));
        assertThat(row.outcomes())
                .hasSize(2)
                .allSatisfy(outcome -> assertThat(outcome.recipe()).contains("name: look-sam", "r: 0.05", "every: 4"));
        assertThat(StudyFile.read(study.toYaml(), "again", Path.of("."))).isEqualTo(study);
    }

    @Test
    void aTitledEntryShowsItsRadiusAllTheSame() {
        Study study = StudyTexts.study("""
                methods:
                  - { method: sam, title: "Every 2", set: { scheme.r: 0.4, scheme.every: 2 } }
                  - { method: sam, title: Growing, set: { scheme.r: { schedule: linear, from: 0.1, to: 0.3, epochs: 1 } } }
                seeds: 1
                """);
        StudyResult result =
                new Planner(study).plan(new Objective(SearchTest::bowl)).result();
        assertThat(result.rows().stream().map(ResultRow::settings))
                .containsExactly(Map.of("scheme.r", "0.4"), Map.of());
    }

    @Test
    void aStageIsWantedOnlyWhenTheOneBeforeIsChosen() {
        Study study = StudyTexts.study(GREEDY);
        var objective = new Objective(SearchTest::bowl);
        var planner = new Planner(study);
        assertThat(planner.plan(objective).trials()).hasSize(4);
        List<Trial> first = planner.plan(objective).trials();
        first.subList(0, 3).forEach(objective::run);
        assertThat(planner.plan(objective).trials()).as("one is missing").hasSize(4);
        objective.run(first.get(3));
        List<Trial> next = pending(planner.plan(objective), objective);
        assertThat(next.subList(0, 5))
                .allSatisfy(trial -> assertThat(trial.method()).isEqualTo(TrainingMethod.SAM));
        assertThat(next.subList(5, 10))
                .as("standard training need not wait for the other methods")
                .allSatisfy(
                        trial -> assertThat(trial.recipe().data().evaluateOn()).isEqualTo(EvaluateOn.TEST));
        assertThat(next).hasSize(10);
    }

    @Test
    void theNumberOfTrialsIsKnownFromTheStart() {
        Study study = StudyTexts.study(GREEDY);
        var objective = new Objective(SearchTest::bowl);
        int wanted = new Planner(study).plan(objective).result().wanted();
        assertThat(wanted).isEqualTo(runAll(study, objective).size());
        assertThat(new Planner(study).plan(objective).result().wanted()).isEqualTo(wanted);
    }

    @Test
    void theOrderInWhichTrialsEndChangesNothing() {
        Study study = StudyTexts.study(GREEDY);
        var inOrder = new Objective(SearchTest::bowl);
        runAll(study, inOrder);
        StudyResult expected = new Planner(study).plan(inOrder).result();
        for (long seed = 0; seed < 4; seed++) {
            var random = new Random(seed);
            var objective = new Objective(SearchTest::bowl);
            // A new planner each time: nothing is remembered but the outcomes.
            List<Trial> pending = pending(new Planner(study).plan(objective), objective);
            while (!pending.isEmpty()) {
                objective.run(pending.get(random.nextInt(pending.size())));
                pending = pending(new Planner(study).plan(objective), objective);
            }
            assertThat(new Planner(study).plan(objective).result())
                    .as("seed " + seed)
                    .isEqualTo(expected);
        }
    }

    @Test
    void aPoisonedTestSplitChangesNothingButTheTable() {
        Study study = StudyTexts.study(GREEDY);
        var honest = new Objective(SearchTest::bowl);
        // On the test images what is worst on the validation images looks best.
        var poisoned = new Objective(
                recipe -> recipe.data().evaluateOn() == EvaluateOn.TEST ? 1 - bowl(recipe) : bowl(recipe));
        List<String> visited = runAll(study, honest).stream().map(Trial::id).toList();
        assertThat(runAll(study, poisoned).stream().map(Trial::id)).containsExactlyElementsOf(visited);

        StudyResult one = new Planner(study).plan(honest).result();
        StudyResult other = new Planner(study).plan(poisoned).result();
        assertThat(other.stages()).isEqualTo(one.stages());
        assertThat(other.rows().stream().map(ResultRow::settings))
                .containsExactlyElementsOf(
                        one.rows().stream().map(ResultRow::settings).toList());
        assertThat(other.rows()).isNotEqualTo(one.rows());
    }

    @Test
    void ofEqualCandidatesTheFirstInTheFileIsChosen() {
        Study study = StudyTexts.study("search: { kind: greedy, r: [0.2, 0.05, 0.1], alpha: [0.5, 0.4] }\nseeds: 1\n");
        var flat = new Objective(recipe -> 0.3);
        runAll(study, flat);
        assertThat(chosen(new Planner(study).plan(flat).result()))
                .containsExactly("{scheme.r=0.2}", "{scheme.r=0.2, scheme.alpha=0.5}");
    }

    private static List<String> chosen(StudyResult result) {
        return result.stages().stream()
                .map(stage -> stage.chosen().orElseThrow().settings().toString())
                .toList();
    }

    @Test
    void aDivergedTrialIsTheWorstAndIsShown() {
        Study study = StudyTexts.study("search: { kind: greedy, r: [0.01, 0.2, 0.1], alpha: [0.5] }\nseeds: 1\n");
        var objective = new Objective(recipe ->
                recipe.scheme() instanceof SchemeRecipe.TwoPasses two && two.r().isAlways(0.01) ? Double.NaN : 0.9);
        runAll(study, objective);
        StudyResult result = new Planner(study).plan(objective).result();
        assertThat(chosen(result)).containsExactly("{scheme.r=0.2}");
        assertThat(result.stages().get(0).candidates().get(0).isLost()).isTrue();
        assertThat(result.failures()).hasSize(1);
        assertThat(result.isComplete()).isTrue();
    }

    @Test
    void whereMoreIsBetterTheHighestIsChosenAndADivergedTrialNever() {
        Study study = StudyTexts.study(GREEDY);
        var precision =
                new Figure("meanAveragePrecision", "mean average precision", Figure.Unit.SHARE, Figure.Better.HIGHER);
        var objective = new Objective(
                new Figures(precision, List.of(), List.of(precision)),
                recipe -> recipe.scheme() instanceof SchemeRecipe.TwoPasses two
                                && two.r().isAlways(0.2)
                        ? Double.NaN
                        : 1 - bowl(recipe));
        runAll(study, objective);
        assertThat(chosen(new Planner(study).plan(objective).result()))
                .containsExactly(
                        "{optimizer.l2=0.0005, learningRate.base=0.1}",
                        "{optimizer.l2=0.0005, learningRate.base=0.1, scheme.r=0.1}",
                        "{optimizer.l2=0.0005, learningRate.base=0.1, scheme.r=0.1, scheme.alpha=0.7}");
    }

    @Test
    void whereEveryCandidateDivergesTheStudyStillEnds() {
        Study study = StudyTexts.study("search: { kind: greedy, r: [0.01, 0.2], alpha: [0.5, 0.6] }\nseeds: 2\n");
        var objective = new Objective(recipe -> Double.NaN);
        runAll(study, objective);
        StudyResult result = new Planner(study).plan(objective).result();
        assertThat(result.isComplete()).isTrue();
        assertThat(result.failures()).hasSameSizeAs(result.outcomes());
        assertThat(result.rows()).allSatisfy(row -> assertThat(row.done()).isEmpty());
    }

    @Test
    void aCandidateIsJudgedByTheMeanOverItsSeeds() {
        Study study = StudyTexts.study(
                "search: { kind: greedy, seeds: 2, r: [0.1, 0.2], alpha: [0.5] }\nmethods: [sam]\nseeds: 1\n");
        // r = 0.1 is the better one at seed 0 only.
        var objective = new Objective(
                recipe -> ((SchemeRecipe.TwoPasses) recipe.scheme()).r().isAlways(0.1)
                        ? (recipe.seed() == 0 ? 0.10 : 0.40)
                        : 0.2);
        runAll(study, objective);
        assertThat(chosen(new Planner(study).plan(objective).result())).containsExactly("{scheme.r=0.2}");
    }

    @Test
    void gridTriesEveryCombinationOfEachMethod() {
        Study study = StudyTexts.study(
                "search: { kind: grid, standard: { learningRate.base: [0.05, 0.1] }, r: [0.05, 0.1, 0.2], alpha: [0.6, 0.7] }\nseeds: 1\n");
        var objective = new Objective(SearchTest::bowl);
        List<Trial> visited = runAll(study, objective);
        assertThat(visited.stream()
                        .filter(SearchTest::isForSearch)
                        .collect(Collectors.groupingBy(Trial::method, Collectors.counting())))
                .isEqualTo(Map.of(TrainingMethod.STANDARD, 2L, TrainingMethod.SAM, 6L, TrainingMethod.PENALTY, 12L));
        ResultRow penalty = new Planner(study).plan(objective).result().rows().get(2);
        assertThat(penalty.settings())
                .containsEntry("scheme.r", "0.1")
                .containsEntry("scheme.alpha", "0.7")
                .containsEntry("learningRate.base", "0.1");
    }

    @Test
    void halvingGivesMoreEpochsToFewer() {
        Study study = StudyTexts.study(
                "search: { kind: asha, minEpochs: 1, eta: 3, r: [0.01, 0.02, 0.05, 0.1, 0.2], alpha: [0.6, 0.7] }\nmethods: [gradient-norm-penalty]\nseeds: 1\n");
        var objective = new Objective(SearchTest::bowl);
        List<Trial> visited = runAll(study, objective);
        Map<Integer, Long> byEpochs = visited.stream()
                .filter(SearchTest::isForSearch)
                .collect(Collectors.groupingBy(trial -> trial.recipe().epochs(), Collectors.counting()));
        assertThat(byEpochs).isEqualTo(Map.of(1, 10L, 3, 3L));
        StudyResult result = new Planner(study).plan(objective).result();
        assertThat(result.rows().get(0).r()).hasValue(0.1);
        assertThat(result.rows().get(0).alpha()).hasValue(0.7);
        assertThat(result.rows().get(0).outcomes().get(0).epochs()).isEqualTo(9);
        assertThat(result.stages().stream().map(SearchStage::title))
                .containsExactly(
                        "rung 1 of 3, 1 epochs: Gradient-norm penalty", "rung 2 of 3, 3 epochs: Gradient-norm penalty");
        assertThat(result.stages().get(0).candidates().stream().filter(Candidate::chosen))
                .hasSize(3);
    }

    /** Entries of one method, the best r and α of which depend on what sets them apart. */
    private static double entries(Recipe recipe) {
        if (!(recipe.scheme() instanceof SchemeRecipe.TwoPasses two)) {
            return 0.5;
        }
        double bestR = two.perturbation() == Perturbation.ADAPTIVE ? 0.2 : 0.1;
        double bestAlpha = two.mix() == Mix.DIRECTION ? 0.4 : 0.6;
        return 0.1
                + Math.abs(two.r().from() - bestR)
                + 0.1 * Math.abs(two.alpha().from() - bestAlpha)
                + 0.001 * recipe.seed();
    }

    private static final String VALUES = "r: [0.1, 0.2, 0.3], alpha: [0.4, 0.5, 0.6] }\nseeds: 2\n";

    @ParameterizedTest
    @ValueSource(strings = {"kind: greedy", "kind: grid", "kind: asha, minEpochs: 1"})
    void everyEntryOfAMethodHasItsOwnSearch(String kind) {
        Study study = StudyTexts.study("search: { " + kind + ", " + VALUES + """
                methods:
                  - { method: sam, set: { scheme.perturbation: l2 } }
                  - { method: sam, set: { scheme.perturbation: adaptive } }
                  - { method: gradient-norm-penalty, set: { scheme.mix: gradient } }
                  - { method: gradient-norm-penalty, set: { scheme.mix: direction } }
                """);
        var objective = new Objective(SearchTest::entries);
        runAll(study, objective);
        StudyResult result = new Planner(study).plan(objective).result();
        assertThat(result.rows().stream().map(row -> row.r().orElseThrow())).containsExactly(0.1, 0.2, 0.1, 0.1);
        assertThat(result.rows().get(2).alpha()).hasValue(0.6);
        assertThat(result.rows().get(3).alpha()).hasValue(0.4);
        assertThat(result.stages().stream().map(SearchStage::heading)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kind: greedy", "kind: grid", "kind: asha, minEpochs: 1"})
    void whatAnEntrySetsItselfIsNotSought(String kind) {
        Study study = StudyTexts.study(
                "search: { " + kind + ", standard: { learningRate.base: [0.1, 0.2] }, " + VALUES + """
                methods:
                  - { method: standard, set: { learningRate.base: 0.3 } }
                  - { method: sam, set: { learningRate.base: 0.3, scheme.r: 0.3 } }
                  - { method: gradient-norm-penalty, set: { scheme.r: 0.3 } }
                  - { method: gradient-norm-penalty, set: { scheme.alpha: 0.4 } }
                """);
        var objective = new Objective(SearchTest::entries);
        int wanted = new Planner(study).plan(objective).result().wanted();
        assertThat(runAll(study, objective)).hasSize(wanted);
        List<ResultRow> rows = new Planner(study).plan(objective).result().rows();
        assertThat(rows.stream().map(row -> row.settings().getOrDefault("learningRate.base", "sought")))
                .startsWith("0.3", "0.3")
                .doesNotContain("sought");
        assertThat(rows.stream().skip(1).map(row -> row.r().orElseThrow())).containsExactly(0.3, 0.3, 0.1);
        assertThat(rows.stream().skip(2).map(row -> row.alpha().orElseThrow())).containsExactly(0.6, 0.4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kind: greedy", "kind: grid", "kind: asha, minEpochs: 1"})
    void withSeveralEntriesOfAMethodTheNumberOfTrialsIsKnownFromTheStartToo(String kind) {
        Study study = StudyTexts.study(
                "search: { " + kind + ", standard: { learningRate.base: [0.1, 0.2] }, " + VALUES + """
                methods:
                  - standard
                  - sam
                  - { method: sam, set: { scheme.perturbation: adaptive } }
                  - { method: gradient-norm-penalty, set: { scheme.mix: direction } }
                  - { method: gradient-norm-penalty, set: { scheme.perturbation: adaptive } }
                """);
        var objective = new Objective(SearchTest::entries);
        int wanted = new Planner(study).plan(objective).result().wanted();
        assertThat(runAll(study, objective)).hasSize(wanted);
    }

    @Test
    void theRadiusOfAPenaltyIsSoughtWithItsOwnSettingsAsFarAsSamHasThem() {
        Study study = StudyTexts.study("search: { kind: greedy, " + VALUES + """
                methods:
                  - sam
                  - { method: gradient-norm-penalty, set: { scheme.perturbation: adaptive, scheme.mix: direction } }
                """);
        var objective = new Objective(SearchTest::entries);
        List<Trial> visited = runAll(study, objective);
        assertThat(visited.stream()
                        .filter(trial -> isForSearch(trial) && trial.method() == TrainingMethod.SAM)
                        .map(Trial::label))
                .containsExactly(
                        "SAM, r = 0.1",
                        "SAM, r = 0.2",
                        "SAM, r = 0.3",
                        "SAM, perturbation = adaptive, r = 0.1",
                        "SAM, perturbation = adaptive, r = 0.2",
                        "SAM, perturbation = adaptive, r = 0.3");
        StudyResult result = new Planner(study).plan(objective).result();
        assertThat(result.rows().get(1).r()).hasValue(0.2);
        assertThat(result.stages().stream().map(SearchStage::heading))
                .containsExactly(
                        "stage 2: α = 1, r",
                        "stage 2: α = 1, r with scheme.perturbation = adaptive",
                        "stage 3: α with scheme.perturbation = adaptive, scheme.mix = direction");
    }

    @Test
    void aStageThatTrainsTheSameIsWalkedOnce() {
        Study study = StudyTexts.study(
                "search: { kind: greedy, standard: { learningRate.base: [0.1, 0.2] }, " + VALUES + """
                methods:
                  - { method: gradient-norm-penalty, set: { scheme.mix: direction } }
                  - gradient-norm-penalty
                  - { method: sam, set: { scheme.perturbation: l2 } }
                  - sam
                  - standard
                """);
        List<Trial> visited = runAll(study, new Objective(SearchTest::entries));
        assertThat(visited.stream()
                        .filter(SearchTest::isForSearch)
                        .collect(Collectors.groupingBy(Trial::method, Collectors.counting())))
                .isEqualTo(Map.of(TrainingMethod.STANDARD, 2L, TrainingMethod.SAM, 3L, TrainingMethod.PENALTY, 6L));
        StudyResult result =
                new Planner(study).plan(new Objective(SearchTest::entries)).result();
        assertThat(result.stages()).as("while it goes on").hasSize(1);
    }

    @Test
    void whatStandardTrainingIsGivenIsNotGivenToOthers() {
        Study study = StudyTexts.study(
                "search: { kind: greedy, standard: { learningRate.base: [0.1, 0.2] }, " + VALUES + """
                methods:
                  - { method: standard, set: { optimizer.l2: 0.0 } }
                  - standard
                  - sam
                """);
        // Without decay the small learning rate is the better one.
        var objective = new Objective(recipe ->
                (recipe.learningRate().base() == 0.1) == (((OptimizerRecipe.Sgd) recipe.optimizer()).l2() == 0)
                        ? 0.1
                        : 0.2);
        runAll(study, objective);
        assertThat(new Planner(study)
                        .plan(objective).result().rows().stream()
                                .map(row -> row.settings().get("learningRate.base")))
                .containsExactly("0.1", "0.2", "0.2");
    }

    @Test
    void withoutASearchEveryRowOfASweepIsShown() {
        Study study = StudyTexts.study(
                "methods: [standard, { method: gradient-norm-penalty, sweep: { scheme.r: [0.05, 0.1], scheme.alpha: [-0.1, 0.5, 2.0] } }]\nseeds: 2\n");
        var objective = new Objective(SearchTest::bowl);
        List<Trial> visited = runAll(study, objective);
        assertThat(visited).hasSize(7 * 2).noneMatch(SearchTest::isForSearch);
        StudyResult result = new Planner(study).plan(objective).result();
        assertThat(result.stages()).isEmpty();
        assertThat(result.rows()).hasSize(7);
        assertThat(result.rows().get(1).alpha()).hasValue(-0.1);
        assertThat(result.rows().get(6).r()).hasValue(0.1);
    }

    private static boolean isForSearch(Trial trial) {
        return trial.recipe().data().evaluateOn() == EvaluateOn.VALIDATION;
    }
}
