package io.polder.tensor;

/**
 * Where a network and its vectors live: the CPU, or the CUDA device with an index.
 *
 * <p>CUDA is built for ({@code mvn -Pcuda}) but untested: no GPU was at hand.
 */
public record Device(Kind kind, int index) {
    public enum Kind {
        CPU,
        CUDA
    }

    public static final Device CPU = new Device(Kind.CPU, 0);

    public Device {
        if (index < 0 || (kind == Kind.CPU && index != 0)) {
            throw new IllegalArgumentException(
                    "device index is " + index + ": it must be 0 for the CPU and at least 0 for CUDA");
        }
    }

    /** Reads {@code cpu}, {@code cuda} or {@code cuda:1}, and makes sure that the device is there. */
    public static Device parse(String text) {
        if (text.equals("cpu")) {
            return CPU;
        }
        if (!text.matches("cuda(:\\d{1,3})?")) {
            throw new IllegalArgumentException("device is \"" + text + "\": it must be cpu, cuda or cuda:N");
        }
        int index = text.equals("cuda") ? 0 : Integer.parseInt(text.substring("cuda:".length()));
        if (index >= Engine.cudaDevices()) {
            throw new IllegalArgumentException("device \"" + text + "\" is not there: the engine sees "
                    + Engine.cudaDevices() + " CUDA devices (build with mvn -Pcuda to use any)");
        }
        return new Device(Kind.CUDA, index);
    }

    @Override
    public String toString() {
        return kind == Kind.CPU ? "cpu" : "cuda:" + index;
    }

    /** For networks, which move themselves. */
    public org.bytedeco.pytorch.Device toEngine() {
        return new org.bytedeco.pytorch.Device(toString());
    }
}
