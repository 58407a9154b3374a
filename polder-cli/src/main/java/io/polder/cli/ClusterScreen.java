package io.polder.cli;

import io.polder.run.RunDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine;

/** What is shown of workers on a cluster: the lines of rank 0 as they come, and in the end what the run came to. */
final class ClusterScreen {
    private final CommandLine command;
    private final boolean json;

    ClusterScreen(CommandLine command, boolean json) {
        this.command = command;
        this.json = json;
    }

    /** What rank 0 prints: objects for programs. Its closing words name a directory of its node, and are said here instead. */
    synchronized void print(String line) {
        if (json && line.startsWith("{")) {
            show(command.getOut(), line);
        }
    }

    synchronized void tell(String line) {
        show(command.getErr(), line);
    }

    private static void show(PrintWriter screen, String line) {
        screen.println(line);
        screen.flush();
    }

    void conclude(Path directory, int code, boolean stopped) throws IOException {
        var run = new RunDirectory(directory);
        if (!json && run.holdsARun() && (code == 0 || stopped)) {
            RunSession.conclude(command.getOut(), directory, run.info());
            command.getOut().flush();
        } else if (stopped) {
            tell("polder: stopped");
        }
    }
}
