package io.polder.models;

import static org.bytedeco.pytorch.global.torch.relu_;

import io.polder.nn.BatchNorm2d;
import io.polder.nn.Forward;
import io.polder.nn.Initialization;
import io.polder.nn.Network;
import io.polder.nn.SameConv2d;
import io.polder.nn.Script;
import io.polder.nn.ZeroPaddedShortcut;
import io.polder.tensor.RandomStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;

/**
 * A wide residual network, WRN-depth-width (Zagoruyko and Komodakis, 2016), as the authors of the method build it: a 3×3 stem of
 * 16 channels, three groups of (depth − 4)/6 blocks with 16, 32 and 64 times {@code width} channels, the second and third
 * halving the image, then batch norm, ReLU, the mean over the image, and a dense layer.
 *
 * <p>Where it is not the paper's: a shortcut that changes the shape averages and appends zero channels, where the paper's is a
 * 1×1 convolution; there is no dropout; padding is TensorFlow's.
 */
public final class WideResNet extends Network {
    private static final int STEM_CHANNELS = 16;

    /**
     * x + conv(act(conv(act(x)))), with act for batch norm and ReLU. The first block of the network adds act(x) instead of x, as
     * the stem's output is not activated anywhere else.
     */
    private static final class Block extends Module {
        private final BatchNorm2d norm1;
        private final SameConv2d conv1;
        private final BatchNorm2d norm2;
        private final SameConv2d conv2;
        private final ZeroPaddedShortcut shortcut;
        private final boolean first;

        Block(int inputs, int outputs, int stride, boolean first) {
            norm1 = register_module("norm1", new BatchNorm2d(inputs));
            conv1 = register_module("conv1", new SameConv2d(inputs, outputs, 3, stride));
            norm2 = register_module("norm2", new BatchNorm2d(outputs));
            conv2 = register_module("conv2", new SameConv2d(outputs, outputs, 3, 1));
            shortcut = new ZeroPaddedShortcut(outputs, stride);
            this.first = first;
        }

        Tensor forward(Tensor x, Forward forward) {
            Tensor active = relu_(norm1.forward(x, forward));
            Tensor residual = conv2.forward(relu_(norm2.forward(conv1.forward(active), forward)));
            return residual.add_(shortcut.forward(first ? active : x));
        }

        Script script() {
            return Script.of(
                            "Block",
                            "active = torch.relu(self.norm1(x))",
                            "residual = self.conv2(torch.relu(self.norm2(self.conv1(active))))",
                            "return residual + " + shortcut.script(first ? "active" : "x"))
                    .with("norm1", norm1.script())
                    .with("conv1", conv1.script())
                    .with("norm2", norm2.script())
                    .with("conv2", conv2.script());
        }
    }

    private final SameConv2d stem;
    private final List<Block> blocks = new ArrayList<>();
    private final BatchNorm2d norm;
    private final LinearImpl head;

    /**
     * @param depth 6n + 4 for n blocks in each group: 16, 28 or 40 in the paper
     * @param width how many times wider than a plain residual network: 10 in WRN-28-10
     * @param channels of the images
     */
    public WideResNet(int depth, int width, int channels, int classes, RandomStreams streams) {
        if (depth < 10 || depth % 6 != 4) {
            throw new IllegalArgumentException("depth is " + depth + ": it must be 6n + 4, such as 16 or 28");
        }
        if (width < 1) {
            throw new IllegalArgumentException("width is " + width + ": it must be at least 1");
        }
        stem = register_module("stem", new SameConv2d(channels, STEM_CHANNELS, 3, 1));
        int inputs = STEM_CHANNELS;
        for (int group = 1; group <= 3; group++) {
            Module registered = register_module("group" + group, new Module());
            int outputs = (16 << (group - 1)) * width;
            for (int i = 0; i < (depth - 4) / 6; i++) {
                int stride = group > 1 && i == 0 ? 2 : 1;
                var block = new Block(inputs, outputs, stride, blocks.isEmpty());
                blocks.add(registered.register_module(Integer.toString(i), block));
                inputs = outputs;
            }
        }
        norm = register_module("norm", new BatchNorm2d(inputs));
        head = register_module("head", new LinearImpl(inputs, classes));
        Initialization.fanOut(this, streams);
    }

    @Override
    public Tensor forward(Tensor images, Forward forward) {
        Tensor x = stem.forward(images);
        for (Block block : blocks) {
            x = block.forward(x, forward);
        }
        return head.forward(relu_(norm.forward(x, forward)).mean(2, 3));
    }

    @Override
    public Optional<Script> script() {
        Script script = Script.of(
                        "WideResNet",
                        "x = self.group3(self.group2(self.group1(self.stem(x))))",
                        "return self.head(torch.relu(self.norm(x)).mean([2, 3]))")
                .with("stem", stem.script())
                .with("norm", norm.script())
                .with("head", Script.linear());
        int inGroup = blocks.size() / 3;
        for (int group = 0; group < 3; group++) {
            List<Block> those = blocks.subList(group * inGroup, (group + 1) * inGroup);
            script.with(
                    "group" + (group + 1),
                    Script.inTurn("Group", those.stream().map(Block::script).toList()));
        }
        return Optional.of(script);
    }
}
