package io.polder.cli;

import io.polder.text.Wrapped;
import io.polder.train.Predictions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What {@code polder evaluate} says of each class, as text and as fields of an object. */
final class ErrorsByClass {
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
        fields.put(
                "reliability",
                predictions.reliability().stream().map(ErrorsByClass::fields).toList());
        return fields;
    }

    private static Map<String, Object> fields(Predictions.Bin bin) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("images", bin.examples());
        fields.put("confidence", bin.confidence());
        fields.put("right", bin.right());
        return fields;
    }

    String text() {
        String sure = String.format(
                Locale.ROOT,
                "expected calibration error %.2f %%: how far its certainty is from how often it is right",
                100 * predictions.calibrationError());
        return Wrapped.text(sure) + "\n" + matrix(true).or(() -> matrix(false)).orElseGet(this::list);
    }

    /** With the names of classes above the columns where they fit, else their numbers, which then stand before the names, too. */
    private Optional<String> matrix(boolean named) {
        List<String> headings = IntStream.range(0, names.size())
                .mapToObj(label -> named ? cut(names.get(label), LONGEST_HEADING) : Integer.toString(label + 1))
                .toList();
        int largest = Stream.of(confusion).flatMapToInt(IntStream::of).max().orElse(0);
        int longest = headings.stream().mapToInt(String::length).max().orElse(0);
        int cell = 2 + Math.max(longest, Integer.toString(largest).length());
        int number = named ? 0 : Integer.toString(names.size()).length() + 1;
        if (number + heading().length() + names.size() * cell > Wrapped.COLUMNS) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder();
        text.append(" ".repeat(number + heading().length()))
                .append(right("taken for", Math.max(11, cell)))
                .append('\n');
        text.append(" ".repeat(number)).append(heading());
        headings.forEach(heading -> text.append(right(heading, cell)));
        text.append('\n');
        for (int label = 0; label < names.size(); label++) {
            text.append(number == 0 ? "" : right(headings.get(label), number - 1) + " ")
                    .append(row(label));
            for (int count : confusion[label]) {
                text.append(right(Integer.toString(count), cell));
            }
            text.append('\n');
        }
        return Optional.of(text.toString());
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
        return String.format("%-" + nameWidth() + "s %6s %9s", "class", "images", "error");
    }

    private String row(int label) {
        String error =
                images(label) == 0 ? "-" : String.format(Locale.ROOT, "%.2f %%", 100.0 * wrong(label) / images(label));
        return String.format(
                Locale.ROOT,
                "%-" + nameWidth() + "s %,6d %9s",
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
