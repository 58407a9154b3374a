package io.polder.study.results;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polder.study.NumberText;
import io.polder.study.NumbersAndTimes;
import io.polder.text.Wrapped;
import io.polder.train.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A study's results as text, Markdown, LaTeX, CSV and JSON. Works at any moment of a study. */
public final class StudyText {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            // isDone and its like look like fields, and are none.
            .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE)
            .addModule(new NumbersAndTimes())
            .build();

    private StudyText() {}

    /** For a terminal: the table, what it says, and what the search chose. */
    public static String text(StudyResult result) {
        StudyTable table = StudyTable.of(result);
        StringBuilder text = new StringBuilder();
        text.append(Wrapped.text(result.title()))
                .append('\n')
                .append(table.text())
                .append('\n');
        Verdicts.of(result).forEach(verdicts -> text.append(verdicts.text()).append('\n'));
        for (SearchStage stage : result.stages()) {
            text.append(Wrapped.text(stageInWords(stage)));
        }
        text.append(result.stages().isEmpty() ? "" : "\n");
        String claims = Verdicts.note(result);
        text.append(claims.isEmpty() ? "" : Wrapped.text(claims));
        table.notes().forEach(note -> text.append(Wrapped.text(note)));
        return text.toString();
    }

    public static String markdown(StudyResult result) {
        StudyTable table = StudyTable.of(result);
        List<String> paragraphs = new ArrayList<>();
        paragraphs.add("## " + StudyTable.markdown(result.title()));
        paragraphs.add(table.markdown().stripTrailing());
        Verdicts.of(result).forEach(verdicts -> paragraphs.add(verdicts.markdown()));
        List<String> notes = new ArrayList<>(Stream.of(table.bestNote(), Verdicts.note(result))
                .filter(note -> !note.isEmpty())
                .toList());
        notes.addAll(table.notes());
        if (!result.stages().isEmpty()) {
            paragraphs.add(result.stages().stream()
                    .map(stage -> "- " + StudyTable.markdown(stageInWords(stage)))
                    .collect(Collectors.joining("\n")));
        }
        paragraphs.add(StudyTable.markdown(String.join(" ", notes)));
        return String.join("\n\n", paragraphs) + "\n";
    }

    /** A table for a paper, set with booktabs. */
    public static String latex(StudyResult result) {
        return StudyTable.of(result).latex(result.title(), Findings.of(result));
    }

    /** For programs; shares in percent. */
    public static String csv(StudyResult result) {
        return StudyCsv.of(result);
    }

    /** For programs: every epoch of every trial, field by field. */
    public static String json(StudyResult result) {
        try {
            return JSON.writeValueAsString(result) + "\n";
        } catch (JsonProcessingException e) {
            throw new AssertionError("records of numbers and texts have no reason to fail", e);
        }
    }

    /** "stage 2: α = 1, r (5 candidates, on the validation split): chose r = 0.1 with 15.30 %." */
    static String stageInWords(SearchStage stage) {
        String name = stage.inVariant() + " ("
                + Findings.plural(stage.candidates().size(), "candidate") + ", on the validation split): ";
        List<Candidate> chosen =
                stage.candidates().stream().filter(Candidate::chosen).toList();
        if (chosen.size() > 1) {
            return name + "kept " + chosen.size() + ".";
        }
        if (chosen.size() == 1) {
            String settings = Settings.words(chosen.get(0).settings());
            Figure judge = chosen.get(0).judge();
            return name + "chose " + (settings.isEmpty() ? "the recipe as it is" : settings) + " with "
                    + NumberText.value(judge, chosen.get(0).mean()) + NumberText.unit(judge, " %") + ".";
        }
        long ended = stage.candidates().stream().filter(Candidate::isComplete).count();
        return name
                + (stage.isComplete()
                        ? "nothing was chosen, as every candidate failed."
                        : ended + " have ended so far.");
    }
}
