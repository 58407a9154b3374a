package io.polder.nn;

import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.Conv2dImpl;
import org.bytedeco.pytorch.Conv2dOptions;

/** Makes the engine's convolutions in the form that networks with batch norm use. */
public final class Convolution {
    private Convolution() {}

    /** A square kernel, padded so that stride 1 keeps the size, without a bias: the batch norm after it has one. */
    public static Conv2dImpl same(long inputs, long outputs, long kernel, long stride) {
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
