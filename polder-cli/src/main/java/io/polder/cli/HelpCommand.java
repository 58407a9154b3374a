package io.polder.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder help train}: what many other programs take for {@code train --help}. */
@Command(
        name = "help",
        description = {"Tells what a command does and which options it has.", ""},
        mixinStandardHelpOptions = true)
final class HelpCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "Such as train, or datasets check; all commands by default.")
    private List<String> commands = List.of();

    @Override
    public void run() {
        CommandLine shown = spec.parent().commandLine();
        for (String name : commands) {
            CommandLine next = shown.getSubcommands().get(name);
            if (next == null) {
                throw new ParameterException(spec.commandLine(), Main.unknownCommand(shown, name));
            }
            shown = next;
        }
        shown.usage(spec.commandLine().getOut());
    }
}
