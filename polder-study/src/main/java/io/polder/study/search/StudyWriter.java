package io.polder.study.search;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The text of a study with its recipes written out. */
final class StudyWriter {
    private static final String INDENT = "      ";

    private StudyWriter() {}

    static String text(Study study) {
        StringBuilder text = new StringBuilder();
        text.append("name: ").append(quoted(study.name())).append('\n');
        text.append("title: ").append(quoted(study.title())).append('\n');
        text.append("variants:\n");
        for (Variant variant : study.variants()) {
            text.append("  - name: ").append(quoted(variant.name())).append('\n');
            text.append("    paper: ").append(quoted(variant.paper())).append('\n');
            text.append("    base:\n");
            variant.base()
                    .toYaml()
                    .lines()
                    .forEach(line -> text.append(INDENT).append(line).append('\n'));
        }
        text.append("methods:\n");
        for (StudyMethod method : study.methods()) {
            text.append("  - method: ").append(method.method().text()).append('\n');
            text.append("    set: ").append(flow(method.settings())).append('\n');
            text.append("    sweep: ").append(flowOfLists(method.sweep())).append('\n');
        }
        search(study.search(), text);
        text.append("seeds: ").append(study.seeds()).append('\n');
        text.append("retries: ").append(study.retries()).append('\n');
        return text.toString();
    }

    private static void search(SearchSettings search, StringBuilder text) {
        text.append("search:\n");
        text.append("  kind: ").append(search.kind().text()).append('\n');
        if (search.kind() == SearchSettings.Kind.NONE) {
            return;
        }
        text.append("  seeds: ").append(search.seeds()).append('\n');
        text.append("  standard: ").append(flowOfLists(search.standard())).append('\n');
        text.append("  r: ").append(list(search.r())).append('\n');
        text.append("  alpha: ").append(list(search.alpha())).append('\n');
        if (search.kind() == SearchSettings.Kind.ASHA) {
            text.append("  minEpochs: ").append(search.minEpochs()).append('\n');
            text.append("  eta: ").append(search.eta()).append('\n');
            text.append("  samples: ").append(search.samples()).append('\n');
        }
    }

    /** Values are YAML already. */
    private static String flow(Map<String, String> values) {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String flowOfLists(Map<String, List<String>> values) {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + list(entry.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String list(List<String> values) {
        return "[" + String.join(", ", values) + "]";
    }

    /** In double quotes, in which YAML takes any text. */
    static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
