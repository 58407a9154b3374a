package io.polder.nn;

import io.polder.tensor.Device;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.StringTensorDict;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A classifier: a batch of images (n, channels, height, width) in, logits (n, classes) out.
 *
 * <p>Layers are registered in the constructor with {@code register_module}, and the names become those of PyTorch's
 * {@code state_dict}. A network owns native memory: make it inside the {@link Scope} of the run that uses it.
 */
public abstract class Network extends Module {
    /** The result belongs to the caller's scope. */
    public abstract Tensor forward(Tensor images, Forward forward);

    /** The trainable parameters in order of registration, by dotted name: those that require a gradient. */
    public Map<String, Tensor> parametersByName() {
        return trainable(byName(named_parameters()), true);
    }

    /** What is state but not trained, by dotted name: frozen parameters, and buffers such as running statistics. */
    public Map<String, Tensor> buffersByName() {
        Map<String, Tensor> state = trainable(byName(named_parameters()), false);
        state.putAll(statisticsByName());
        return state;
    }

    /** What a pass in training may change by itself, by dotted name: the buffers alone, running statistics above all. */
    public Map<String, Tensor> statisticsByName() {
        return byName(named_buffers());
    }

    /** Of all parameters those that are, or are not, to be trained. */
    protected static Map<String, Tensor> trainable(Map<String, Tensor> parameters, boolean wanted) {
        parameters.values().removeIf(parameter -> parameter.requires_grad() != wanted);
        return parameters;
    }

    /** How many numbers are trained. */
    public long parameterCount() {
        try (var scope = Scope.open()) {
            return parametersByName().values().stream().mapToLong(Tensor::numel).sum();
        }
    }

    /** The handles are copies that share the tensors: those in the engine's dictionary die with it. */
    private static Map<String, Tensor> byName(StringTensorDict dictionary) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (long i = 0; i < dictionary.size(); i++) {
            var item = dictionary.get(i);
            tensors.put(item.key().getString(), new Tensor(item.value()));
        }
        return tensors;
    }

    /**
     * How weights are called in a file by somebody else's program that this network can take; empty for its own names.
     *
     * @param stored the names in the file
     * @throws IOException if it is known whose they are, and they would give another network than theirs
     */
    public Optional<OtherNames> otherNames(Set<String> stored) throws IOException {
        return Optional.empty();
    }

    /** The network as a program of its own, for inference; empty for one that has none. */
    public Optional<Script> script() {
        return Optional.empty();
    }

    /** Before the parameters are made flat. */
    public Network moveTo(Device device) {
        to(device.toEngine(), false);
        return this;
    }

    /** Double precision, for tests against published numbers. To be called before the parameters are made flat. */
    public Network inDoublePrecision() {
        try (var scope = Scope.withoutGradient()) {
            // Not Module.to: it would make counters double too.
            Stream.of(parametersByName(), buffersByName())
                    .flatMap(tensors -> tensors.values().stream())
                    .filter(Tensor::is_floating_point)
                    .forEach(tensor -> tensor.set_data(tensor.to(torch.ScalarType.Double)));
        }
        return this;
    }
}
