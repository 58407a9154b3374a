package io.polder.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows of cells as a table that Markdown takes and people can read as it is: the first column to the left, the others to the right. */
final class Table {
    private final List<String[]> rows = new ArrayList<>();

    Table(String... titles) {
        add(titles);
        String[] rule = new String[titles.length];
        Arrays.setAll(rule, i -> i == 0 ? "---" : "---:");
        add(rule);
    }

    void add(String... cells) {
        rows.add(cells);
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                int column = i;
                int width = rows.stream()
                        .mapToInt(each -> each[column].length())
                        .max()
                        .orElseThrow();
                text.append(("| %" + (i == 0 ? "-" : "") + width + "s ").formatted(row[i]));
            }
            text.append("|\n");
        }
        return text.toString();
    }
}
