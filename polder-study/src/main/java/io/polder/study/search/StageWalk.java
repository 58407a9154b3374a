package io.polder.study.search;

import io.polder.recipe.EvaluateOn;
import io.polder.study.results.Candidate;
import io.polder.study.results.SearchStage;
import io.polder.study.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * One walk through the stages of a search, as far as the outcomes carry. It makes its trials itself, all of them to be judged by the
 * validation split, and looks at no others' outcomes.
 */
final class StageWalk {
    private final int seeds;
    private final TrialRecipes recipes;
    private final Outcomes outcomes;

    private final Map<List<String>, SearchStage> stages = new LinkedHashMap<>();
    private final Map<List<String>, List<Map<String, String>>> chosen = new LinkedHashMap<>();
    private final Map<List<String>, Integer> expected = new LinkedHashMap<>();
    private final Set<Trial> trials = new LinkedHashSet<>();

    StageWalk(int seeds, TrialRecipes recipes, Outcomes outcomes) {
        this.seeds = seeds;
        this.recipes = recipes;
        this.outcomes = outcomes;
    }

    /** The best candidate; empty while one of them has no outcome. */
    Optional<Map<String, String>> choose(
            Variant variant,
            String title,
            TrainingMethod method,
            Map<String, String> given,
            List<Map<String, String>> candidates,
            int epochs) {
        return best(variant, title, method, given, candidates, epochs, 1).stream()
                .findFirst();
    }

    /**
     * Of one candidate there is nothing to find out, and no trial is made. The same stage of several methods is walked once.
     *
     * @param given overrides that all candidates have and that are not shown with them
     * @param epochs 0: as the base has it
     * @return the so many best; empty while one of the candidates has no outcome
     */
    List<Map<String, String>> best(
            Variant variant,
            String title,
            TrainingMethod method,
            Map<String, String> given,
            List<Map<String, String>> candidates,
            int epochs,
            int keep) {
        if (candidates.size() == 1) {
            return candidates;
        }
        return chosen.computeIfAbsent(List.of(variant.name(), title), key -> {
            expected.remove(key);
            List<Candidate> judged = new ArrayList<>();
            for (Map<String, String> candidate : candidates) {
                judged.add(new Candidate(candidate, seeds, results(variant, method, given, candidate, epochs), false));
            }
            boolean complete = judged.stream().allMatch(Candidate::isComplete);
            List<Integer> kept = complete ? bestPlaces(judged, keep) : List.of();
            stages.put(
                    key,
                    new SearchStage(
                            variant.name(),
                            title,
                            IntStream.range(0, judged.size())
                                    .mapToObj(i -> marked(judged.get(i), kept.contains(i)))
                                    .toList()));
            return kept.stream().map(candidates::get).toList();
        });
    }

    /** A stage that will come takes so many candidates, for the count of trials. */
    void expect(Variant variant, String title, int candidates) {
        List<String> key = List.of(variant.name(), title);
        if (candidates > 1 && !chosen.containsKey(key)) {
            expected.put(key, candidates * seeds);
        }
    }

    private List<TrialOutcome> results(
            Variant variant,
            TrainingMethod method,
            Map<String, String> given,
            Map<String, String> candidate,
            int epochs) {
        Map<String, String> settings = new LinkedHashMap<>(given);
        settings.putAll(candidate);
        List<TrialOutcome> found = new ArrayList<>();
        for (int i = 0; i < seeds; i++) {
            Trial trial = recipes.trial(
                    variant,
                    method,
                    Collections.unmodifiableMap(settings),
                    variant.base().seed() + i,
                    EvaluateOn.VALIDATION,
                    epochs);
            trials.add(trial);
            outcomes.of(trial.id())
                    .filter(outcome -> outcome.evaluatedOn().equals(TrialOutcome.VALIDATION))
                    .ifPresent(found::add);
        }
        return found;
    }

    /** By mean error, and of the same error by their order. In that order again, so that the next stage's ties are broken by it too. */
    private static List<Integer> bestPlaces(List<Candidate> candidates, int keep) {
        return IntStream.range(0, candidates.size())
                .boxed()
                .sorted(Comparator.comparingDouble(i -> candidates.get(i).error()))
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
