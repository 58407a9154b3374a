package io.polder.study;

import static io.polder.study.page.Html.escape;

import io.polder.study.page.Style;
import io.polder.train.Figure;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Runs side by side, as {@code polder watch} shows them: a row for each, then their curves. */
public final class RunsPage {
    private RunsPage() {}

    /** The part of the page that changes. */
    public static String html(List<RunSnapshot> runs, Instant now) {
        return table(runs, now) + RunCharts.html(runs);
    }

    private static String table(List<RunSnapshot> runs, Instant now) {
        List<Figure> judges = runs.stream().map(RunSnapshot::judge).distinct().toList();
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < runs.size(); i++) {
            RunSnapshot run = runs.get(i);
            RunState state = run.state(now);
            String heading = NumberText.heading("Test", run.judge());
            rows.append("""
                    <tr data-run="%s"><th scope="row" class="%s">%s<small>%s</small></th><td data-label="State"><span class="state %s">%s</span><small>%s</small></td>\
                    <td data-label="Epoch">%s</td><td data-label="%s">%s<small>%s</small></td><td>%s</td></tr>
                    """.formatted(
                            escape(run.name()),
                            Style.withoutBaseline(i).css(),
                            runs.size() == 1 ? escape(run.name()) : button(run),
                            escape(run.method()).replace(" = ", "&nbsp;=&nbsp;"),
                            state.name().toLowerCase(Locale.ROOT),
                            state.text(),
                            remark(run, state, now),
                            epochs(run),
                            escape(heading),
                            NumberText.value(run.judge(), run.judged(run.lastTested())),
                            escape(judges.size() > 1 ? heading + " " : "") + best(run),
                            NumberText.whole(run.imagesPerSecond())));
        }
        return """
                <div class="scroll"><table class="outcome runs">
                <thead><tr><th scope="col">Run</th><th scope="col">State</th><th scope="col">Epoch</th>\
                <th scope="col">%s</th><th scope="col">Images/s</th></tr></thead>
                <tbody>
                %s</tbody>
                </table></div>
                """.formatted(judges.size() == 1 ? escape(NumberText.heading("Test", judges.get(0))) : "Test", rows);
    }

    /** Which hides the run's curves, and shows them again. */
    private static String button(RunSnapshot run) {
        return "<button type=\"button\" aria-pressed=\"true\" title=\"Hide or show its curves\">" + escape(run.name())
                + "</button>";
    }

    private static String best(RunSnapshot run) {
        double best = run.judged(run.bestTested());
        return Double.isNaN(best) ? "" : NumberText.best(run.judge()) + " " + NumberText.value(run.judge(), best);
    }

    private static String epochs(RunSnapshot run) {
        return run.epochsDone()
                + (run.epochsPlanned().isPresent() ? "/" + run.epochsPlanned().getAsLong() : "");
    }

    private static String remark(RunSnapshot run, RunState state, Instant now) {
        if (state == RunState.RUNNING) {
            OptionalDouble left = run.secondsLeft();
            return left.isPresent() ? NumberText.duration(left.getAsDouble()) + " left" : "";
        }
        if (state == RunState.STALLED) {
            double silent = now.toEpochMilli() / 1000.0 - RunState.lastTime(run.history());
            return "silent for " + NumberText.duration(silent);
        }
        return run.trainingSeconds() > 0 ? NumberText.duration(run.trainingSeconds()) : "";
    }
}
