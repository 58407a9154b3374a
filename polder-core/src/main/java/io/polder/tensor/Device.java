package io.polder.tensor;

import org.bytedeco.pytorch.Tensor;

/**
 * Where a network and its vectors live: the CPU, or the CUDA device with an index. Whoever computes is told it; who tells has it from
 * {@link #parse}.
 *
 * <p>CUDA is built for ({@code mvn -Pcuda}) but untested: no GPU was at hand.
 */
public record Device(Kind kind, int index) {
    public enum Kind {
        CPU,
        CUDA
    }

    public static final Device CPU = new Device(Kind.CPU, 0);

    /** The name of the best device there is: the first CUDA device that the engine sees, else the CPU. */
    public static final String AUTO = "auto";

    public Device {
        if (index < 0 || (kind == Kind.CPU && index != 0)) {
            throw new IllegalArgumentException(
                    "device index is " + index + ": it must be 0 for the CPU and at least 0 for CUDA");
        }
    }

    /** Makes sure that a text names a device, here or on another machine: {@value #AUTO}, {@code cpu}, {@code cuda} or {@code cuda:1}. */
    public static String requireName(String text) {
        if (!text.matches(AUTO + "|cpu|cuda(:\\d{1,3})?")) {
            throw new IllegalArgumentException("device is \"" + text + "\": it must be auto, cpu, cuda or cuda:N");
        }
        return text;
    }

    /** The device of that name on this machine, which must be there. */
    public static Device parse(String name) {
        requireName(name);
        if (name.equals("cpu") || name.equals(AUTO) && Engine.cudaDevices() == 0) {
            return CPU;
        }
        int index = name.startsWith("cuda:") ? Integer.parseInt(name.substring("cuda:".length())) : 0;
        if (index >= Engine.cudaDevices()) {
            throw new IllegalArgumentException("device \"" + name + "\" is not there: the engine sees "
                    + Engine.cudaDevices() + " CUDA devices (build with mvn -Pcuda to use any); auto takes the best");
        }
        return new Device(Kind.CUDA, index);
    }

    /** Where a tensor is. */
    public static Device of(Tensor tensor) {
        return tensor.is_cuda() ? new Device(Kind.CUDA, tensor.device().index()) : CPU;
    }

    public boolean isCpu() {
        return kind == Kind.CPU;
    }

    @Override
    public String toString() {
        return isCpu() ? "cpu" : "cuda:" + index;
    }

    /** For networks, which move themselves. */
    public org.bytedeco.pytorch.Device toEngine() {
        return new org.bytedeco.pytorch.Device(toString());
    }
}
