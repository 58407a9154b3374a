package io.polder.cli;

import io.polder.run.RunSettings;
import io.polder.tensor.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of every command that trains. */
final class RunMixin {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "PATH",
            description = "Where the images are: the directory or archive that ./polder datasets describes.")
    private Path data;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads of the engine; the same number gives the same bits. Default: the number of cores,"
                    + " or when resuming that of the run.")
    private Integer threads;

    @Option(names = "--json", description = "Print one JSON object a line, for programs.")
    private boolean json;

    boolean json() {
        return json;
    }

    /** @param threadsByDefault where none are given */
    RunSettings settings(int threadsByDefault, Device device) throws IOException {
        return Main.typed(
                spec,
                () -> new RunSettings(
                        threads == null ? threadsByDefault : threads,
                        device,
                        Optional.ofNullable(data),
                        Optional.empty(),
                        Main.Version.number(),
                        GitRevision.ofPolder(),
                        Main.commandLine(spec)));
    }
}
