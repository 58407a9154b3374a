package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.polder.nn.Forward;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.util.Map;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class WideResNetShakeShakeTest {
    private static final RandomStreams STREAMS = new RandomStreams(2);

    @Test
    void namesAreInOrderOfFirstUse() {
        try (var scope = Scope.open()) {
            var network = new WideResNetShakeShake(4, 3, 10, STREAMS);
            var names = network.parametersByName().keySet().stream()
                    .filter(name -> !name.endsWith(".bias"))
                    .toList();
            assertThat(names)
                    .startsWith(
                            "stem.weight",
                            "stem_norm.weight",
                            "group1.0.branch1.conv1.weight",
                            "group1.0.branch1.norm1.weight",
                            "group1.0.branch1.conv2.weight",
                            "group1.0.branch1.norm2.weight",
                            "group1.0.branch2.conv1.weight",
                            "group1.0.branch2.norm1.weight",
                            "group1.0.branch2.conv2.weight",
                            "group1.0.branch2.norm2.weight",
                            "group1.0.shortcut.conv1.weight",
                            "group1.0.shortcut.conv2.weight",
                            "group1.0.shortcut.norm.weight",
                            "group1.1.branch1.conv1.weight")
                    .endsWith("group3.3.branch2.norm2.weight", "head.weight");
        }
    }

    @Test
    void shortcutTakesEveryOtherPixelAndTheOnesDownAndRightOfThem() {
        //  0  1  2  3  4
        //  5  6  7  8  9
        // 10 11 12 13 14
        try (var scope = Scope.withoutGradient()) {
            Tensor x = torch.arange(new Scalar(15)).to(torch.ScalarType.Float).view(1, 1, 3, 5);
            var shortcut = new WideResNetShakeShake.Shortcut(1, 2, 2);
            shortcut.named_parameters().get("conv1.weight").fill_(new Scalar(1.0));
            shortcut.named_parameters().get("conv2.weight").fill_(new Scalar(1.0));
            Tensor y = shortcut.forward(x, Forward.INFERENCE).flatten();
            double[] expected = {0, 2, 4, 10, 12, 14, 6, 8, 0, 0, 0, 0};
            assertThat(y.numel()).isEqualTo(expected.length);
            for (int i = 0; i < expected.length; i++) {
                // Batch norm divides by √(1 + 1e-5).
                assertThat(y.get(i).item_double()).isCloseTo(expected[i], within(1e-4));
            }
        }
    }

    /** There are no published logits of this family: this is its description again, from the parameters by name. */
    @Test
    void logitsAreThoseOfThePlainFormula() {
        try (var scope = Scope.withoutGradient()) {
            var network = new WideResNetShakeShake(4, 3, 10, STREAMS);
            FormulaWeights.fill(network);
            var p = network.parametersByName();
            Tensor images = torch.empty(2, 3, 8, 8)
                    .normal_(0, 1, new GeneratorOptional(STREAMS.generator("images")))
                    .to(torch.ScalarType.Double);

            Tensor x = norm(p, "stem_norm", conv(p, "stem", images, 1));
            for (int block = 0; block < 12; block++) {
                String name = "group" + (1 + block / 4) + "." + block % 4;
                int stride = block == 4 || block == 8 ? 2 : 1;
                Tensor a = branch(p, name + ".branch1", x, stride);
                Tensor b = branch(p, name + ".branch2", x, stride);
                Tensor around = block % 4 == 0 ? shortcut(p, name + ".shortcut", x, stride) : x;
                x = a.mul(new Scalar(0.5)).add(b.mul(new Scalar(0.5))).add(around);
            }
            Tensor pooled = torch.relu(x).flatten(2, 3).mean(2);
            Tensor expected = pooled.matmul(p.get("head.weight").t()).add(p.get("head.bias"));

            Tensor logits = network.forward(images, Forward.INFERENCE);
            assertThat(expected.abs().max().item_double()).isPositive();
            double error = logits.sub(expected).abs().max().item_double();
            assertThat(error / expected.abs().max().item_double()).isLessThan(1e-12);
        }
    }

    private static Tensor branch(Map<String, Tensor> p, String name, Tensor x, int stride) {
        Tensor inner = torch.relu(norm(p, name + ".norm1", conv(p, name + ".conv1", torch.relu(x), stride)));
        return norm(p, name + ".norm2", conv(p, name + ".conv2", inner, 1));
    }

    private static Tensor shortcut(Map<String, Tensor> p, String name, Tensor x, int stride) {
        Tensor moved = torch.zeros_like(x);
        long height = x.size(2) - 1;
        long width = x.size(3) - 1;
        moved.narrow(2, 0, height)
                .narrow(3, 0, width)
                .copy_(x.narrow(2, 1, height).narrow(3, 1, width));
        Tensor half1 = torch.conv2d(everyOther(x, 0, stride), p.get(name + ".conv1.weight"));
        Tensor half2 = torch.conv2d(everyOther(moved, 0, stride), p.get(name + ".conv2.weight"));
        return norm(p, name + ".norm", torch.cat(new TensorVector(half1, half2), 1));
    }

    /** Padding 0 before and 1 after, as TensorFlow has it for stride 2 and an even size, puts the centres at odd pixels. */
    private static Tensor conv(Map<String, Tensor> p, String name, Tensor x, int stride) {
        Tensor everywhere = torch.conv2d(torch.constant_pad_nd(x, 1, 1, 1, 1), p.get(name + ".weight"));
        return everyOther(everywhere, stride - 1, stride);
    }

    private static Tensor everyOther(Tensor x, long first, long stride) {
        return x.slice(2, new LongOptional(first), new LongOptional(), stride)
                .slice(3, new LongOptional(first), new LongOptional(), stride);
    }

    /** At inference, with a running mean of 0 and variance of 1. */
    private static Tensor norm(Map<String, Tensor> p, String name, Tensor x) {
        Tensor scale = p.get(name + ".weight").view(1, -1, 1, 1);
        Tensor shift = p.get(name + ".bias").view(1, -1, 1, 1);
        return x.mul(scale.div(new Scalar(Math.sqrt(1 + 1e-5)))).add(shift);
    }

    @Test
    void widthsThatCannotBeHalvedAreRefused() {
        assertThatThrownBy(() -> new WideResNetShakeShake(7, 3, 10, STREAMS))
                .hasMessage("width is 7: it must be even and at least 2, such as 96");
        assertThatThrownBy(() -> new WideResNetShakeShake(0, 3, 10, STREAMS)).hasMessageStartingWith("width is 0:");
    }
}
