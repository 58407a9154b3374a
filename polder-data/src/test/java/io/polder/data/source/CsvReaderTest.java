package io.polder.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvReaderTest {
    @Test
    void cellsAreThoseOfRfc4180() throws IOException {
        assertThat(records("a,b\r\nc,d\r\n")).containsExactly(List.of("a", "b"), List.of("c", "d"));
        assertThat(records("a,b\nc,d")).containsExactly(List.of("a", "b"), List.of("c", "d"));
        assertThat(records("\"a,1\",\"say \"\"b\"\"\",\"two\nlines\"\nd,,"))
                .containsExactly(List.of("a,1", "say \"b\"", "two\nlines"), List.of("d", "", ""));
        assertThat(records("\"\",\"\"\"\"\n")).containsExactly(List.of("", "\""));
        assertThat(records(" a , b \n")).containsExactly(List.of(" a ", " b "));
    }

    @Test
    void everySystemsLineEndsAndTheMarkOfUtf8AreRead() throws IOException {
        assertThat(records("\uFEFFé,b\rc,d\r\n\n\r\ne,f"))
                .containsExactly(List.of("é", "b"), List.of("c", "d"), List.of("e", "f"));
        assertThat(records("")).isEmpty();
        assertThat(records("\n\n")).isEmpty();
    }

    @Test
    void linesAreCountedAlsoInsideQuotes() throws IOException {
        var csv = reader("a\n\"b\nb\"\n\nc\n".getBytes(StandardCharsets.UTF_8));
        List<Integer> lines = new ArrayList<>();
        while (csv.next() != null) {
            lines.add(csv.line());
        }
        assertThat(lines).containsExactly(1, 2, 5);
    }

    @Test
    void mistakesAreToldWithTheirLine() {
        assertThatThrownBy(() -> records("a\nb\"c\n")).hasMessageStartingWith("some.csv, line 2, has a quote inside");
        assertThatThrownBy(() -> records("a\n\"b\nc"))
                .hasMessage("some.csv, line 2, has a quote that is never closed: close it");
        assertThatThrownBy(() -> records("\"b\"c")).hasMessageStartingWith("some.csv, line 1, has something between");
    }

    @Test
    void whatIsNotUtf8IsToldOnItsOwnLineOnly() throws IOException {
        var csv = reader(new byte[] {'a', '\n', (byte) 0xE9, '\n'});
        assertThat(csv.next()).containsExactly("a");
        assertThatThrownBy(csv::next)
                .isInstanceOf(IOException.class)
                .hasMessage("some.csv, line 2, is not UTF-8: save the file in that encoding");
    }

    @Test
    void moreCellsThanAnySetHasLabelsAreRefused() {
        assertThatThrownBy(() -> records(",".repeat(CsvReader.MOST_CELLS)))
                .hasMessage("some.csv, line 1, has more than 65536 cells: give fewer columns");
    }

    private static List<List<String>> records(String text) throws IOException {
        var csv = reader(text.getBytes(StandardCharsets.UTF_8));
        List<List<String>> records = new ArrayList<>();
        for (List<String> cells = csv.next(); cells != null; cells = csv.next()) {
            records.add(cells);
        }
        return records;
    }

    private static CsvReader reader(byte[] bytes) {
        return new CsvReader("some.csv", bytes, bytes.length);
    }
}
