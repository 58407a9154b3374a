package io.polder.models;

import static org.bytedeco.pytorch.global.torch.max_pool2d;
import static org.bytedeco.pytorch.global.torch.relu_;

import io.polder.nn.BatchNorm2d;
import io.polder.nn.Convolution;
import io.polder.nn.Forward;
import io.polder.nn.Initialization;
import io.polder.nn.Network;
import io.polder.nn.SameConv2d;
import io.polder.nn.Script;
import io.polder.tensor.RandomStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;

/**
 * ResNet (He et al., CVPR 2016): a stem, four groups of residual blocks, each group but the first halving the image and doubling
 * the width, the mean over the image, and a dense layer.
 *
 * <p>The ImageNet form is torchvision's, name for name and pixel for pixel, so its weights load and give its results: the
 * stride of a bottleneck is on its 3×3 convolution, not on the first as in the paper. The CIFAR form is that of the method's
 * authors, with the same names.
 */
public final class ResNet extends Network {
    /** The columns of the paper's table 1. */
    public enum Variant {
        RESNET18(false, 2, 2, 2, 2),
        RESNET34(false, 3, 4, 6, 3),
        RESNET50(true, 3, 4, 6, 3),
        RESNET101(true, 3, 4, 23, 3),
        RESNET152(true, 3, 8, 36, 3);

        private final boolean bottleneck;
        private final int[] blocks;

        Variant(boolean bottleneck, int... blocks) {
            this.bottleneck = bottleneck;
            this.blocks = blocks;
        }

        private int outputs(int width) {
            return bottleneck ? Bottleneck.EXPANSION * width : width;
        }
    }

    private static final int[] WIDTHS = {64, 128, 256, 512};

    private final boolean imageNet;
    private final UnaryOperator<Tensor> stem;
    private final BatchNorm2d norm;
    private final List<Group> groups = new ArrayList<>();
    private final LinearImpl head;

    private ResNet(Variant variant, int classes, boolean imageNet) {
        this.imageNet = imageNet;
        int channels = imageNet ? 64 : 16;
        stem = imageNet
                ? Convolutions.symmetric().add(this, "conv1", 3, channels, 7, 2)
                : Convolutions.tensorFlow(false).add(this, "conv1", 3, channels, 3, 1);
        norm = register_module("bn1", new BatchNorm2d(channels));
        // The authors' basic blocks have biases, their bottlenecks have none.
        var convolutions = imageNet ? Convolutions.symmetric() : Convolutions.tensorFlow(!variant.bottleneck);
        for (int i = 0; i < WIDTHS.length; i++) {
            groups.add(register_module("layer" + (i + 1), new Group(variant, convolutions, channels, i)));
            channels = variant.outputs(WIDTHS[i]);
        }
        head = register_module("fc", new LinearImpl(channels, classes));
    }

    /** As the method's authors have it for small images: a 3×3 stem of 16 channels and norm, no ReLU or pool after it. */
    public static ResNet cifar(Variant variant, int classes, RandomStreams streams) {
        var network = new ResNet(variant, classes, false);
        Initialization.fanOut(network, streams);
        return network;
    }

    /** As torchvision has it: a 7×7 stem with stride 2, norm, ReLU, 3×3 max pool with stride 2. */
    public static ResNet imageNet(Variant variant, int classes, RandomStreams streams) {
        var network = new ResNet(variant, classes, true);
        Initialization.withPyTorchHead(network, streams);
        return network;
    }

    @Override
    public Tensor forward(Tensor images, Forward forward) {
        Tensor x = norm.forward(stem.apply(images), forward);
        if (imageNet) {
            x = max_pool2d(relu_(x), pair(3), pair(2), pair(1), pair(1), false);
        }
        for (Group group : groups) {
            x = group.forward(x, forward);
        }
        return head.forward(x.mean(2, 3));
    }

