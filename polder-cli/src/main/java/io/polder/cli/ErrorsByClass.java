package io.polder.cli;

import io.polder.train.Predictions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What {@code polder evaluate} says of each class, as text and as fields of an object. */
final class ErrorsByClass {
    /** A matrix of more fits no screen: then the classes with the most errors are listed, and what each is mostly taken for. */
    private static final int MOST_IN_MATRIX = 12;

    private static final int MOST_LISTED = 20;
    private static final int LONGEST_NAME = 24;
    private static final int LONGEST_HEADING = 10;

    private final List<String> names;
    private final Predictions predictions;
    private final int[][] confusion;

    ErrorsByClass(List<String> names, Predictions predictions) {
        this.names = names;
        this.predictions = predictions;
        this.confusion = predictions.confusion(names.size());
    }

    private int images(int label) {
        return IntStream.of(confusion[label]).sum();
    }

    private int wrong(int label) {
        return images(label) - confusion[label][label];
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("calibrationError", predictions.calibrationError());
        List<Map<String, Object>> classes = new ArrayList<>();
        for (int label = 0; label < confusion.length; label++) {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("class", names.get(label));
            each.put("images", images(label));
            each.put("error", images(label) == 0 ? null : (double) wrong(label) / images(label));
            classes.add(each);
        }
        fields.put("classes", classes);
        fields.put("confusion", confusion);
        return fields;
    }

    String text() {
        String sure = String.format(
                Locale.ROOT,
                "expected calibration error %.2f %%: so far is what it says of its certainty from how often it is right%n%n",
                100 * predictions.calibrationError());
        return sure + (names.size() <= MOST_IN_MATRIX ? matrix() : list());
    }

    private String matrix() {
        List<Integer> all = IntStream.range(0, names.size()).boxed().toList();
        int cell = Math.max(
                5,
                all.stream()
                        .mapToInt(
                                label -> cut(names.get(label), LONGEST_HEADING).length())
                        .max()
                        .orElse(0));
        String columns = all.stream()
                .map(label -> right(cut(names.get(label), LONGEST_HEADING), cell + 2))
                .collect(Collectors.joining());
        String indent = " ".repeat(nameWidth() + 20);
        return indent + right("taken for", Math.max(11, cell + 2)) + "\n" + heading() + columns + "\n"
                + all.stream()
                        .map(label -> row(label)
                                + IntStream.of(confusion[label])
                                        .mapToObj(number -> right(Integer.toString(number), cell + 2))
                                        .collect(Collectors.joining())
                                + "\n")
                        .collect(Collectors.joining());
    }

    private String list() {
        List<Integer> worst = IntStream.range(0, names.size())
                .filter(label -> wrong(label) > 0)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer label) -> -(double) wrong(label) / images(label)))
                .toList();
        String rest = worst.size() > MOST_LISTED
                ? String.format(
                        "and %d more classes with errors; --json has all, and the whole confusion matrix%n",
                        worst.size() - MOST_LISTED)
                : "";
        return heading() + "  mostly taken for\n"
                + worst.stream()
                        .limit(MOST_LISTED)
                        .map(label -> row(label) + "  " + mostlyTakenFor(label) + "\n")
                        .collect(Collectors.joining())
                + rest;
    }

    private String mostlyTakenFor(int label) {
        int other = IntStream.range(0, names.size())
                .filter(each -> each != label)
                .boxed()
                .max(Comparator.comparingInt(each -> confusion[label][each]))
                .orElseThrow();
        return cut(names.get(other), LONGEST_NAME) + " (" + confusion[label][other] + ")";
    }

    private String heading() {
        return String.format("%-" + nameWidth() + "s %8s %9s ", "class", "images", "error");
    }

    private String row(int label) {
        String error =
                images(label) == 0 ? "-" : String.format(Locale.ROOT, "%.2f %%", 100.0 * wrong(label) / images(label));
        return String.format(
                Locale.ROOT,
                "%-" + nameWidth() + "s %,8d %9s ",
                cut(names.get(label), LONGEST_NAME),
                images(label),
                error);
    }

    private int nameWidth() {
        return Math.max(
                5,
                names.stream()
                        .mapToInt(name -> cut(name, LONGEST_NAME).length())
                        .max()
                        .orElse(0));
    }

    private static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    private static String cut(String name, int longest) {
        return name.length() > longest ? name.substring(0, longest - 1) + "…" : name;
    }
}
