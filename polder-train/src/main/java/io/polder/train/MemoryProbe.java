package io.polder.train;

import io.polder.data.ImageShape;
import io.polder.files.Machine;
import io.polder.loss.Loss;
import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.tensor.Engine;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.util.OptionalLong;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.global.torch;

/** Finds out how much memory training takes, by trying: what an engine's kernels need beside the activations nothing else tells. Linux only. */
public final class MemoryProbe {
    private static final int FEW = 4;
    private static final int MORE = 20;

    /**
     * Of which the smallest counts: Java's heap, and pages of the libraries that the system had dropped, are the process's memory too, and may add tens of
     * megabytes to any one pass, never take them away.
     */
    private static final int TRIES = 3;

    private MemoryProbe() {}

    /**
     * What one more image in a training pass adds to the memory of the process, in bytes.
     *
     * @param network to try with: its parameters are spoilt
     * @throws IOException if the system does not say how much memory the process had at its peak
     */
    public static long bytesPerImage(Network network, ImageShape shape, int classes, Loss loss, PassOptions options)
            throws IOException {
        try (var parameters = FlatParameters.of(network.parametersByName());
                var pass = new NetworkPass(network, parameters, loss, options, new RandomStreams(0))) {
            // The first pass also allocates what stays, kernels for its size too.
            growthIn(pass, MORE, shape, classes);
            long few = leastGrowthIn(pass, FEW, shape, classes);
            long more = leastGrowthIn(pass, MORE, shape, classes);
            long floats = (long) shape.bytes() * Float.BYTES;
            return Math.max(floats, (more - few) / (MORE - FEW));
        }
    }

    /** By how much the process has to grow for a training pass of so many images. */
    static long leastGrowthIn(NetworkPass pass, int images, ImageShape shape, int classes) throws IOException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TRIES; i++) {
            least = Math.min(least, growthIn(pass, images, shape, classes));
        }
        return least;
    }

    /** By how much the process grew, at most, in a training pass of so many images. */
    private static long growthIn(NetworkPass pass, int images, ImageShape shape, int classes) throws IOException {
        Engine.releaseFreeMemory(); // or the pass would live in it, and hardly add anything
        var machine = new Machine();
        long self = ProcessHandle.current().pid();
        machine.forgetPeak();
        long before = known(machine.memoryOf(self));
        try (var scope = Scope.open()) {
            pass.on(
                    torch.rand(images, shape.channels(), shape.height(), shape.width()),
                    torch.full(new long[] {images, classes}, new Scalar(1.0 / classes)),
                    0);
            pass.compute(Pass.ONLY); // which keeps as much as the perturbed, the larger of two passes
        }
        return known(machine.peakOf(self)) - before;
    }

    private static long known(OptionalLong bytes) throws IOException {
        return bytes.orElseThrow(() -> new IOException("the system does not tell a process's memory and its peak"));
    }
}