    @Override
    public Optional<Script> script() {
        Script script = Script.of(
                        "ResNet",
                        "x = self.bn1(self.conv1(x))",
                        imageNet ? "x = torch.max_pool2d(torch.relu(x), [3, 3], [2, 2], [1, 1])" : "x = x",
                        "x = self.layer4(self.layer3(self.layer2(self.layer1(x))))",
                        "return self.fc(x.mean([2, 3]))")
                .with("conv1", imageNet ? convolution(true, 7, 2) : convolution(false, 3, 1))
                .with("bn1", norm.script())
                .with("fc", Script.linear());
        for (int i = 0; i < groups.size(); i++) {
            script.with("layer" + (i + 1), groups.get(i).script(imageNet, i == 0 ? 1 : 2));
        }
        return Optional.of(script);
    }

    private static Script convolution(boolean imageNet, int kernel, int stride) {
        return imageNet ? Script.convolution(stride, kernel / 2) : SameConv2d.script(kernel, stride);
    }

    private static long[] pair(long value) {
        return new long[] {value, value};
    }

    /** Makes the convolutions of a form and registers them with the module they are part of. */
    @FunctionalInterface
    private interface Convolutions {
        UnaryOperator<Tensor> add(Module owner, String name, int inputs, int outputs, int kernel, int stride);

        /** torchvision's: padded alike on all sides, without biases. */
        static Convolutions symmetric() {
            return (owner, name, inputs, outputs, kernel, stride) ->
                    owner.register_module(name, Convolution.same(inputs, outputs, kernel, stride))::forward;
        }

        /** The authors': where the stride is 2, less padding before the image than after it. */
        static Convolutions tensorFlow(boolean withBias) {
            return (owner, name, inputs, outputs, kernel, stride) ->
                    owner.register_module(name, new SameConv2d(inputs, outputs, kernel, stride, withBias))::forward;
        }
    }

    /** relu(branch(x) + shortcut(x)), where the shortcut is x itself or, if the shape changes, its projection. */
    private abstract static class Block extends Module {
        private Projection projection;

        /** To be called when the branch is registered: torchvision's order. */
        final void addShortcut(Convolutions convolutions, int inputs, int outputs, int stride) {
            if (inputs != outputs || stride != 1) {
                projection = register_module("downsample", new Projection(convolutions, inputs, outputs, stride));
            }
        }

        abstract Tensor branch(Tensor x, Forward forward);

        final Tensor forward(Tensor x, Forward forward) {
            Tensor shortcut = projection == null ? x : projection.forward(x, forward);
            return relu_(branch(x, forward).add_(shortcut));
        }

        abstract Script branch(boolean imageNet, int stride, String sum);

        final Script script(boolean imageNet, int stride) {
            Script script = branch(
                    imageNet,
                    stride,
                    "return torch.relu(y + " + (projection == null ? "x" : "self.downsample(x)") + ")");
            return projection == null ? script : script.with("downsample", projection.script(imageNet, stride));
        }
    }

    /** 3×3, norm, ReLU, 3×3, norm. */
    private static final class BasicBlock extends Block {
        private final UnaryOperator<Tensor> conv1;
        private final BatchNorm2d norm1;
        private final UnaryOperator<Tensor> conv2;
        private final BatchNorm2d norm2;

        BasicBlock(Convolutions convolutions, int inputs, int width, int stride) {
            conv1 = convolutions.add(this, "conv1", inputs, width, 3, stride);
            norm1 = register_module("bn1", new BatchNorm2d(width));
            conv2 = convolutions.add(this, "conv2", width, width, 3, 1);
            norm2 = register_module("bn2", new BatchNorm2d(width));
            addShortcut(convolutions, inputs, width, stride);
        }

        @Override
        Tensor branch(Tensor x, Forward forward) {
            x = relu_(norm1.forward(conv1.apply(x), forward));
            return norm2.forward(conv2.apply(x), forward);
        }

        @Override
        Script branch(boolean imageNet, int stride, String sum) {
            return Script.of("BasicBlock", "y = self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x)))))", sum)
                    .with("conv1", convolution(imageNet, 3, stride))
                    .with("bn1", norm1.script())
                    .with("conv2", convolution(imageNet, 3, 1))
                    .with("bn2", norm2.script());
        }
    }

