package io.polder.study.results;

import io.polder.study.trial.TrialOutcome;
import io.polder.study.trial.TrialOutcome.Status;
import io.polder.train.Figure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a study has come to, for programs: the fields that docs/results.md lists. Shares are fractions; NaN is what is not known. */
public final class StudyJson {
    private StudyJson() {}

    /** The table, the comparisons that claims rest on, and the search. */
    public static Map<String, Object> fields(StudyResult result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        Figure judge = result.figures().judge();
        List<TrialOutcome> outcomes = result.outcomes();
        fields.put("study", result.name());
        fields.put("title", result.title());
        fields.put("complete", result.isComplete());
        fields.put("trials", result.wanted());
        for (Status status : Status.values()) {
            fields.put(
                    word(status),
                    outcomes.stream().filter(each -> each.status() == status).count());
        }
        fields.put("judge", judge.name());
        fields.put("better", word(judge.better()));
        fields.put(
                "rows",
                RowSummary.of(result).stream().map(row -> row(result, row)).toList());
        fields.put(
                "comparisons",
                MethodTest.of(result).stream().map(StudyJson::comparison).toList());
        fields.put("stages", result.stages().stream().map(StudyJson::stage).toList());
        return fields;
    }

    /** One trial and how it ended. */
    public static Map<String, Object> trial(TrialOutcome outcome) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", outcome.id());
        fields.put("method", outcome.method());
        fields.put("seed", outcome.seed());
        fields.put("status", word(outcome.status()));
        fields.put("reason", outcome.reason());
        fields.put("evaluatedOn", outcome.evaluatedOn());
        fields.put("epochs", outcome.epochs());
        outcome.figures().evaluation().forEach(figure -> fields.put(figure.name(), outcome.last(figure)));
        fields.put("gradientNorm", outcome.gradientNorm());
        fields.put("seconds", outcome.seconds());
        return fields;
    }

    private static Map<String, Object> row(StudyResult result, RowSummary summary) {
        ResultRow row = summary.row();
        Map<String, Object> fields = named(row);
        fields.put("label", row.label());
        fields.put("seeds", row.seeds());
        for (Status status : Status.values()) {
            fields.put(word(status), summary.count(status));
        }
        result.figures().evaluation().forEach(figure -> fields.put(figure.name(), spread(summary.of(figure))));
        fields.put("gradientNorm", spread(summary.gradientNorm()));
        fields.put("cost", summary.cost());
        fields.put("best", summary.best());
        PaperResults.error(row.paper(), row.method())
                .ifPresent(paper -> fields.put("paper", spread(paper.mean() / 100, paper.deviation() / 100)));
        return fields;
    }

    private static Map<String, Object> comparison(MethodTest test) {
        Map<String, Object> fields = named(test.row());
        fields.put("against", named(test.other()));
        fields.put("seeds", test.seeds());
        fields.put("difference", test.test().meanDifference());
        fields.put("low", test.test().low());
        fields.put("high", test.test().high());
        fields.put("p", test.test().p());
        fields.put("pCorrected", test.corrected());
        fields.put("pSignedRanks", test.ranks());
        fields.put("claim", word(test.claim()));
        return fields;
    }

    private static Map<String, Object> stage(SearchStage stage) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("variant", stage.variant());
        fields.put("stage", stage.title());
        fields.put("given", stage.given());
        fields.put(
                "candidates",
                stage.candidates().stream().map(StudyJson::candidate).toList());
        return fields;
    }

    private static Map<String, Object> candidate(Candidate candidate) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("settings", candidate.settings());
        fields.put("seeds", candidate.seeds());
        fields.put("ended", candidate.outcomes().size());
        fields.put("mean", candidate.mean());
        fields.put("chosen", candidate.chosen());
        return fields;
    }

    private static Map<String, Object> named(ResultRow row) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("variant", row.variant());
        fields.put("method", row.method());
        fields.put("settings", row.settings());
        return fields;
    }

    private static Map<String, Double> spread(Spread values) {
        return spread(values.mean(), values.deviation());
    }

    private static Map<String, Double> spread(double mean, double deviation) {
        Map<String, Double> fields = new LinkedHashMap<>();
        fields.put("mean", mean);
        fields.put("deviation", deviation);
        return fields;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
