package io.polder.study.results;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The errors that Zhao, Zhang and Hu published (ICML 2022, tables 1 to 4), as {@code paper-results.csv} has them: means and standard
 * deviations over five seeds, three for PyramidNet; of VGG16 without batch normalisation the best case only, so without a deviation.
 */
final class PaperResults {
    private static final String FILE = "paper-results.csv";
    private static final List<PaperResults.Entry> ENTRIES = read();

    private PaperResults() {}

    /**
     * One published number.
     *
     * @param key {@code dataset/model/augmentation}, as {@link ResultRow#paper()} has it
     * @param metric {@code error}, {@code top1-error} or {@code top5-error}
     * @param method the name of the scheme here: {@code gradient-norm-penalty}, not the file's {@code penalty}
     * @param mean in percent
     * @param deviation in percentage points; NaN where none was published
     */
    record Entry(String key, String metric, String method, double mean, double deviation) {}

    /** The published error (top-1, where both are) of a method; empty if there is none. */
    static Optional<Entry> error(String key, String method) {
        return ENTRIES.stream()
                .filter(entry -> entry.key().equals(key) && entry.method().equals(method))
                .filter(entry -> !entry.metric().equals("top5-error"))
                .findFirst();
    }

    static List<Entry> all() {
        return ENTRIES;
    }

    private static List<Entry> read() {
        try (InputStream file = PaperResults.class.getResourceAsStream(FILE)) {
            List<Entry> entries = new ArrayList<>();
            new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .map(line -> line.split(",", -1))
                    .forEach(cells -> entries.add(new Entry(
                            cells[0] + "/" + cells[1] + "/" + cells[2],
                            cells[3],
                            cells[4].equals("penalty") ? "gradient-norm-penalty" : cells[4],
                            Double.parseDouble(cells[5]),
                            cells[6].isEmpty() ? Double.NaN : Double.parseDouble(cells[6]))));
            return List.copyOf(entries);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
