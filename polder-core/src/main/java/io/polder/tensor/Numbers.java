package io.polder.tensor;

import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/**
 * Numbers for the Java side, and from there. Reading waits until the device has done all that it was asked for, and it stands idle until it is asked
 * again: what is wanted at the same time is read together.
 */
public final class Numbers {
    private Numbers() {}

    /** All of a tensor, row by row, in double precision whatever its own. */
    public static double[] of(Tensor tensor) {
        double[] numbers = new double[Math.toIntExact(tensor.numel())];
        try (var scope = Scope.withoutGradient()) {
            Tensor here = tensor.cpu().to(torch.ScalarType.Double).contiguous();
            DoublePointer data = here.data_ptr_double();
            data.get(numbers);
        }
        return numbers;
    }

    /** A vector of the precision and on the device of another tensor; in the caller's scope. */
    public static Tensor like(Tensor other, double... numbers) {
        return torch.from_blob(
                        new DoublePointer(numbers),
                        new long[] {numbers.length},
                        new TensorOptions(torch.ScalarType.Double))
                .clone()
                .to(other);
    }

    /** A vector of whole numbers on a device, such as the places of examples; in the caller's scope. */
    public static Tensor on(Device device, long... numbers) {
        Tensor vector = torch.from_blob(
                        new LongPointer(numbers), new long[] {numbers.length}, new TensorOptions(torch.ScalarType.Long))
                .clone();
        return device.isCpu() ? vector : vector.to(device.toEngine(), torch.ScalarType.Long);
    }
}
