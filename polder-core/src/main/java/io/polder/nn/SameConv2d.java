package io.polder.nn;

import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * A convolution with TensorFlow's "same" padding, as the authors' networks have it: the output is ⌈size / stride⌉, and where the padding
 * is odd the larger half comes after the image. With stride 1 that is PyTorch's symmetric padding; a 3×3 kernel with
 * stride 2 on an even size pads 0 before and 1 after, where PyTorch's networks pad 1 and 1.
 */
public final class SameConv2d extends Module {
    /**
     * Below this, the engine's gradient of a strided 1×1 convolution writes past the end of a buffer when images lie channels-last and
     * the processor has AVX2 (libtorch 2.10 with oneDNN 3.7), and the process aborts some steps later.
     */
    static final int FEW_CHANNELS = 8;

    private final long kernel;
    private final long stride;
    private final Tensor weight;
    private final Tensor bias;

    public SameConv2d(long inputs, long outputs, long kernel, long stride, boolean withBias) {
        this.kernel = kernel;
        this.stride = stride;
        weight = torch.zeros(outputs, inputs, kernel, kernel);
        register_parameter("weight", weight);
        bias = withBias ? torch.zeros(outputs) : null;
        if (withBias) {
            register_parameter("bias", bias);
        }
    }

    /** Without a bias: for a batch norm after it, which has one. */
    public SameConv2d(long inputs, long outputs, long kernel, long stride) {
        this(inputs, outputs, kernel, stride, false);
    }

    public Tensor forward(Tensor x) {
        if (kernel == 1 && stride > 1 && x.size(1) < FEW_CHANNELS) {
            // The pixels that are used, then stride 1: the same numbers by a kernel that stays within its memory.
            x = x.slice(2, new LongOptional(0), new LongOptional(), stride)
                    .slice(3, new LongOptional(0), new LongOptional(), stride);
            return convolved(x, 1, 0, 0);
        }
        long down = padding(x.size(2));
        long across = padding(x.size(3));
        boolean even = down % 2 == 0 && across % 2 == 0;
        if (!even) {
            x = torch.constant_pad_nd(x, across / 2, across - across / 2, down / 2, down - down / 2);
        }
        return even ? convolved(x, stride, down / 2, across / 2) : convolved(x, stride, 0, 0);
    }

    private Tensor convolved(Tensor x, long stride, long down, long across) {
        return torch.conv2d(
                x,
                weight,
                bias == null ? new TensorOptional() : new TensorOptional(bias),
                new long[] {stride, stride},
                new long[] {down, across},
                new long[] {1, 1},
                1);
    }

    private long padding(long size) {
        long outputs = (size + stride - 1) / stride;
        return Math.max(0, (outputs - 1) * stride + kernel - size);
    }

    /** For images of any size, as {@link #forward} is. */
    public Script script() {
        return script(kernel, stride);
    }

    /** As {@link #script()}, of any such convolution. */
    public static Script script(long kernel, long stride) {
        if (kernel == 1 || stride == 1 && kernel % 2 == 1) {
            return Script.convolution(stride, kernel / 2);
        }
        return Script.of(
                "SameConv2d",
                "down = " + padding("x.size(2)", kernel, stride),
                "across = " + padding("x.size(3)", kernel, stride),
                "x = torch.constant_pad_nd(x, [across // 2, across - across // 2, down // 2, down - down // 2])",
                Script.convolved(stride, 0));
    }

    private static String padding(String size, long kernel, long stride) {
        String padding =
                "(%1$s + %2$d) // %3$d * %3$d + %4$d - %1$s".formatted(size, stride - 1, stride, kernel - stride);
        return kernel >= stride ? padding : "max(0, " + padding + ")";
    }
}
