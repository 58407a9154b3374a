package io.polder.tensor;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/** Turns the loader's buffers into the engine's tensors. The tensors made belong to the caller's scope. */
public final class Images {
    private Images() {}

    /**
     * Image bytes as the engine's input: read in place, then to float and (x/255 − mean)/deviation for each channel.
     *
     * <p>The bytes lie image by image, row by row, pixel by pixel: seen as (n, channels, height, width) that is the
     * channels-last layout, so nothing is moved.
     *
     * @param pixels a direct buffer of n · height · width · channels unsigned bytes, unchanged while the result is computed
     */
    public static Tensor normalized(
            ByteBuffer pixels,
            int n,
            int channels,
            int height,
            int width,
            float[] mean,
            float[] deviation,
            Device device) {
        long bytes = (long) n * channels * height * width;
        requireRoom(pixels.isDirect(), pixels.capacity(), bytes);
        Tensor nhwc = torch.from_blob(
                new BytePointer(pixels.duplicate().clear()),
                new long[] {n, height, width, channels},
                new TensorOptions(torch.ScalarType.Byte));
        float[] scale = new float[channels];
        float[] shift = new float[channels];
        for (int c = 0; c < channels; c++) {
            scale[c] = 1 / (255 * deviation[c]);
            shift[c] = -mean[c] / deviation[c];
        }
        Tensor floats = onDevice(nhwc, device).to(torch.ScalarType.Float);
        return floats.mul_(onDevice(vector(scale), device))
                .add_(onDevice(vector(shift), device))
                .permute(0, 3, 1, 2);
    }

    /** Soft targets, (n, classes) probabilities, read in place where the device is the CPU. */
    public static Tensor targets(FloatBuffer probabilities, int n, int classes, Device device) {
        requireRoom(probabilities.isDirect(), probabilities.capacity(), (long) n * classes);
        Tensor tensor = torch.from_blob(
                new FloatPointer(probabilities.duplicate().clear()),
                new long[] {n, classes},
                new TensorOptions(torch.ScalarType.Float));
        return onDevice(tensor, device);
    }

    private static Tensor vector(float[] values) {
        return torch.from_blob(
                        new FloatPointer(values), new long[] {values.length}, new TensorOptions(torch.ScalarType.Float))
                .clone();
    }

    private static Tensor onDevice(Tensor tensor, Device device) {
        return device.isCpu() ? tensor : tensor.to(device.toEngine(), tensor.scalar_type());
    }

    /** The engine reads where it is told: a buffer that is too small would be read past its end. */
    private static void requireRoom(boolean direct, long capacity, long needed) {
        if (!direct || capacity < needed) {
            throw new IllegalArgumentException("a batch needs a direct buffer of " + needed + " elements, this one "
                    + (direct ? "has " + capacity : "is not direct"));
        }
    }
}
