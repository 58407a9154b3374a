package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsTableTest {
    private static Comparison threeMethods() {
        Map<Method, double[]> errors = new LinkedHashMap<>();
        errors.put(Samples.STANDARD, new double[] {0.180, 0.170, 0.175});
        errors.put(Samples.SAM, new double[] {0.168, 0.160, 0.163});
        errors.put(Samples.PENALTY, new double[] {0.090, 0.080, 0.100});
        return Samples.ending(errors);
    }

    @Test
    void columnsAlignAndTheLowestMeanIsMarked() {
        assertThat(ResultsTable.text(threeMethods())).isEqualTo("""
                Method                 Settings          Test error, %    Gradient norm   Cost
                Standard training                         17.50 ± 0.50            0.500  1.00×
                SAM                    r = 0.2            16.37 ± 0.40            0.500  1.00×
                Gradient-norm penalty  r = 0.4, α = 0.6    9.00 ± 1.00 *          0.500  1.00×
                * lowest mean
                """);
    }

    @Test
    void markdownHasTheSameCells() {
        assertThat(ResultsTable.markdown(threeMethods())).isEqualTo("""
                | Method | Settings | Test error, % | Gradient norm | Cost |
                |---|---|---:|---:|---:|
                | Standard training |  | 17.50 ± 0.50 | 0.500 | 1.00× |
                | SAM | r = 0.2 | 16.37 ± 0.40 | 0.500 | 1.00× |
                | Gradient-norm penalty | r = 0.4, α = 0.6 | **9.00 ± 1.00** | 0.500 | 1.00× |
                """);
    }

    @Test
    void whatIsUnknownIsADash() {
        Comparison empty =
                Samples.comparison(List.of(Samples.SAM), List.of(new TrialRecord("sam", 1, List.of(), 0, 0)));
        assertThat(ResultsTable.text(empty)).isEqualTo("""
                Method  Settings  Test error, %    Gradient norm  Cost
                SAM     r = 0.2               –                –     –
                """);
    }

    @Test
    void numbersKeepThreeSignificantDigits() {
        assertThat(NumberText.significant(0.051234)).isEqualTo("0.0512");
        assertThat(NumberText.significant(2)).isEqualTo("2.00");
        assertThat(NumberText.significant(1234.5)).isEqualTo("1235");
        assertThat(NumberText.significant(-0.0000123)).isEqualTo("−1.23e−05");
        assertThat(NumberText.significant(0)).isEqualTo("0");
        assertThat(NumberText.significant(Double.POSITIVE_INFINITY)).isEqualTo("–");
        assertThat(NumberText.points(0.00001)).isEqualTo("0.00100");
    }
}
