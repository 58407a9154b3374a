package io.polder.nn;

import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The way around a residual block that has no parameters: the mean over each stride × stride square, then channels of zeros
 * appended until there are as many as the block puts out.
 *
 * <p>Squares that reach over the border of an odd size are averaged over the pixels they have, so that the shortcut is as large
 * as what {@link SameConv2d} gives for any size; the authors' code takes even sizes only.
 *
 * @param channels of the block's output, at least those of its input
 */
public record ZeroPaddedShortcut(long channels, long stride) {
    public Tensor forward(Tensor x) {
        if (stride > 1) {
            long[] square = {stride, stride};
            x = torch.avg_pool2d(x, square, square, new long[] {0, 0}, true, false, new LongOptional());
        }
        long missing = channels - x.size(1);
        return missing == 0 ? x : torch.constant_pad_nd(x, 0, 0, 0, 0, 0, missing);
    }

    /** As an expression of another. */
    public String script(String x) {
        String square = "[%1$d, %1$d]".formatted(stride);
        String pooled =
                stride > 1 ? "torch.avg_pool2d(%s, %s, %s, [0, 0], True, False)".formatted(x, square, square) : x;
        return "torch.constant_pad_nd(%s, [0, 0, 0, 0, 0, %d - %s.size(1)])".formatted(pooled, channels, x);
    }
}
