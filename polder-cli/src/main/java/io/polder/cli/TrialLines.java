package io.polder.cli;

import io.polder.study.results.StudyJson;
import io.polder.study.search.StudyPlan;
import io.polder.study.search.StudyWatcher;
import io.polder.study.search.Trial;
import io.polder.study.trial.TrialOutcome;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** How a study is getting on for programs: a JSON object for each trial that has ended. People are told as ever, elsewhere. */
record TrialLines(StudyWatcher people, PrintWriter screen, Set<String> known) implements StudyWatcher {
    TrialLines(StudyWatcher people, PrintWriter screen) {
        this(people, screen, new HashSet<>());
    }

    @Override
    public void planned(StudyPlan plan) {
        plan.result().outcomes().forEach(outcome -> known.add(outcome.id()));
        people.planned(plan);
    }

    @Override
    public void started(Trial trial) {
        people.started(trial);
    }

    @Override
    public void ended(Trial trial, TrialOutcome outcome) {
        people.ended(trial, outcome);
        known.add(outcome.id());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", "trial");
        fields.put("label", trial.label());
        fields.putAll(StudyJson.trial(outcome));
        fields.put("ended", known.size());
        screen.print(Json.line(fields));
        screen.flush();
    }

    @Override
    public void warned(String sentence) {
        people.warned(sentence);
    }

    @Override
    public void crashed(Trial trial, String reason) {
        people.crashed(trial, reason);
    }
}
