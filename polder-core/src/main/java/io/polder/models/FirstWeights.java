package io.polder.models;

import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;

/**
 * First weights of layers from Python, drawn from the run's own stream as their {@code reset_parameters} would: dense layers and
 * convolutions uniform within ±1/√(inputs · kernel area), embeddings normal with deviation 1, normalisation 1 and 0 with new running
 * statistics. What is frozen stays.
 */
final class FirstWeights {
    /** By their places in PyTorch, so that somebody else's {@code Linear} is not taken for its own. */
    private static final Set<String> DENSE = Set.of(
            "torch.nn.modules.linear.Linear",
            "torch.nn.modules.conv.Conv1d",
            "torch.nn.modules.conv.Conv2d",
            "torch.nn.modules.conv.Conv3d",
            "torch.nn.modules.conv.ConvTranspose1d",
            "torch.nn.modules.conv.ConvTranspose2d",
            "torch.nn.modules.conv.ConvTranspose3d");

    private static final Set<String> EMBEDDINGS = Set.of("torch.nn.modules.sparse.Embedding");

    private static final Set<String> NORMALISATIONS = Set.of(
            "torch.nn.modules.batchnorm.BatchNorm1d",
            "torch.nn.modules.batchnorm.BatchNorm2d",
            "torch.nn.modules.batchnorm.BatchNorm3d",
            "torch.nn.modules.batchnorm.SyncBatchNorm",
            "torch.nn.modules.instancenorm.InstanceNorm1d",
            "torch.nn.modules.instancenorm.InstanceNorm2d",
            "torch.nn.modules.instancenorm.InstanceNorm3d",
            "torch.nn.modules.normalization.GroupNorm",
            "torch.nn.modules.normalization.LayerNorm",
            "torch.nn.modules.normalization.RMSNorm");

    /** Of a layer that was reparametrised, with {@code weight_g} and {@code weight_v}, not all is known. */
    private static final Set<String> PARAMETERS = Set.of("weight", "bias");

    /**
     * A layer with its own tensors, not those of the layers inside it.
     *
     * @param name as in the names of its parameters; empty for the network itself
     * @param kind its class in Python, with the package
     */
    record Layer(String name, String kind, Map<String, Tensor> parameters, Map<String, Tensor> buffers) {
        void requireKnown() throws IOException {
            boolean known = DENSE.contains(kind) || EMBEDDINGS.contains(kind) || NORMALISATIONS.contains(kind);
            for (var parameter : parameters.entrySet()) {
                if (parameter.getValue().requires_grad() && !(known && PARAMETERS.contains(parameter.getKey()))) {
                    throw new IOException((name.isEmpty() ? "" : name + ".") + parameter.getKey()
                            + " of the TorchScript network cannot be drawn anew, because nothing says how a layer of the kind "
                            + kind
                            + " starts: set model.redraw to false, and every seed starts from the file's weights");
                }
            }
        }

        private void draw(GeneratorOptional generator) {
            Tensor weight = parameters.get("weight");
            if (DENSE.contains(kind)) {
                double bound = 1 / Math.sqrt((double) weight.numel() / weight.size(0));
                trainable().forEach(parameter -> parameter.uniform_(-bound, bound, generator));
            } else if (EMBEDDINGS.contains(kind)) {
                Tensor padding = weight.eq(new Scalar(0)).all(1, true); // no draw would give a row of zeros
                trainable()
                        .forEach(parameter -> parameter.normal_(0, 1, generator).masked_fill_(padding, new Scalar(0)));
            } else if (NORMALISATIONS.contains(kind) && trainable().size() == parameters.size()) {
                parameters.forEach((name, parameter) -> parameter.fill_(new Scalar(name.equals("weight") ? 1 : 0)));
                buffers.forEach((name, buffer) -> buffer.fill_(new Scalar(name.equals("running_var") ? 1 : 0)));
            }
        }

        private List<Tensor> trainable() {
            return parameters.values().stream().filter(Tensor::requires_grad).toList();
        }
    }

    private FirstWeights() {}

    /** @throws IOException if a trainable parameter is of a kind that is not known; then nothing was drawn */
    static void draw(List<Layer> layers, RandomStreams streams) throws IOException {
        for (Layer layer : layers) {
            layer.requireKnown();
        }
        try (var scope = Scope.withoutGradient()) {
            var generator = new GeneratorOptional(streams.generator("initial weights"));
            layers.forEach(layer -> layer.draw(generator));
        }
    }
}
