package io.polder.study.search;

import io.polder.recipe.EvaluateOn;
import io.polder.study.results.ResultRow;
import io.polder.study.results.StudyResult;
import io.polder.study.trial.TrialIds;
import io.polder.study.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Which trials a study wants, and what it has come to: a function of the outcomes so far and of nothing else. Whoever has the study and
 * the store has the whole state, so a study can be stopped anywhere and taken up again.
 *
 * <p>Stages are chosen by outcomes on the validation split. {@link StageWalk} cannot see others: test outcomes are only ever looked at
 * to fill the table.
 */
public final class Planner {
    private final Study study;
    private final TrialRecipes recipes;

    /** Names trials by their recipes alone: to see what a study would do, where there is no data. */
    public Planner(Study study) {
        this(study, TrialIds.asFound(Map.of()));
    }

    public Planner(Study study, TrialIds ids) {
        this.study = study;
        recipes = new TrialRecipes(ids);
    }

    /**
     * Looks at all data and files that any trial may be named by: what the variants have and what methods set; search grids that set
     * others are met as they come.
     */
    void nameAll() {
        for (Variant variant : study.variants()) {
            for (StudyMethod method : study.methods()) {
                Stream.concat(Stream.of(method.settings()), method.rows().stream())
                        .forEach(settings -> recipes.trial(
                                variant,
                                method.method(),
                                settings,
                                variant.base().seed(),
                                EvaluateOn.TEST,
                                0));
            }
        }
        plan(id -> Optional.empty());
    }

    /** Not for several threads at once. */
    public StudyPlan plan(Outcomes outcomes) {
        var walk = new StageWalk(study.search(), recipes, outcomes);
        List<TableRow> rows = new ArrayList<>();
        for (Variant variant : study.variants()) {
            for (StudyMethod method : study.methods()) {
                if (study.search().kind() == SearchSettings.Kind.NONE) {
                    method.rows().forEach(settings -> rows.add(row(variant, method, Optional.of(settings))));
                } else {
                    Optional<Map<String, String>> chosen = search(walk, variant, method);
                    rows.add(row(variant, method, chosen.map(settings -> with(method.settings(), settings))));
                }
            }
        }
        return table(walk, rows, outcomes);
    }

    /**
     * @param settings empty while the search goes on
     * @param trials one a seed; none while the search goes on
     */
    private record TableRow(
            Variant variant, StudyMethod method, Optional<Map<String, String>> settings, List<Trial> trials) {
        ResultRow result(int seeds, Outcomes outcomes) {
            Map<String, String> untold = new LinkedHashMap<>(settings.orElse(Map.of()));
            if (method.isTitled()) { // which says the rest
                untold.entrySet().removeAll(method.settings().entrySet());
            }
            Map<String, String> shown = trials.isEmpty() ? untold : TrialRecipes.shown(trials.get(0), untold);
            String name = method.isTitled() ? method.title() : method.method().text();
            List<TrialOutcome> found = trials.stream()
                    .flatMap(trial -> outcomes.of(trial.id()).stream())
                    .filter(outcome -> outcome.evaluatedOn().equals(TrialOutcome.TEST))
                    .toList();
            return new ResultRow(variant.name(), name, method.label(), shown, variant.paper(), seeds, found);
        }
    }

    private TableRow row(Variant variant, StudyMethod method, Optional<Map<String, String>> settings) {
        long first = variant.base().seed();
        Stage stage = Stage.of(variant, "", method, List.of());
        List<Trial> trials = settings.stream()
                .flatMap(own -> LongStream.range(first, first + study.seeds())
                        .mapToObj(seed -> recipes.trial(stage, own, seed, EvaluateOn.TEST)))
                .toList();
        return new TableRow(variant, method, settings, trials);
    }

    private StudyPlan table(StageWalk walk, List<TableRow> rows, Outcomes outcomes) {
        Map<String, Trial> wanted = new LinkedHashMap<>();
        walk.trials().forEach(trial -> wanted.putIfAbsent(trial.id(), trial));
        List<TableRow> known =
                rows.stream().filter(row -> row.settings().isPresent()).toList();
        // Seed by seed, so that a report midway compares the methods over the same seeds.
        for (int i = 0; i < study.seeds(); i++) {
            for (TableRow row : known) {
                wanted.putIfAbsent(row.trials().get(i).id(), row.trials().get(i));
            }
        }
        var result = new StudyResult(
                study.name(),
                study.title(),
                rows.stream().map(row -> row.result(study.seeds(), outcomes)).toList(),
                walk.stages(),
                wanted.size() + walk.trialsToCome() + (rows.size() - known.size()) * study.seeds());
        return new StudyPlan(List.copyOf(wanted.values()), result);
    }

    private Optional<Map<String, String>> search(StageWalk walk, Variant variant, StudyMethod method) {
        return switch (study.search().kind()) {
            case NONE -> Optional.of(Map.of());
            case GRID ->
                walk.choose(Stage.of(
                        variant,
                        "grid: " + method.label(),
                        method,
                        study.search().grid(method)));
            case GREEDY -> greedy(walk, variant, method);
            case ASHA -> halving(walk, variant, method);
        };
    }

