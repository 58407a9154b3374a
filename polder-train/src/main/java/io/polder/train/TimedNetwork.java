package io.polder.train;

import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.tensor.Device;
import java.util.Map;
import java.util.function.DoubleConsumer;
import org.bytedeco.pytorch.Tensor;

/** Another network, whose passes forward are timed. Its parameters and statistics are the other's. */
public final class TimedNetwork extends Network {
    private final Network network;
    private final DoubleConsumer seconds;

    /** @param seconds is told those of each pass */
    public TimedNetwork(Network network, DoubleConsumer seconds) {
        this.network = network;
        this.seconds = seconds;
    }

    @Override
    public Tensor forward(Tensor images, Forward forward) {
        long start = System.nanoTime();
        Tensor outputs = network.forward(images, forward);
        seconds.accept((System.nanoTime() - start) * 1e-9);
        return outputs;
    }

    @Override
    public Map<String, Tensor> parametersByName() {
        return network.parametersByName();
    }

    @Override
    public Map<String, Tensor> buffersByName() {
        return network.buffersByName();
    }

    @Override
    public Map<String, Tensor> statisticsByName() {
        return network.statisticsByName();
    }

    @Override
    public Network moveTo(Device device) {
        network.moveTo(device);
        return this;
    }
}
