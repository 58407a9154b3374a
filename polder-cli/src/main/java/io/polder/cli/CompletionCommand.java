package io.polder.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder completion}: what lets a shell complete commands and options. */
@Command(
        name = "completion",
        description = {
            "Prints what lets a shell complete commands and options.",
            "",
            "To have it now:",
            "  bash, zsh:  source <(polder completion bash)",
            "  fish:       polder completion fish | source",
            ""
        },
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
    /** Those that people have. */
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private Shell shell;

    @Override
    public Integer call() {
        PrintWriter screen = spec.commandLine().getOut();
        screen.print(text(spec.root().commandLine(), shell));
        screen.flush();
        return 0;
    }

    static String text(CommandLine polder, Shell shell) {
        return switch (shell) {
            case BASH -> AutoComplete.bash("polder", polder);
            // zsh loads the file as a function, of which the first line says for what; it can then do what bash can.
            case ZSH ->
                "#compdef polder\nautoload -Uz bashcompinit && bashcompinit\n" + AutoComplete.bash("polder", polder);
            case FISH -> fish(polder);
        };
    }

    private static String fish(CommandLine polder) {
        var script = new StringBuilder("# Completion of polder for fish.\n");
        polder.getSubcommands().forEach((name, command) -> {
            CommandSpec of = command.getCommandSpec();
            if (of.usageMessage().hidden()) {
                return;
            }
            script.append("complete -c polder -n __fish_use_subcommand -f -a ")
                    .append(name)
                    .append(described(ManPages.firstSentence(of)))
                    .append('\n');
            command.getSubcommands()
                    .forEach((inner, each) -> script.append("complete -c polder -n '__fish_seen_subcommand_from ")
                            .append(name)
                            .append("' -a ")
                            .append(inner)
                            .append(described(ManPages.firstSentence(each.getCommandSpec())))
                            .append('\n'));
            of.options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> script.append(option(name, option)));
        });
        return script.toString();
    }

    private static String option(String command, OptionSpec option) {
        var line = new StringBuilder("complete -c polder -n '__fish_seen_subcommand_from " + command + "'");
        for (String name : option.names()) {
            line.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        if (option.arity().max() > 0) {
            line.append(" -r");
        }
        return line.append(described(String.join(" ", option.description())))
                .append('\n')
                .toString();
    }

    /** One line is all that there is room for. */
    private static String described(String sentence) {
        String first = sentence.split("[;:.](?= |$)", 2)[0];
        return " -d '" + first.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
