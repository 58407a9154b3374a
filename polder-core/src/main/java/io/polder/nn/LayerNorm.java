package io.polder.nn;

import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/** Layer normalisation over the last dimension with ε = 1e-6, as transformers for images have it; the engine's own has 1e-5. */
public final class LayerNorm extends Module {
    private static final double EPSILON = 1e-6;

    private final long width;
    private final Tensor weight;
    private final Tensor bias;

    /** Keeps the handles it made: those that {@code register_…} returns dangle as soon as another is registered. */
    public LayerNorm(long width) {
        this.width = width;
        weight = torch.ones(width);
        bias = torch.zeros(width);
        register_parameter("weight", weight);
        register_parameter("bias", bias);
    }

    public Tensor forward(Tensor x) {
        return torch.layer_norm(
                x, new long[] {width}, new TensorOptional(weight), new TensorOptional(bias), EPSILON, true);
    }

    public Script script() {
        return Script.of(
                "LayerNorm", "return torch.layer_norm(x, [" + width + "], self.weight, self.bias, " + EPSILON + ")");
    }
}
