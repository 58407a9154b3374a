package io.polder.bench;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells as a table that Markdown takes and people can read as it is. */
final class Table {
    private final List<String[]> rows = new ArrayList<>();

    Table(String... titles) {
        rows.add(titles);
    }

    void add(String... cells) {
        rows.add(cells);
    }

    @Override
    public String toString() {
        int columns = rows.get(0).length;
        int[] widths = new int[columns];
        for (String[] row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], Math.max(3, row[i].length()));
            }
        }
        var text = new StringBuilder();
        for (int line = 0; line < rows.size(); line++) {
            for (int i = 0; i < columns; i++) {
                String cell = rows.get(line)[i];
                String space = " ".repeat(widths[i] - cell.length());
                text.append("| ").append(i == 0 ? cell + space : space + cell).append(' ');
            }
            text.append("|\n");
            for (int i = 0; line == 0 && i < columns; i++) {
                text.append(i == 0 ? "| " : "| ")
                        .append("-".repeat(widths[i] - 1))
                        .append(i == 0 ? "- " : ": ");
            }
            text.append(line == 0 ? "|\n" : "");
        }
        return text.toString();
    }
}
