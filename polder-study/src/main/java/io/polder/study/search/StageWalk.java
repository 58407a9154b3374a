package io.polder.study.search;

import io.polder.recipe.EvaluateOn;
import io.polder.study.results.Candidate;
import io.polder.study.results.SearchStage;
import io.polder.study.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * One walk through the stages of a search, as far as the outcomes carry. It makes its trials itself, all of them to be judged by the
 * validation split, and looks at no others' outcomes.
 */
final class StageWalk {
    private final SearchSettings search;
    private final TrialRecipes recipes;
    private final Outcomes outcomes;

    private final Map<Key, SearchStage> stages = new LinkedHashMap<>();
    private final Map<Key, List<Integer>> chosen = new LinkedHashMap<>();
    private final Map<Key, Integer> expected = new LinkedHashMap<>();
    private final Set<Trial> trials = new LinkedHashSet<>();

    /** A stage is what it trains: two that train the same are one, and two that do not are two, whatever they are called. */
    private record Key(String variant, List<List<String>> trials) {}

    StageWalk(SearchSettings search, TrialRecipes recipes, Outcomes outcomes) {
        this.search = search;
        this.recipes = recipes;
        this.outcomes = outcomes;
    }

    /** The best candidate; empty while one of them has no outcome. */
    Optional<Map<String, String>> choose(Stage stage) {
        return best(stage, 1).stream().findFirst();
    }

    /**
     * Of one candidate there is nothing to find out, and no trial is made. The same stage of several methods is walked once.
     *
     * @return the so many best; empty while one of the candidates has no outcome
     */
    List<Map<String, String>> best(Stage stage, int keep) {
        if (stage.candidates().size() == 1) {
            return stage.candidates();
        }
        List<List<Trial>> wanted = trials(stage);
        List<Integer> kept = chosen.computeIfAbsent(key(stage, wanted), key -> {
            wanted.forEach(trials::addAll);
            List<Candidate> judged = IntStream.range(0, wanted.size())
                    .mapToObj(i ->
                            new Candidate(stage.candidates().get(i), search.seeds(), results(wanted.get(i)), false))
                    .toList();
            boolean complete = judged.stream().allMatch(Candidate::isComplete);
            List<Integer> places = complete ? bestPlaces(judged, keep) : List.of();
            stages.put(
                    key,
                    new SearchStage(
                            stage.variant().name(),
                            stage.title(),
                            stage.entry().settingsOf(stage.trainedBy()),
                            IntStream.range(0, judged.size())
                                    .mapToObj(i -> marked(judged.get(i), places.contains(i)))
                                    .toList()));
            return places;
        });
        return kept.stream().map(stage.candidates()::get).toList();
    }

    /** Such a stage will come, for the count of trials. Its candidates are guesses: that they are those of another stage or not counts. */
    void expect(Stage stage) {
        if (stage.candidates().size() > 1) {
            expected.put(key(stage, trials(stage)), stage.candidates().size() * search.seeds());
        }
    }

    private static Key key(Stage stage, List<List<Trial>> trials) {
        return new Key(
                stage.variant().name(),
                trials.stream().map(its -> its.stream().map(Trial::id).toList()).toList());
    }

    /** For each candidate one a seed. */
    private List<List<Trial>> trials(Stage stage) {
        long first = search.firstSeed().orElse(stage.variant().base().seed());
        return stage.candidates().stream()
                .map(candidate -> LongStream.range(first, first + search.seeds())
                        .mapToObj(seed -> recipes.trial(stage, candidate, seed, EvaluateOn.VALIDATION))
                        .toList())
                .toList();
    }

    private List<TrialOutcome> results(List<Trial> trials) {
        List<TrialOutcome> found = new ArrayList<>();
        for (Trial trial : trials) {
            outcomes.of(trial.id())
                    .filter(outcome -> outcome.evaluatedOn().equals(TrialOutcome.VALIDATION))
                    .ifPresent(found::add);
        }
        return found;
    }

    /**
     * By the mean of the figure that judges, and where that is the same by their order; those that are lost last. In their order again,
     * so that the next stage's ties are broken by it too.
     */
    private static List<Integer> bestPlaces(List<Candidate> candidates, int keep) {
        Comparator<Candidate> best = Comparator.comparing(Candidate::isLost)
                .thenComparing((a, b) -> a.judge().compare(a.mean(), b.mean()));
        return IntStream.range(0, candidates.size())
                .boxed()
                .sorted(Comparator.comparing(candidates::get, best))
                .limit(keep)
                .sorted()
                .toList();
    }

    private static Candidate marked(Candidate candidate, boolean isChosen) {
        return new Candidate(candidate.settings(), candidate.seeds(), candidate.outcomes(), isChosen);
    }

    List<Trial> trials() {
        return List.copyOf(trials);
    }

    List<SearchStage> stages() {
        return List.copyOf(stages.values());
    }

    int trialsToCome() {
        return expected.values().stream().mapToInt(Integer::intValue).sum();
    }
}
