package io.polder.study.search;

import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.study.trial.TrialIds;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A question about training methods, and what it takes to answer it: each variant is trained by each method, with hyper-parameters
 * that a search chose on a validation split, over several seeds, and judged by the test images.
 *
 * @param seeds of the final trials; they count up from the seed of the base recipe
 * @param retries how often a trial is tried again whose process was killed or crashed
 */
public record Study(
        String name,
        String title,
        List<Variant> variants,
        List<StudyMethod> methods,
        SearchSettings search,
        int seeds,
        int retries) {
    public Study {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(search, "search");
        variants = List.copyOf(variants);
        methods = List.copyOf(methods);
        if (variants.isEmpty() || methods.isEmpty()) {
            throw new IllegalArgumentException("variants is " + variants.size() + " and methods " + methods.size()
                    + " long: a study must have at least one of each");
        }
        Set<String> names = new HashSet<>();
        for (Variant variant : variants) {
            if (!names.add(variant.name())) {
                throw new IllegalArgumentException(
                        "two variants are called '" + variant.name() + "': their names must differ");
            }
        }
        if (seeds < 1 || retries < 0) {
            throw new IllegalArgumentException(
                    "seeds is " + seeds + " and retries " + retries + ": they must be at least 1 and 0");
        }
    }

    /** What to know of the seeds before anything is trained. */
    public List<String> cautions(TrialIds ids) {
        return variants.stream()
                .flatMap(variant -> methods.stream()
                        .flatMap(method -> method.rows().stream())
                        .map(settings -> withModel(variant.base(), settings)))
                .map(recipe -> TrialRecipes.withRedraw(recipe, ids).model())
                .flatMap(model -> model.sameForEverySeed().stream())
                .distinct()
                .toList();
    }

    private static Recipe withModel(Recipe base, Map<String, String> settings) {
        List<String> overrides = settings.entrySet().stream()
                .filter(each -> each.getKey().matches("model(\\..*)?"))
                .map(each -> each.getKey() + "=" + each.getValue())
                .toList();
        return overrides.isEmpty() ? base : RecipeReader.read(base.toYaml(), base.name(), overrides);
    }

    /** As a study file with its recipes written out: it reads back to an equal study, without any other file. */
    public String toYaml() {
        return StudyWriter.text(this);
    }
}
