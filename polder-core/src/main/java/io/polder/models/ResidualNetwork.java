package io.polder.models;

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
import org.bytedeco.pytorch.Conv2dImpl;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;

/**
 * A small residual network of pre-activation blocks, for experiments that take a minute: a 3×3 stem, one block for each entry
 * of {@code widths}, each but the first halving the image, then batch norm, the mean over the image, and a dense layer.
 */
public final class ResidualNetwork extends Network {
    private final int stemStride;
    private final Conv2dImpl stem;
    private final List<Block> blocks = new ArrayList<>();
    private final BatchNorm2d norm;
    private final LinearImpl head;

    /**
     * @param channels of the images
     * @param widths channels of the blocks, such as 16, 32, 64
     * @param stemStride 2 halves the image at once, for speed
     */
    public ResidualNetwork(int channels, List<Integer> widths, int stemStride, int classes, RandomStreams streams) {
        this.stemStride = stemStride;
        stem = register_module("stem", Convolution.same(channels, widths.get(0), 3, stemStride));
        int width = widths.get(0);
        for (int i = 0; i < widths.size(); i++) {
            blocks.add(register_module("block" + (i + 1), new Block(width, widths.get(i), i == 0 ? 1 : 2)));
            width = widths.get(i);
        }
        norm = register_module("norm", new BatchNorm2d(width));
        head = register_module("head", new LinearImpl(width, classes));
        Initialization.kaiming(this, streams);
    }

    @Override
    public Tensor forward(Tensor images, Forward forward) {
        Tensor x = stem.forward(images);
        for (Block block : blocks) {
            x = block.forward(x, forward);
        }
        x = relu_(norm.forward(x, forward));
        return head.forward(x.mean(2, 3));
    }

    @Override
    public Optional<Script> script() {
        List<String> lines = new ArrayList<>(List.of("x = self.stem(x)"));
        for (int i = 1; i <= blocks.size(); i++) {
            lines.add("x = self.block" + i + "(x)");
        }
        lines.add("return self.head(torch.relu(self.norm(x)).mean([2, 3]))");
        Script script = Script.of("ResidualNetwork", lines.toArray(String[]::new))
                .with("stem", Script.convolution(stemStride, 1))
                .with("norm", norm.script())
                .with("head", Script.linear());
        for (int i = 0; i < blocks.size(); i++) {
            script.with("block" + (i + 1), blocks.get(i).script(i == 0 ? 1 : 2));
        }
        return Optional.of(script);
    }

    /** x + conv(relu(norm(conv(relu(norm(x)))))); where the shape changes, the shortcut is a 1×1 convolution of relu(norm(x)). */
    private static final class Block extends Module {
        private final BatchNorm2d norm1;
        private final Conv2dImpl conv1;
        private final BatchNorm2d norm2;
        private final Conv2dImpl conv2;
        private final SameConv2d shortcut;

        Block(int inputs, int outputs, int stride) {
            norm1 = register_module("norm1", new BatchNorm2d(inputs));
            conv1 = register_module("conv1", Convolution.same(inputs, outputs, 3, stride));
            norm2 = register_module("norm2", new BatchNorm2d(outputs));
            conv2 = register_module("conv2", Convolution.same(outputs, outputs, 3, 1));
            boolean sameShape = inputs == outputs && stride == 1;
            shortcut = sameShape ? null : register_module("shortcut", new SameConv2d(inputs, outputs, 1, stride));
        }

        Tensor forward(Tensor x, Forward forward) {
            Tensor active = relu_(norm1.forward(x, forward));
            Tensor residual = conv2.forward(relu_(norm2.forward(conv1.forward(active), forward)));
            return residual.add_(shortcut == null ? x : shortcut.forward(active));
        }

        Script script(int stride) {
            Script script = Script.of(
                            "Block",
                            "active = torch.relu(self.norm1(x))",
                            "residual = self.conv2(torch.relu(self.norm2(self.conv1(active))))",
                            "return residual + " + (shortcut == null ? "x" : "self.shortcut(active)"))
                    .with("norm1", norm1.script())
                    .with("conv1", Script.convolution(stride, 1))
                    .with("norm2", norm2.script())
                    .with("conv2", Script.convolution(1, 1));
            return shortcut == null ? script : script.with("shortcut", shortcut.script());
        }
    }
}
