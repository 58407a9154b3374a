package io.polder.models;

import static org.bytedeco.pytorch.global.torch.relu;
import static org.bytedeco.pytorch.global.torch.relu_;

import io.polder.nn.BatchNorm2d;
import io.polder.nn.Forward;
import io.polder.nn.Initialization;
import io.polder.nn.Network;
import io.polder.nn.SameConv2d;
import io.polder.nn.Script;
import io.polder.nn.ShakeShake;
import io.polder.tensor.RandomStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * A wide residual network with two branches in each block that are mixed at random, WRN-SS 2×width (Gastaldi, 2017), 26 layers deep: a
 * 3×3 stem of 16 channels with batch norm, three groups of four blocks with 1, 2 and 4 times {@code width} channels, the
 * second and third halving the image, then ReLU, the mean over the image, and a dense layer. {@link ShakeShake} says how the
 * two passes of a step mix.
 */
public final class WideResNetShakeShake extends Network {
    private static final int STEM_CHANNELS = 16;
    private static final int BLOCKS_IN_GROUP = 4;

    /** norm(conv(act(conv(relu(x))))), with act for batch norm and ReLU. */
    private static final class Branch extends Module {
        private final SameConv2d conv1;
        private final BatchNorm2d norm1;
        private final SameConv2d conv2;
        private final BatchNorm2d norm2;

        Branch(int inputs, int outputs, int stride) {
            conv1 = register_module("conv1", new SameConv2d(inputs, outputs, 3, stride));
            norm1 = register_module("norm1", new BatchNorm2d(outputs));
            conv2 = register_module("conv2", new SameConv2d(outputs, outputs, 3, 1));
            norm2 = register_module("norm2", new BatchNorm2d(outputs));
        }

        /** @param active relu(x), which both branches share */
        Tensor forward(Tensor active, Forward forward) {
            Tensor inner = relu_(norm1.forward(conv1.forward(active), forward));
            return norm2.forward(conv2.forward(inner), forward);
        }

        Script script() {
            return Script.of(
                            "Branch",
                            "inner = torch.relu(self.norm1(self.conv1(x)))",
                            "return self.norm2(self.conv2(inner))")
                    .with("conv1", conv1.script())
                    .with("norm1", norm1.script())
                    .with("conv2", conv2.script())
                    .with("norm2", norm2.script());
        }
    }

    /**
     * Half of the channels from a 1×1 convolution of every stride-th pixel, the other half from one of the pixels down and right of
     * those, so that a stride of 2 sees half of the pixels and not a quarter; then batch norm.
     */
    static final class Shortcut extends Module {
        private final SameConv2d conv1;
        private final SameConv2d conv2;
        private final BatchNorm2d norm;

        Shortcut(int inputs, int outputs, int stride) {
            conv1 = register_module("conv1", new SameConv2d(inputs, outputs / 2, 1, stride));
            conv2 = register_module("conv2", new SameConv2d(inputs, outputs / 2, 1, stride));
            norm = register_module("norm", new BatchNorm2d(outputs));
        }

        Tensor forward(Tensor x, Forward forward) {
            // Padding of −1 drops the first row and column; +1 lets zeros in after the last.
            Tensor downAndRight = torch.constant_pad_nd(x, -1, 1, -1, 1);
            var halves = new TensorVector(conv1.forward(x), conv2.forward(downAndRight));
            return norm.forward(torch.cat(halves, 1), forward);
        }

        Script script() {
            return Script.of(
                            "Shortcut",
                            "down_and_right = torch.constant_pad_nd(x, [-1, 1, -1, 1])",
                            "return self.norm(torch.cat([self.conv1(x), self.conv2(down_and_right)], 1))")
                    .with("conv1", conv1.script())
                    .with("conv2", conv2.script())
                    .with("norm", norm.script());
        }
    }

    /** The two branches mixed, plus the shortcut, which is x itself where the channels stay the same. */
    private static final class Block extends Module {
        private final Branch branch1;
        private final Branch branch2;
        private final Shortcut shortcut;

        Block(int inputs, int outputs, int stride) {
            branch1 = register_module("branch1", new Branch(inputs, outputs, stride));
            branch2 = register_module("branch2", new Branch(inputs, outputs, stride));
            shortcut = inputs == outputs ? null : register_module("shortcut", new Shortcut(inputs, outputs, stride));
        }

        Tensor forward(Tensor x, Forward forward) {
            Tensor active = relu(x);
            Tensor a = branch1.forward(active, forward);
            Tensor b = branch2.forward(active, forward);
            return ShakeShake.mix(a, b, forward).add_(shortcut == null ? x : shortcut.forward(x, forward));
        }

        Script script() {
            Script script = Script.of(
                            "Block",
                            "active = torch.relu(x)",
                            "mixed = " + ShakeShake.script("self.branch1(active)", "self.branch2(active)"),
                            "return mixed + " + (shortcut == null ? "x" : "self.shortcut(x)"))
                    .with("branch1", branch1.script())
                    .with("branch2", branch2.script());
            return shortcut == null ? script : script.with("shortcut", shortcut.script());
        }
    }

    private final SameConv2d stem;
    private final BatchNorm2d stemNorm;
    private final List<Block> blocks = new ArrayList<>();
    private final LinearImpl head;

    /**
     * @param width channels of the first group, an even number: 96 in the paper's WRN-SS 2×96
     * @param channels of the images
     */
    public WideResNetShakeShake(int width, int channels, int classes, RandomStreams streams) {
        if (width < 2 || width % 2 != 0) {
            throw new IllegalArgumentException("width is " + width + ": it must be even and at least 2, such as 96");
        }
        stem = register_module("stem", new SameConv2d(channels, STEM_CHANNELS, 3, 1));
        stemNorm = register_module("stem_norm", new BatchNorm2d(STEM_CHANNELS));
        int inputs = STEM_CHANNELS;
        for (int group = 1; group <= 3; group++) {
            Module registered = register_module("group" + group, new Module());
            int outputs = width << (group - 1);
            for (int i = 0; i < BLOCKS_IN_GROUP; i++) {
                int stride = group > 1 && i == 0 ? 2 : 1;
                blocks.add(registered.register_module(Integer.toString(i), new Block(inputs, outputs, stride)));
                inputs = outputs;
            }
        }
        head = register_module("head", new LinearImpl(inputs, classes));
        Initialization.fanOut(this, streams);
    }

    @Override
    public Tensor forward(Tensor images, Forward forward) {
        Tensor x = stemNorm.forward(stem.forward(images), forward);
        for (Block block : blocks) {
            x = block.forward(x, forward);
        }
        return head.forward(relu(x).mean(2, 3));
    }

    @Override
    public Optional<Script> script() {
        Script script = Script.of(
                        "WideResNetShakeShake",
                        "x = self.stem_norm(self.stem(x))",
                        "x = self.group3(self.group2(self.group1(x)))",
                        "return self.head(torch.relu(x).mean([2, 3]))")
                .with("stem", stem.script())
                .with("stem_norm", stemNorm.script())
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
