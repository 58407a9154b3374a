package io.polder.study.results;

import io.polder.study.trial.TrialOutcome;
import io.polder.train.Figures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A study as far as it has come: all that reports show. It is made from the study file and the store alone, at any moment.
 *
 * @param name of the study
 * @param title of the study
 * @param rows of the table, in the order of variants and methods; all of them, also while trials are missing
 * @param stages of the search, in the order they were run; those that have begun
 * @param wanted how many trials the study takes, as far as is known: later stages count with their usual number
 */
public record StudyResult(String name, String title, List<ResultRow> rows, List<SearchStage> stages, int wanted) {
    public StudyResult {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(title, "title");
        rows = List.copyOf(rows);
        stages = List.copyOf(stages);
    }

    public boolean isComplete() {
        return rows.stream().allMatch(ResultRow::isComplete);
    }

    /** Every outcome, of the search and of the rows, each once. */
    public List<TrialOutcome> outcomes() {
        Map<String, TrialOutcome> byId = new LinkedHashMap<>();
        Stream.concat(
                        stages.stream()
                                .flatMap(stage -> stage.candidates().stream())
                                .map(Candidate::outcomes),
                        rows.stream().map(ResultRow::outcomes))
                .flatMap(List::stream)
                .forEach(outcome -> byId.putIfAbsent(outcome.id(), outcome));
        return List.copyOf(byId.values());
    }

    /** What its numbers are, and which of them judges. */
    Figures figures() {
        return TrialOutcome.figures(outcomes());
    }

    /** Those that diverged or failed. */
    public List<TrialOutcome> failures() {
        return outcomes().stream().filter(outcome -> !outcome.isDone()).toList();
    }
}
