package io.polder.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.tensor.OpenScope;
import io.polder.tensor.RandomStreams;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenScope.class)
class DropPathTest {
    private final RandomStreams streams = new RandomStreams(5);
    private final DropPath dropPath = new DropPath(0.25);

    @Test
    void imagesAreKeptOrDroppedAsAWholeAndTheMeanIsKept() {
        int images = 10_000;
        Tensor kept = dropPath.forward(torch.ones(images, 3, 2, 2), training(Pass.REFERENCE, 1))
                .flatten(1, -1);
        assertThat(kept.sub(kept.narrow(1, 0, 1)).abs().max().item_double()).isZero();
        assertThat(kept.max().item_double()).isCloseTo(4 / 3.0, within(1e-6));
        assertThat(kept.min().item_double()).isZero();
        // Five deviations of the mean of so many draws: √(p/(1 − p)/n).
        assertThat(kept.mean().item_double()).isCloseTo(1, within(5 * Math.sqrt(0.25 / 0.75 / images)));
    }

    @Test
    void bothPassesDropTheSameBranches() {
        Tensor x = torch.ones(100, 5, 4);
        Tensor reference = dropPath.forward(x, training(Pass.REFERENCE, 1));
        assertThat(dropPath.forward(x, training(Pass.PERTURBED, 1)).equal(reference))
                .isTrue();
        assertThat(dropPath.forward(x, training(Pass.REFERENCE, 2)).equal(reference))
                .isFalse();
    }

    @Test
    void oneDrawIsTakenForAnImageHoweverLargeItIs() {
        Tensor small = dropPath.forward(torch.ones(100, 1), training(Pass.REFERENCE, 1));
        Tensor large = dropPath.forward(torch.ones(100, 3, 8, 8), training(Pass.REFERENCE, 1));
        assertThat(large.select(3, 0).select(2, 0).narrow(1, 0, 1).equal(small)).isTrue();
    }

    @Test
    void doublePrecisionHasTheSameDraws() {
        Tensor x = torch.ones(100, 3);
        Tensor single = dropPath.forward(x, training(Pass.REFERENCE, 1));
        Tensor twice = dropPath.forward(x.to(torch.ScalarType.Double), training(Pass.REFERENCE, 1));
        assertThat(twice.scalar_type().intern()).isEqualTo(torch.ScalarType.Double);
        assertThat(twice.to(torch.ScalarType.Float).equal(single)).isTrue();
    }

    @Test
    void droppedBranchesGetNoGradientAndKeptOnesTheirs() {
        Tensor x = torch.ones(100, 3);
        x.requires_grad_(true);
        Tensor y = dropPath.forward(x, training(Pass.REFERENCE, 1));
        y.sum().backward();
        assertThat(x.grad().equal(y)).isTrue();
    }

    @Test
    void inferenceAndProbabilityZeroChangeNothing() {
        Tensor x = torch.ones(100, 3).mul_(new Scalar(0.7));
        assertThat(dropPath.forward(x, Forward.INFERENCE).equal(x)).isTrue();
        assertThat(new DropPath(0).forward(x, training(Pass.REFERENCE, 1)).equal(x))
                .isTrue();
    }

    @Test
    void impossibleProbabilityIsRefused() {
        assertThatThrownBy(() -> new DropPath(-0.1)).hasMessage("dropPath is -0.1: it must be at least 0 and below 1");
    }

    private Forward training(Pass pass, long step) {
        return Forward.training(pass, streams.generator("forward", step));
    }
}
