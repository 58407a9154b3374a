package io.polder.cli;

import io.polder.watch.WatchServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder watch}: runs in a browser, while they go on. */
@Command(
        name = "watch",
        description = {
            "Shows the curves of runs in a browser on this machine while they go on, and prints the address to open.",
            "",
            "It only reads. The address holds a secret: whoever has it, and is on this machine, can see the runs."
                    + " Ctrl-C ends it; the runs go on.",
            ""
        },
        mixinStandardHelpOptions = true)
final class WatchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description = "The directory of a run, or one that contains runs; new ones appear by themselves.")
    private List<Path> directories;

    @Option(names = "--port", paramLabel = "N", description = "The port to listen on; default one that is free.")
    private int port;

    @Override
    public Integer call() throws IOException {
        try (var stop = StopOnSignal.interrupting();
                var server = Main.typed(spec, () -> WatchServer.start(directories, port))) {
            PrintWriter screen = spec.commandLine().getOut();
            screen.println("Watching at " + server.address());
            screen.println("Ctrl-C ends it.");
            screen.flush();
            new CountDownLatch(1).await();
            return 0;
        } catch (InterruptedException e) {
            throw new CancellationException("the watch was ended");
        }
    }
}
