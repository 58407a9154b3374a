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

/** {@code polder export}: a run's network in a file of its own. */
@Command(
        name = "export",
        description = {
            "Writes the network of a run to a file. The name's ending says what it is and who can read it:",
            "",
            "  .safetensors  the weights alone, by the names of PyTorch's state_dict. For --init, and for programs that have the"
                    + " network's code.",
            "  .ts, .pt      the whole network for inference, as TorchScript. Needs PyTorch's libtorch and none of Polder: Python's"
                    + " torch.jit.load, C++, DJL. What it takes and gives is in the archive, as polder.json.",
            "",
            "ONNX is made of the .ts file, in Python: see docs/weights.md.",
            ""
        },
        mixinStandardHelpOptions = true)
final class ExportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "RUN", description = "The directory of the run.")
    private Path run;

    @Parameters(paramLabel = "FILE", description = "The file to write, such as weights.safetensors or network.ts.")
    private Path file;

    @Option(names = "--checkpoint", paramLabel = "WHICH", description = "best or newest; default best.")
    private RunDirectory.Which which = RunDirectory.Which.BEST;

    @Option(
            names = "--with-normalization",
            description = "Lets a .ts file normalise images itself: it then takes pixels from 0 to 1 as they are.")
    private boolean withNormalization;

    @Override
    public Integer call() throws IOException {
        try (var network = TrainedNetwork.open(
                run, which, sentence -> spec.commandLine().getErr().println("polder: " + sentence))) {
            network.export(file, withNormalization);
            String what = file.toString().endsWith(".safetensors") ? "weights" : "network";
            spec.commandLine().getOut().println(file + ": the " + what + " after step " + network.step());
            return 0;
        }
    }
}