    /** 1×1 to the width, norm, ReLU, 3×3, norm, ReLU, 1×1 to four times the width, norm. */
    private static final class Bottleneck extends Block {
        private static final int EXPANSION = 4;

        private final UnaryOperator<Tensor> conv1;
        private final BatchNorm2d norm1;
        private final UnaryOperator<Tensor> conv2;
        private final BatchNorm2d norm2;
        private final UnaryOperator<Tensor> conv3;
        private final BatchNorm2d norm3;

        Bottleneck(Convolutions convolutions, int inputs, int width, int stride) {
            int outputs = EXPANSION * width;
            conv1 = convolutions.add(this, "conv1", inputs, width, 1, 1);
            norm1 = register_module("bn1", new BatchNorm2d(width));
            conv2 = convolutions.add(this, "conv2", width, width, 3, stride);
            norm2 = register_module("bn2", new BatchNorm2d(width));
            conv3 = convolutions.add(this, "conv3", width, outputs, 1, 1);
            norm3 = register_module("bn3", new BatchNorm2d(outputs));
            addShortcut(convolutions, inputs, outputs, stride);
        }

        @Override
        Tensor branch(Tensor x, Forward forward) {
            x = relu_(norm1.forward(conv1.apply(x), forward));
            x = relu_(norm2.forward(conv2.apply(x), forward));
            return norm3.forward(conv3.apply(x), forward);
        }

        @Override
        Script branch(boolean imageNet, int stride, String sum) {
            return Script.of(
                            "Bottleneck",
                            "y = torch.relu(self.bn1(self.conv1(x)))",
                            "y = torch.relu(self.bn2(self.conv2(y)))",
                            "y = self.bn3(self.conv3(y))",
                            sum)
                    .with("conv1", convolution(imageNet, 1, 1))
                    .with("bn1", norm1.script())
                    .with("conv2", convolution(imageNet, 3, stride))
                    .with("bn2", norm2.script())
                    .with("conv3", convolution(imageNet, 1, 1))
                    .with("bn3", norm3.script());
        }
    }

    /** The shortcut where the shape changes: 1×1 with the block's stride, norm. */
    private static final class Projection extends Module {
        private final UnaryOperator<Tensor> convolution;
        private final BatchNorm2d norm;

        Projection(Convolutions convolutions, int inputs, int outputs, int stride) {
            convolution = convolutions.add(this, "0", inputs, outputs, 1, stride);
            norm = register_module("1", new BatchNorm2d(outputs));
        }

        Tensor forward(Tensor x, Forward forward) {
            return norm.forward(convolution.apply(x), forward);
        }

        Script script(boolean imageNet, int stride) {
            return Script.inTurn("Projection", List.of(convolution(imageNet, 1, stride), norm.script()));
        }
    }

    /** Blocks of one width; the first of them brings the shape. */
    private static final class Group extends Module {
        private final List<Block> blocks = new ArrayList<>();

        Group(Variant variant, Convolutions convolutions, int inputs, int index) {
            int width = WIDTHS[index];
            for (int i = 0; i < variant.blocks[index]; i++) {
                int stride = index > 0 && i == 0 ? 2 : 1;
                Block block = variant.bottleneck
                        ? new Bottleneck(convolutions, inputs, width, stride)
                        : new BasicBlock(convolutions, inputs, width, stride);
                blocks.add(register_module("" + i, block));
                inputs = variant.outputs(width);
            }
        }

        Tensor forward(Tensor x, Forward forward) {
            for (Block block : blocks) {
                x = block.forward(x, forward);
            }
            return x;
        }

        Script script(boolean imageNet, int stride) {
            List<Script> scripts = new ArrayList<>();
            for (Block block : blocks) {
                scripts.add(block.script(imageNet, scripts.isEmpty() ? stride : 1));
            }
            return Script.inTurn("Group", scripts);
        }
    }
}
