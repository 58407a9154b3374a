package io.polder.models;

import io.polder.nn.Dropout;
import io.polder.nn.Forward;
import io.polder.nn.Initialization;
import io.polder.nn.Network;
import io.polder.nn.Script;
import io.polder.tensor.RandomStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Dense layers with an activation and dropout between them, on the image seen as one vector. */
public final class MultilayerPerceptron extends Network {
    public enum Activation {
        RELU,
        TANH
    }

    private final List<LinearImpl> layers = new ArrayList<>();
    private final Activation activation;
    private final Dropout dropout;

    /** @param widths from the number of inputs to the number of classes, such as 784, 128, 10 */
    public MultilayerPerceptron(List<Integer> widths, Activation activation, Dropout dropout, RandomStreams streams) {
        if (widths.size() < 2) {
            throw new IllegalArgumentException(
                    "widths is " + widths + ": it must name at least the inputs and the classes");
        }
        this.activation = activation;
        this.dropout = dropout;
        for (int i = 0; i + 1 < widths.size(); i++) {
            layers.add(register_module("layer" + (i + 1), new LinearImpl(widths.get(i), widths.get(i + 1))));
        }
        Initialization.kaiming(this, streams);
    }

    @Override
    public Tensor forward(Tensor images, Forward forward) {
        Tensor x = images.flatten(1, -1);
        for (LinearImpl layer : layers.subList(0, layers.size() - 1)) {
            Tensor sum = layer.forward(x);
            x = dropout.forward(activation == Activation.RELU ? torch.relu(sum) : torch.tanh(sum), forward);
        }
        return layers.get(layers.size() - 1).forward(x);
    }

    @Override
    public Optional<Script> script() {
        int last = layers.size();
        List<String> lines = new ArrayList<>(List.of("x = torch.flatten(x, 1)"));
        for (int i = 1; i < last; i++) {
            lines.add("x = torch." + (activation == Activation.RELU ? "relu" : "tanh") + "(self.layer" + i + "(x))");
        }
        lines.add("return self.layer" + last + "(x)");
        Script script = Script.of("MultilayerPerceptron", lines.toArray(String[]::new));
        for (int i = 1; i <= last; i++) {
            script.with("layer" + i, Script.linear());
        }
        return Optional.of(script);
    }
}
