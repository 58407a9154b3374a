package io.polder.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FiguresTest {
    private static final Figure ERROR = Figure.error("error", "error");

    @Test
    void aNameThatEveryRunHasIsRefusedInTrainingAndInEvaluation() {
        Figure steps = Figure.error("steps", "steps");
        assertThatThrownBy(() -> new Figures(ERROR, List.of(steps), List.of(ERROR)))
                .hasMessage("a figure is called steps: every run has a number of that name, so choose another");
        assertThatThrownBy(() -> new Figures(ERROR, List.of(), List.of(ERROR, steps)))
                .hasMessageStartingWith("a figure is called steps");
        assertThat(new Figures(ERROR, List.of(), List.of(Figure.loss(), ERROR)).judge())
                .isEqualTo(ERROR);
    }

    @Test
    void aSchemeTakesNoNameOfTheTaskOrOfEveryRun() {
        assertThat(Figures.ofStep(Map.of("error", 0.5), Map.of("r", 0.1))).isEqualTo(Map.of("error", 0.5, "r", 0.1));
        assertThatThrownBy(() -> Figures.ofStep(Map.of("error", 0.5), Map.of("error", 0.1)))
                .hasMessage("both the task and the scheme have a figure error: each must have a name of its own");
        assertThatThrownBy(() -> Figures.ofStep(Map.of(), Map.of("loss", 0.1)))
                .hasMessageStartingWith("a figure is called loss");
    }

    @Test
    void aNameThatWasJoinedToAWordIsFoundAgain() {
        assertThat(Figure.without("test", Figure.joined("test", "top5Error"))).contains("top5Error");
        assertThat(Figure.without("test", "tested")).isEmpty();
        assertThat(Figure.without("test", "test")).isEmpty();
    }
}
