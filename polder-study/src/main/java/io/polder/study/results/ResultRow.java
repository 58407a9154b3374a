package io.polder.study.results;

import io.polder.study.trial.TrialOutcome;
import io.polder.train.Figure;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * One row of a study's table: a variant trained by one method over several seeds, judged by the test images.
 *
 * @param variant the name of the variant; empty in a study without variants
 * @param method the name of the scheme: {@code standard}, {@code sam}, {@code gradient-norm-penalty}
 * @param label the method for readers: {@code Standard}, {@code SAM}, {@code Gradient-norm penalty}
 * @param settings the hyper-parameters it was trained with, chosen by a search or given, by paths of the recipe:
 *     {@code scheme.r → 0.05}. They tell rows of the same variant and method apart (a sweep over α)
 * @param paper which published result stands beside: {@code dataset/model/augmentation} of paper-results.csv; empty: none
 * @param seeds how many trials it takes
 * @param outcomes those that are there, in the order of their seeds; empty while the search goes on
 */
public record ResultRow(
        String variant,
        String method,
        String label,
        Map<String, String> settings,
        String paper,
        int seeds,
        List<TrialOutcome> outcomes) {
    public ResultRow {
        Objects.requireNonNull(variant, "variant");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(paper, "paper");
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        outcomes = List.copyOf(outcomes);
        if (outcomes.size() > seeds) {
            throw new IllegalArgumentException(
                    "there are " + outcomes.size() + " outcomes of " + seeds + " seeds: they must not be more");
        }
        for (TrialOutcome outcome : outcomes) {
            if (!outcome.evaluatedOn().equals(TrialOutcome.TEST)) {
                throw new IllegalArgumentException("a row has an outcome on the " + outcome.evaluatedOn()
                        + " images: tables must have test images only");
            }
        }
    }

    public boolean isComplete() {
        return outcomes.size() == seeds;
    }

    /** By which its outcomes are judged. */
    public Figure judge() {
        return TrialOutcome.figures(outcomes).judge();
    }

    /** Those that were trained to their end. */
    public List<TrialOutcome> done() {
        return outcomes.stream().filter(TrialOutcome::isDone).toList();
    }

    /** The radius r, if the method has one and it is a number rather than a schedule. */
    public OptionalDouble r() {
        return Settings.number(settings, Settings.R);
    }

    /** The balance α, if the method has one and it is a number rather than a schedule. */
    public OptionalDouble alpha() {
        return Settings.number(settings, Settings.ALPHA);
    }
}