    /**
     * The paper's three stages: 1, the hyper-parameters of standard training; 2, with those and α = 1, the radius r; 3, with those and
     * r, the balance α. Standard training takes part in the first only, SAM in the first two. Each stage has the method's own settings,
     * as far as what it trains has such: methods that do not differ in them share it. What an entry sets itself is not sought.
     */
    private Optional<Map<String, String>> greedy(StageWalk walk, Variant variant, StudyMethod method) {
        List<Map<String, String>> grid = study.search().commonGrid(method);
        Optional<Map<String, String>> common =
                walk.choose(new Stage(variant, "stage 1: standard training", method, TrainingMethod.STANDARD, grid, 0));
        if (method.method() == TrainingMethod.STANDARD) {
            return common;
        }
        // While a choice is open, the stages after it are counted as if it were the first candidate.
        Stage second = secondStage(variant, method, common.orElse(grid.get(0)));
        if (common.isEmpty()) {
            walk.expect(second);
        }
        Optional<Map<String, String>> radius = common.isEmpty() ? Optional.empty() : walk.choose(second);
        if (method.method() == TrainingMethod.SAM) {
            return radius;
        }
        Stage third =
                thirdStage(variant, method, radius.orElse(second.candidates().get(0)));
        if (radius.isEmpty()) {
            walk.expect(third);
            return Optional.empty();
        }
        return walk.choose(third);
    }

    private Stage secondStage(Variant variant, StudyMethod method, Map<String, String> common) {
        List<Map<String, String>> radii =
                extended(method, common, TrialRecipes.R, study.search().r());
        return new Stage(variant, "stage 2: α = 1, r", method, TrainingMethod.SAM, radii, 0);
    }

    private Stage thirdStage(Variant variant, StudyMethod method, Map<String, String> radius) {
        return Stage.of(
                variant,
                "stage 3: α",
                method,
                extended(method, radius, TrialRecipes.ALPHA, study.search().alpha()));
    }

    private static List<Map<String, String>> extended(
            StudyMethod entry, Map<String, String> settings, String path, List<String> values) {
        return values.isEmpty() || entry.settings().containsKey(path)
                ? List.of(settings)
                : values.stream()
                        .map(value -> with(settings, Map.of(path, value)))
                        .toList();
    }

    private static Map<String, String> with(Map<String, String> settings, Map<String, String> others) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.putAll(others);
        return Collections.unmodifiableMap(all);
    }

    /**
     * Successive halving on epochs: all candidates for a few epochs, the best of them for more, and so on to the epochs of the recipe. A
     * rung is a trial of its own with its own schedule, not the beginning of a longer one: after a cosine has come down a network is at
     * its best for that many epochs, while the beginning of a long one says little. A rung is chosen when all of it is there, so that
     * the choice does not depend on which trial happened to finish first.
     */
    private Optional<Map<String, String>> halving(StageWalk walk, Variant variant, StudyMethod method) {
        SearchSettings search = study.search();
        List<Map<String, String>> candidates = sampled(search.grid(method), search.samples());
        List<Integer> rungs = rungs(search, variant.base().epochs());
        for (int rung = 0; rung < rungs.size() && candidates.size() > 1; rung++) {
            boolean last = rung == rungs.size() - 1;
            int keep = last ? 1 : Math.max(1, candidates.size() / search.eta());
            String title =
                    "rung %d of %d, %d epochs: %s".formatted(rung + 1, rungs.size(), rungs.get(rung), method.label());
            List<Map<String, String>> best = walk.best(
                    new Stage(variant, title, method, method.method(), candidates, last ? 0 : rungs.get(rung)), keep);
            if (best.isEmpty()) {
                for (int later = rung + 1, size = keep;
                        later < rungs.size() && size > 1;
                        later++, size /= search.eta()) {
                    int epochs = later == rungs.size() - 1 ? 0 : rungs.get(later);
                    walk.expect(
                            new Stage(variant, title, method, method.method(), candidates.subList(0, size), epochs));
                }
                return Optional.empty();
            }
            candidates = best;
        }
        return Optional.of(candidates.get(0));
    }

    static List<Integer> rungs(SearchSettings search, int epochs) {
        List<Integer> rungs = new ArrayList<>();
        for (long rung = search.minEpochs(); rung < epochs; rung *= search.eta()) {
            rungs.add((int) rung);
        }
        rungs.add(epochs);
        return rungs;
    }

    /** So many, drawn without putting back, the same ones every time, in the order of the grid. */
    private static List<Map<String, String>> sampled(List<Map<String, String>> grid, int samples) {
        if (samples == 0 || samples >= grid.size()) {
            return grid;
        }
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < grid.size(); i++) {
            places.add(i);
        }
        Collections.shuffle(places, new Random(0));
        return places.subList(0, samples).stream().sorted().map(grid::get).toList();
    }
}
