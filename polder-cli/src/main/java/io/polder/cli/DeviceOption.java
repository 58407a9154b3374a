package io.polder.cli;

import io.polder.tensor.Device;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option of every command that computes: the only place where a device is chosen. */
final class DeviceOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description =
                    "What to compute on: cpu, cuda, cuda:N, or auto, which is CUDA where the engine sees any and else"
                            + " the CPU. Default: auto, or when resuming that of the run.")
    private String name;

    /** As another process or machine is told it, which looks for the device itself. */
    String name() {
        return read(Device::requireName, Device.AUTO);
    }

    /** The same for a process that goes on with the run. */
    List<String> arguments() {
        return name == null ? List.of() : List.of("--device", name);
    }

    Device device() {
        return device(Device.AUTO);
    }

    /** @param byDefault its name, where none is given */
    Device device(String byDefault) {
        return read(Device::parse, byDefault);
    }

    private <T> T read(Function<String, T> reader, String byDefault) {
        return Main.typed(spec, () -> reader.apply(name == null ? byDefault : name));
    }
}
