package io.polder.nn;

import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.Conv2dImpl;
import org.bytedeco.pytorch.Conv2dOptions;

/** Makes the engine's convolutions in the form that networks with batch norm use. */
public final class Convolution {
    private Convolution() {}

    /**
     * A square kernel, padded so that stride 1 keeps the size, without a bias: the batch norm after it has one.
     *
     * @throws IllegalArgumentException for what {@link SameConv2d} does safely and the engine does not
     */
    public static Conv2dImpl same(long inputs, long outputs, long kernel, long stride) {
        if (kernel == 1 && stride > 1 && inputs < SameConv2d.FEW_CHANNELS) {
            throw new IllegalArgumentException("inputs is " + inputs + ": it must be at least "
                    + SameConv2d.FEW_CHANNELS + " for a 1×1 convolution with a stride; use SameConv2d");
        }
        try (LongPointer size = pair(kernel);
                LongPointer strides = pair(stride);
                LongPointer padding = pair(kernel / 2)) {
            Conv2dOptions options = new Conv2dOptions(inputs, outputs, size);
            options.stride().put(strides);
            options.padding().put(padding);
            options.bias().put(false);
            return new Conv2dImpl(options);
        }
    }

    private static LongPointer pair(long value) {
        return new LongPointer(value, value);
    }
}
