package io.polder.cli;

import io.polder.run.RunDirectory;
import io.polder.run.TrainedNetwork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder export}: a run's weights in a file of their own. */
@Command(
        name = "export",
        description = {
            "Writes the weights of a run to a safetensors file, by the names that PyTorch gives them.",
            "",
            "A network from a TorchScript file is written as TorchScript instead if the name ends in .ts or .pt.",
            ""
        },
        mixinStandardHelpOptions = true)
final class ExportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "RUN", description = "The directory of the run.")
    private Path run;

    @Parameters(paramLabel = "FILE", description = "The file to write, such as weights.safetensors.")
    private Path file;

    @Option(names = "--checkpoint", paramLabel = "WHICH", description = "best or newest; default ${DEFAULT-VALUE}.")
    private RunDirectory.Which which = RunDirectory.Which.BEST;

    @Override
    public Integer call() throws IOException {
        try (var network = TrainedNetwork.open(
                run, which, sentence -> spec.commandLine().getErr().println("polder: " + sentence))) {
            network.export(file);
            spec.commandLine().getOut().println(file + ": the weights after step " + network.step());
            return 0;
        }
    }
}
