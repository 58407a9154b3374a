package io.polder.models;

import static org.bytedeco.pytorch.global.torch.relu_;

import io.polder.nn.BatchNorm2d;
import io.polder.nn.Forward;
import io.polder.nn.Initialization;
import io.polder.nn.Network;
import io.polder.nn.SameConv2d;
import io.polder.nn.Script;
import io.polder.nn.ShakeDrop;
import io.polder.nn.ZeroPaddedShortcut;
import io.polder.tensor.RandomStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;

/**
 * A pyramidal residual network, PyramidNet-depth-α (Han, Kim and Kim, 2017), of bottleneck blocks whose width grows with every block: a
 * 3×3 stem of 16 channels, three groups of (depth − 2)/9 blocks, the second and third halving the image, then batch norm,
 * ReLU, the mean over the image, and a dense layer. Block l of L has the width 16 + α·l/L, rounded half to even.
 *
 * <p>With {@link ShakeDrop} at the end of each block's branch it has a batch norm after the stem as well. The mean is over the
 * whole image, which for images of 32×32 is the 8×8 of the paper.
 */
public final class PyramidNet extends Network {
    private static final int STEM_CHANNELS = 16;
    private static final int EXPANSION = 4;

    /** x + norm(conv1×1(act(conv3×3(act(conv1×1(norm(x))))))), with act for batch norm and ReLU; none before the first. */
    private static final class Block extends Module {
        private final BatchNorm2d norm1;
        private final SameConv2d conv1;
        private final BatchNorm2d norm2;
        private final SameConv2d conv2;
        private final BatchNorm2d norm3;
        private final SameConv2d conv3;
        private final BatchNorm2d norm4;
        private final ZeroPaddedShortcut shortcut;
        private final ShakeDrop shakeDrop;

        /** @param shakeDrop null for none */
        Block(int inputs, int width, int stride, ShakeDrop shakeDrop) {
            int outputs = EXPANSION * width;
            norm1 = register_module("norm1", new BatchNorm2d(inputs));
            conv1 = register_module("conv1", new SameConv2d(inputs, width, 1, 1));
            norm2 = register_module("norm2", new BatchNorm2d(width));
            conv2 = register_module("conv2", new SameConv2d(width, width, 3, stride));
            norm3 = register_module("norm3", new BatchNorm2d(width));
            conv3 = register_module("conv3", new SameConv2d(width, outputs, 1, 1));
            norm4 = register_module("norm4", new BatchNorm2d(outputs));
            shortcut = new ZeroPaddedShortcut(outputs, stride);
            this.shakeDrop = shakeDrop;
        }

        Tensor forward(Tensor x, Forward forward) {
            Tensor residual = conv1.forward(norm1.forward(x, forward));
            residual = conv2.forward(relu_(norm2.forward(residual, forward)));
            residual = conv3.forward(relu_(norm3.forward(residual, forward)));
            residual = norm4.forward(residual, forward);
            if (shakeDrop != null) {
                residual = shakeDrop.forward(residual, forward);
            }
            return residual.add_(shortcut.forward(x));
        }

        Script script() {
            return Script.of(
                            "Block",
                            "residual = self.conv1(self.norm1(x))",
                            "residual = self.conv2(torch.relu(self.norm2(residual)))",
                            "residual = self.norm4(self.conv3(torch.relu(self.norm3(residual))))",
                            "residual = " + (shakeDrop == null ? "residual" : shakeDrop.script("residual")),
                            "return residual + " + shortcut.script("x"))
                    .with("norm1", norm1.script())
                    .with("conv1", conv1.script())
                    .with("norm2", norm2.script())
                    .with("conv2", conv2.script())
                    .with("norm3", norm3.script())
                    .with("conv3", conv3.script())
                    .with("norm4", norm4.script());
        }
    }

    private final SameConv2d stem;
    private final BatchNorm2d stemNorm;
    private final List<Block> blocks = new ArrayList<>();
    private final BatchNorm2d norm;
    private final LinearImpl head;

    /**
     * Without ShakeDrop.
     *
     * @param depth 9n + 2 for n blocks in each group: 164, 200 or 272 in the papers
     * @param alpha how much wider the last block is than the stem
     * @param channels of the images
     */
    public static PyramidNet plain(int depth, int alpha, int channels, int classes, RandomStreams streams) {
        return new PyramidNet(depth, alpha, false, channels, classes, streams);
    }

    /** With ShakeDrop, which keeps nearly all of the first block's branches and half of the last's; the rest as above. */
    public static PyramidNet withShakeDrop(int depth, int alpha, int channels, int classes, RandomStreams streams) {
        return new PyramidNet(depth, alpha, true, channels, classes, streams);
    }

    private PyramidNet(int depth, int alpha, boolean shakeDrop, int channels, int classes, RandomStreams streams) {
        if (depth < 11 || depth % 9 != 2) {
            throw new IllegalArgumentException("depth is " + depth + ": it must be 9n + 2, such as 164 or 272");
        }
        if (alpha < 1) {
            throw new IllegalArgumentException("alpha is " + alpha + ": it must be at least 1");
        }
        stem = register_module("stem", new SameConv2d(channels, STEM_CHANNELS, 3, 1));
        stemNorm = shakeDrop ? register_module("stem_norm", new BatchNorm2d(STEM_CHANNELS)) : null;
        int inputs = STEM_CHANNELS;
        int blocksInGroup = (depth - 2) / 9;
        int total = 3 * blocksInGroup;
        for (int group = 1; group <= 3; group++) {
            Module registered = register_module("group" + group, new Module());
            for (int i = 0; i < blocksInGroup; i++) {
                int l = blocks.size() + 1;
                int width = (int) Math.rint(STEM_CHANNELS + (double) alpha * l / total);
                int stride = group > 1 && i == 0 ? 2 : 1;
                var block = new Block(inputs, width, stride, shakeDrop ? ShakeDrop.ofBlock(l, total) : null);
                blocks.add(registered.register_module(Integer.toString(i), block));
                inputs = EXPANSION * width;
            }
        }
        norm = register_module("norm", new BatchNorm2d(inputs));
        head = register_module("head", new LinearImpl(inputs, classes));
        Initialization.fanOut(this, streams);
    }

    @Override
    public Tensor forward(Tensor images, Forward forward) {
        Tensor x = stem.forward(images);
        if (stemNorm != null) {
            x = stemNorm.forward(x, forward);
        }
        for (Block block : blocks) {
            x = block.forward(x, forward);
        }
        return head.forward(relu_(norm.forward(x, forward)).mean(2, 3));
    }

    @Override
    public Optional<Script> script() {
        Script script = Script.of(
                        "PyramidNet",
                        stemNorm == null ? "x = self.stem(x)" : "x = self.stem_norm(self.stem(x))",
                        "x = self.group3(self.group2(self.group1(x)))",
                        "return self.head(torch.relu(self.norm(x)).mean([2, 3]))")
                .with("stem", stem.script())
                .with("norm", norm.script())
                .with("head", Script.linear());
        if (stemNorm != null) {
            script.with("stem_norm", stemNorm.script());
        }
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
