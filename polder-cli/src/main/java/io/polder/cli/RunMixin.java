package io.polder.cli;

import io.polder.distributed.Rendezvous;
import io.polder.run.RunSettings;
import io.polder.tensor.Device;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
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
            converter = PathOrUri.Converter.class,
            description = "Where the images are: the directory or archive that polder datasets describes. With"
                    + " --executor spark also a URI, like hdfs://host/images: each node fetches them once.")
    private PathOrUri data;

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

    /** What was typed; a place of another kind is for the nodes of a cluster. */
    Optional<PathOrUri> data() {
        return Optional.ofNullable(data);
    }

    OptionalInt threads() {
        return threads == null ? OptionalInt.empty() : OptionalInt.of(threads);
    }

    /** Here, and not when processes have been started. */
    void requireDataHere() {
        PathOrUri.requirePath(spec, "--data", data);
    }

    /** Not refused: a run of a larger machine goes on with its own number, for the same bits. */
    static void explainThreads(CommandSpec spec, int threads) {
        int cores = Runtime.getRuntime().availableProcessors();
        if (threads > cores) {
            spec.commandLine()
                    .getErr()
                    .println("polder: threads is " + threads + ", and there "
                            + (cores == 1 ? "is 1 core" : "are " + cores + " cores")
                            + ": those beyond the cores only wait for the others, so it is slower than --threads "
                            + cores);
        }
    }

    /** @param byDefault where none are given */
    int threads(int byDefault) {
        return threads == null ? byDefault : threads;
    }

    /** The same for a process that goes on with the run. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        if (data != null) {
            arguments.addAll(List.of("--data", data.toString()));
        }
        if (threads != null) {
            arguments.addAll(List.of("--threads", threads.toString()));
        }
        arguments.addAll(outputArguments());
        return arguments;
    }

    /** Of how it is told. */
    List<String> outputArguments() {
        return json ? List.of("--json") : List.of();
    }

    /** @param threadsByDefault where none are given */
    RunSettings settings(int threadsByDefault, Device device, Optional<Rendezvous> rendezvous) throws IOException {
        int chosen = threads(threadsByDefault);
        explainThreads(spec, chosen);
        return Main.typed(
                spec,
                () -> new RunSettings(
                        chosen,
                        device,
                        data().flatMap(PathOrUri::path),
                        Optional.empty(),
                        rendezvous,
                        Main.Version.number(),
                        GitRevision.ofPolder(),
                        Main.commandLine(spec)));
    }
}
