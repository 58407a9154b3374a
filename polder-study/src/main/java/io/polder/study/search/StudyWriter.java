package io.polder.study.search;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The text of a study with its recipes written out. */
final class StudyWriter {
    private StudyWriter() {}

    static String text(Study study) {
        String variants = study.variants().stream().map(StudyWriter::variant).collect(Collectors.joining());
        String methods = study.methods().stream().map(StudyWriter::method).collect(Collectors.joining());
        return """
                name: %s
                title: %s
                variants:
                %smethods:
                %ssearch:
                %sseeds: %s
                retries: %s
                """.formatted(
                        quoted(study.name()),
                        quoted(study.title()),
                        variants,
                        methods,
                        search(study.search()),
                        study.seeds(),
                        study.retries());
    }

    private static String variant(Variant variant) {
        return "  - name: " + quoted(variant.name()) + "\n    paper: " + quoted(variant.paper()) + "\n    base:\n"
                + variant.base().toYaml().indent(6);
    }

    private static String method(StudyMethod method) {
        return "  - method: " + method.method().text()
                + (method.isTitled() ? "\n    title: " + quoted(method.title()) : "") + "\n    set: "
                + flow(method.settings()) + "\n    sweep: "
                + flowOfLists(method.sweep()) + "\n";
    }

    private static String search(SearchSettings search) {
        String kind = "  kind: " + search.kind().text() + "\n";
        if (search.kind() == SearchSettings.Kind.NONE) {
            return kind;
        }
        String common = kind
                + search.firstSeed().map(seed -> "  firstSeed: " + seed + "\n").orElse("")
                + "  seeds: %s\n  standard: %s\n  r: %s\n  alpha: %s\n"
                        .formatted(
                                search.seeds(), flowOfLists(search.standard()), list(search.r()), list(search.alpha()));
        return search.kind() == SearchSettings.Kind.ASHA
                ? common
                        + "  minEpochs: %s\n  eta: %s\n  samples: %s\n"
                                .formatted(search.minEpochs(), search.eta(), search.samples())
                : common;
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
