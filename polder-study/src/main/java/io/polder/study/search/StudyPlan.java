package io.polder.study.search;

import io.polder.study.results.StudyResult;
import java.util.List;

/**
 * What a study wants, given the outcomes so far.
 *
 * @param trials all that are wanted by now, those that have an outcome included; the more urgent ones first
 * @param result what the study has come to
 */
public record StudyPlan(List<Trial> trials, StudyResult result) {
    public StudyPlan {
        trials = List.copyOf(trials);
    }
}
