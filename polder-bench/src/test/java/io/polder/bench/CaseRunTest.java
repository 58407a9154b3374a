package io.polder.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polder.bench.CaseRun.Case;
import io.polder.bench.CaseRun.Plan;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class CaseRunTest {
    private static final Case TINY = new Case("wrn-10-1", 2);

    @Test
    void measuresARealWorkerAndLeavesOutThoseThatCannotTakePart() throws Exception {
        var absent = new Side("absent", List.of("sh", "-c", "echo there is no such network here >&2"));
        var dying = new Side("dying", List.of("sh", "-c", "echo '" + hello(75_290) + "'; echo out of memory >&2"));
        CaseResult result = run().measure(TINY, List.of(Side.POLDER, absent, dying));

        assertThat(result.leftOut())
                .containsEntry("absent", "there is no such network here")
                .containsEntry("dying", "out of memory");
        assertThat(result.parameters()).isEqualTo(75_290);
        var polder = result.sides().get(0);
        assertThat(polder.turns())
                .hasSize(2)
                .allSatisfy(turn -> assertThat(turn).containsOnlyKeys("standard", "penalty"));
        assertThat(polder.outside(CaseRun.PENALTY)).isBetween(0.0, 1.0);
        assertThat(polder.perTurn(CaseRun.PENALTY)).hasSize(2);
        assertThat(result.text())
                .contains("wrn-10-1, batch 2, 1 thread(s): 75,290 parameters", "| Polder", "absent: left out");
    }

    @Test
    void refusesASideWithAnotherNumberOfParameters() {
        var other = new Side("other", List.of("sh", "-c", "echo '" + hello(75_289) + "'; cat"));

        assertThatThrownBy(() -> run().measure(TINY, List.of(Side.POLDER, other)))
                .hasMessage(
                        "other has 75,289 parameters for wrn-10-1 where Polder has 75,290: the networks differ, so do their times");
    }

    @Test
    void aCaseIsANetworkAndABatch() {
        assertThat(Case.of("vit-ti-4/64")).isEqualTo(new Case("vit-ti-4", 64));
        for (String wrong : List.of("wrn-10-1", "wrn-10-1/", "/8", "wrn-10-1/0", "wrn-10-1/x")) {
            assertThatThrownBy(() -> Case.of(wrong))
                    .hasMessage("case is \"" + wrong + "\": it must be a network and a batch, such as wrn-10-1/128");
        }
    }

    private static String hello(int parameters) {
        return "{\"engine\": \"none\", \"parameters\": " + parameters + ", \"steps\": [\"standard\"]}";
    }

    private static CaseRun run() {
        return new CaseRun(new Plan(2, 1, 0.05), new PrintStream(OutputStream.nullOutputStream()));
    }
}
