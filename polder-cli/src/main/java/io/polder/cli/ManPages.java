package io.polder.cli;

import io.polder.files.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code polder man-pages}, for packages: a page of the manual for each command, of what {@code --help} says. */
@Command(
        name = "man-pages",
        hidden = true,
        description = {"Writes a page of the manual for each command, for packages.", ""},
        mixinStandardHelpOptions = true)
final class ManPages implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Where they go.")
    private Path directory;

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(directory);
        write(spec.root().commandLine());
        return 0;
    }

    private void write(CommandLine command) throws IOException {
        WholeFile.write(directory.resolve(name(command.getCommandSpec()) + ".1"), page(command));
        for (CommandLine each : shown(command)) {
            write(each);
        }
    }

    private static List<CommandLine> shown(CommandLine command) {
        return command.getSubcommands().values().stream()
                .filter(each -> !each.getCommandSpec().usageMessage().hidden())
                .distinct()
                .toList();
    }

    /** {@code polder-datasets-check}, as pages of commands are called. */
    private static String name(CommandSpec command) {
        return command.qualifiedName("-");
    }

    /** Of what a command says it does. */
    static String firstSentence(CommandSpec command) {
        return String.join("", List.of(command.usageMessage().description()).subList(0, 1))
                .replaceFirst("(?<=[a-z])\\. [A-Z].*", ".")
                .replaceFirst("\\.$", "");
    }

    static String page(CommandLine command) throws IOException {
        CommandSpec of = command.getCommandSpec();
        String version = Main.Version.number();
        List<String> lines = new ArrayList<>();
        lines.add(".TH " + roff(name(of).toUpperCase(java.util.Locale.ROOT)) + " 1 \"\" \"Polder " + roff(version)
                + "\"");
        lines.add(".SH NAME");
        lines.add(roff(name(of)) + " \\- " + roff(firstSentence(of)));
        lines.add(".SH SYNOPSIS");
        lines.add(roff(new CommandLine.Help(of, CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .synopsis(0)
                .strip()
                .replaceAll("\\s+", " ")));
        lines.add(".SH DESCRIPTION");
        paragraphs(lines, of.usageMessage().description());
        List<ArgSpec> arguments = Stream.concat(
                        of.positionalParameters().stream().map(ArgSpec.class::cast), of.options().stream())
                .filter(each -> !each.hidden())
                .toList();
        if (!arguments.isEmpty()) {
            lines.add(".SH OPTIONS");
            arguments.forEach(each -> {
                lines.add(".TP");
                lines.add(heading(each));
                lines.add(text(String.join(" ", each.description())));
            });
        }
        List<CommandLine> below = shown(command);
        if (!below.isEmpty()) {
            lines.add(".SH COMMANDS");
            below.forEach(each -> {
                lines.add(".TP");
                lines.add("\\fB" + roff(each.getCommandName()) + "\\fR");
                lines.add(text(firstSentence(each.getCommandSpec()) + "."));
            });
        }
        paragraphs(lines, of.usageMessage().footer());
        lines.add(".SH EXIT STATUS");
        lines.add("0 done, 1 failed, 2 wrong use, 130 stopped by Ctrl\\-C, 143 by SIGTERM.");
        if (of.parent() != null) {
            lines.add(".SH SEE ALSO");
            lines.add("\\fB" + roff(name(of.parent())) + "\\fR(1)");
        }
        return String.join("\n", lines) + "\n";
    }

    private static void paragraphs(List<String> lines, String... texts) {
        for (String each : texts) {
            lines.add(each.isBlank() ? ".PP" : text(each.strip()));
        }
    }

    private static String heading(ArgSpec argument) {
        if (argument instanceof OptionSpec option) {
            String names = Stream.of(option.names())
                    .map(name -> "\\fB" + roff(name) + "\\fR")
                    .collect(Collectors.joining(", "));
            return option.arity().max() == 0 ? names : names + " \\fI" + roff(option.paramLabel()) + "\\fR";
        }
        return "\\fI" + roff(argument.paramLabel()) + "\\fR";
    }

    /** A line may begin with a dot or a quote, which would be a request. */
    private static String text(String sentence) {
        String escaped = roff(sentence);
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }

    private static String roff(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-");
    }
}
