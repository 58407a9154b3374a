package io.polder.models;

import static org.bytedeco.pytorch.global.torch.adaptive_avg_pool2d;
import static org.bytedeco.pytorch.global.torch.max_pool2d;
import static org.bytedeco.pytorch.global.torch.relu_;

import io.polder.nn.BatchNorm2d;
import io.polder.nn.Dropout;
import io.polder.nn.Forward;
import io.polder.nn.Initialization;
import io.polder.nn.Network;
import io.polder.nn.SameConv2d;
import io.polder.nn.Script;
import io.polder.tensor.RandomStreams;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;

/**
 * VGG (Simonyan, Zisserman; ICLR 2015), with or without batch norm: five blocks of 3×3 convolutions, each block halving the image
 * by a max pool, then two dense layers of 4096 with dropout, then the head.
 *
 * <p>Both forms have torchvision's names, so its weights load by name. They differ in what the dense layers see (one pixel of
 * 512 channels, or 7×7 of them) and in how those layers start.
 */
public final class Vgg extends Network {
    /** The columns D and E of the paper's table 1. */
    public enum Variant {
        VGG16(false, 2, 2, 3, 3, 3),
        VGG16_BN(true, 2, 2, 3, 3, 3),
        VGG19(false, 2, 2, 4, 4, 4),
        VGG19_BN(true, 2, 2, 4, 4, 4);

        private final boolean batchNorm;
        private final int[] convolutions;

        Variant(boolean batchNorm, int... convolutions) {
            this.batchNorm = batchNorm;
            this.convolutions = convolutions;
        }
    }

    private static final int[] WIDTHS = {64, 128, 256, 512, 512};

    private final Features features;
    private final int grid;
    private final Classifier classifier;

    private Vgg(Variant variant, int grid, int classes) {
        features = register_module("features", new Features(variant));
        this.grid = grid;
        int channels = WIDTHS[WIDTHS.length - 1];
        classifier = register_module("classifier", new Classifier(channels * grid * grid, classes));
    }

    /** As the method's authors have it, for images of 32×32, of which the five pools leave one pixel. */
    public static Vgg cifar(Variant variant, int classes, RandomStreams streams) {
        var network = new Vgg(variant, 1, classes);
        Initialization.fanOut(network, streams);
        return network;
    }

    /** As torchvision has it, for images of 224×224; others, of at least 32×32, are pooled to the same 7×7 for the dense layers. */
    public static Vgg imageNet(Variant variant, int classes, RandomStreams streams) {
        var network = new Vgg(variant, 7, classes);
        Initialization.draw(network, streams, (weight, bias, generator) -> weight.normal_(0, 0.01, generator));
        return network;
    }

    @Override
    public Tensor forward(Tensor images, Forward forward) {
        // At 32×32 in the one form and 224×224 in the other this pool changes nothing.
        Tensor x = adaptive_avg_pool2d(features.forward(images, forward), grid, grid);
        return classifier.forward(x.flatten(1, -1), forward);
    }

    @Override
    public Optional<Script> script() {
        return Optional.of(Script.of(
                        "Vgg",
                        "x = torch.adaptive_avg_pool2d(self.features(x), [%1$d, %1$d])".formatted(grid),
                        "return self.classifier(torch.flatten(x, 1))")
                .with("features", features.script())
                .with("classifier", classifier.script()));
    }

    /** A 3×3 convolution with a bias, [batch norm,] ReLU. */
    private record Layer(SameConv2d convolution, BatchNorm2d norm) {
        Tensor forward(Tensor x, Forward forward) {
            Tensor sum = convolution.forward(x);
            return relu_(norm == null ? sum : norm.forward(sum, forward));
        }
    }

    /** The blocks of layers. Every step has a number, those without parameters too: that makes torchvision's names. */
    private static final class Features extends Module {
        private final List<List<Layer>> blocks = new ArrayList<>();

        Features(Variant variant) {
            int number = 0;
            int inputs = 3;
            for (int i = 0; i < WIDTHS.length; i++) {
                List<Layer> block = new ArrayList<>();
                for (int j = 0; j < variant.convolutions[i]; j++) {
                    var convolution = register_module("" + number++, new SameConv2d(inputs, WIDTHS[i], 3, 1, true));
                    BatchNorm2d norm = null;
                    if (variant.batchNorm) {
                        norm = register_module("" + number++, new BatchNorm2d(WIDTHS[i]));
                    }
                    block.add(new Layer(convolution, norm));
                    number++; // ReLU
                    inputs = WIDTHS[i];
                }
                blocks.add(block);
                number++; // the pool
            }
        }

        Tensor forward(Tensor x, Forward forward) {
            for (List<Layer> block : blocks) {
                for (Layer layer : block) {
                    x = layer.forward(x, forward);
                }
                x = max_pool2d(x, 2, 2);
            }
            return x;
        }

        Script script() {
            List<String> lines = new ArrayList<>();
            Map<String, Script> layers = new LinkedHashMap<>();
            int number = 0;
            for (List<Layer> block : blocks) {
                for (Layer layer : block) {
                    String sum = "self." + number + "(x)";
                    layers.put("" + number++, layer.convolution.script());
                    if (layer.norm != null) {
                        sum = "self." + number + "(" + sum + ")";
                        layers.put("" + number++, layer.norm.script());
                    }
                    lines.add("x = torch.relu(" + sum + ")");
                    number++; // ReLU
                }
                lines.add("x = torch.max_pool2d(x, [2, 2], [2, 2])");
                number++; // the pool
            }
            lines.add("return x");
            Script script = Script.of("Features", lines.toArray(String[]::new));
            layers.forEach(script::with);
            return script;
        }
    }

    /** Dense, ReLU, dropout, twice; then the head. Numbered as the features are. */
    private static final class Classifier extends Module {
        private static final int WIDTH = 4096;

        private final LinearImpl dense1;
        private final LinearImpl dense2;
        private final LinearImpl head;
        private final Dropout dropout = new Dropout(0.5);

        Classifier(int inputs, int classes) {
            dense1 = register_module("0", new LinearImpl(inputs, WIDTH));
            dense2 = register_module("3", new LinearImpl(WIDTH, WIDTH));
            head = register_module("6", new LinearImpl(WIDTH, classes));
        }

        Tensor forward(Tensor x, Forward forward) {
            x = dropout.forward(relu_(dense1.forward(x)), forward);
            x = dropout.forward(relu_(dense2.forward(x)), forward);
            return head.forward(x);
        }

        Script script() {
            return Script.of("Classifier", "return self.6(torch.relu(self.3(torch.relu(self.0(x)))))")
                    .with("0", Script.linear())
                    .with("3", Script.linear())
                    .with("6", Script.linear());
        }
    }
}
