package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.RandomStreams;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** One small step of the method on one small batch of noise: what any network that can be trained must survive. */
final class PenaltyStep {
    private PenaltyStep() {}

    static void assertLowersTheLoss(Network network, int image, int classes) {
        int batch = 4;
        var streams = new RandomStreams(3);
        Tensor images =
                torch.empty(batch, 3, image, image).normal_(0, 1, new GeneratorOptional(streams.generator("images")));
        Tensor targets = torch.zeros(batch, classes);
        for (int i = 0; i < batch; i++) {
            targets.get(i).get(i % classes).fill_(new Scalar(1.0));
        }
        try (var parameters = FlatParameters.of(network.parametersByName());
                var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(0), streams);
                var optimizer = new Sgd(0, false)) {
            pass.on(images, targets, 0);
            var step = GradientScheme.gradientNormPenalty(0.05, 0.8).computeGradient(pass, parameters, 0);
            assertThat(step.figures().get("r")).isEqualTo(0.05);
            // Along the gradient, as far as lowers the loss by about a hundredth to first order.
            optimizer.step(parameters, 0.01 / (step.norm() * step.norm()));
            assertThat(parameters.values().norm()).isFinite();
            // The same step's draws: dropout and drop path as they were.
            assertThat(pass.compute(Pass.REFERENCE)).isLessThan(step.loss());
        }
    }
}
