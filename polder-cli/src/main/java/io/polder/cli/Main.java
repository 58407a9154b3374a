package io.polder.cli;

import io.polder.config.ConfigException;
import io.polder.config.Plugins;
import io.polder.files.Reason;
import io.polder.text.Nearest;
import io.polder.text.ShellWords;
import io.polder.train.NotEnoughMemoryException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CancellationException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The {@code polder} command. Exit codes: 0 done, 1 failed, 2 wrong use, 130 stopped by Ctrl-C, 143 by SIGTERM. */
@Command(
        name = "polder",
        description = "Trains neural networks to flat minima, by penalising the gradient norm.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = {
            CompareCommand.class,
            TrainCommand.class,
            ResumeCommand.class,
            EvaluateCommand.class,
            PredictCommand.class,
            ExportCommand.class,
            SharpnessCommand.class,
            LrCommand.class,
            ProfileCommand.class,
            StudyCommand.class,
            WatchCommand.class,
            ModelsCommand.class,
            RecipesCommand.class,
            DatasetsCommand.class,
            ReportCommand.class,
            DoctorCommand.class,
            CompletionCommand.class,
            ManPages.class,
            HelpCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "'polder help COMMAND' tells more of one command."})
public final class Main implements Runnable {
    static final int FAILED = 1;
    static final int WRONG_USE = 2;

    @CommandLine.Spec
    private CommandSpec spec;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "On an error, print the stack trace too.")
    private boolean debug;

    @Option(
            names = "--plugins",
            scope = ScopeType.INHERIT,
            paramLabel = "JAR",
            split = ":",
            description = "Jars with schemes, networks and more of your own (see docs/plugins.md).")
    private List<Path> plugins = List.of();

    public static void main(String[] arguments) {
        var screen = new StandardOutput();
        var output = new PrintWriter(screen, true, StandardCharsets.UTF_8);
        var errors = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int code = run(output, errors, arguments);
        output.flush();
        if (code == 0 && screen.failure().isPresent()) {
            errors.println("polder: cannot write to standard output ("
                    + Reason.of(screen.failure().get()) + "): what was printed is lost");
            code = FAILED;
        }
        System.exit(code);
    }

    static int run(PrintWriter output, PrintWriter errors, String... arguments) {
        if (List.of("--version").equals(List.of(arguments))) {
            output.println(Version.sentence()); // without the quarter of a second in which picocli builds every command
            return 0;
        }
        var main = new Main();
        CommandLine line = new CommandLine(main)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false) // a file's name may begin with @
                .registerConverter(Path.class, Main::path)
                .setUsageHelpAutoWidth(true)
                .setOut(output)
                .setErr(errors)
                .setExecutionStrategy(parsed -> {
                    main.loadPlugins(parsed.commandSpec().commandLine());
                    return new CommandLine.RunLast().execute(parsed);
                })
                .setParameterExceptionHandler((e, ignored) -> {
                    CommandLine command = e.getCommandLine();
                    command.getErr()
                            .println("polder: " + mistake(e) + " ("
                                    + command.getCommandSpec().qualifiedName() + " --help lists the options)");
                    return WRONG_USE;
                })
                .setExecutionExceptionHandler((e, command, ignored) -> {
                    if (e instanceof CancellationException) {
                        return FAILED; // by a signal, which StopOnSignal speaks of and the process ends with
                    }
                    if (e instanceof ConfigException file) {
                        file.mistakes().forEach(mistake -> command.getErr().println("polder: " + mistake));
                        return WRONG_USE;
                    }
                    return main.failed(e, command.getErr());
                });
        line.getSubcommands().values().forEach(Main::settle);
        try {
            return line.execute(arguments);
        } catch (Error e) { // which picocli lets pass
            return main.failed(e, errors);
        }
    }

    /** What is wrong with what was typed; of a command or an option that there is not, which may have been meant. */
    private static String mistake(CommandLine.ParameterException e) {
        if (e instanceof CommandLine.UnmatchedArgumentException unmatched) {
            CommandLine command = e.getCommandLine();
            String word = unmatched.getUnmatched().get(0);
            if (unmatched.isUnknownOption()) {
                String name = word.replaceFirst("=.*", "");
                return Nearest.to(name, command.getCommandSpec().optionsMap().keySet())
                        .map(near -> "there is no option " + name + ": did you mean " + near + "?")
                        .orElse(sentence(e));
            }
            boolean wantsCommand = !command.getSubcommands().isEmpty();
            if (wantsCommand
                    && Nearest.to(word, command.getSubcommands().keySet()).isPresent()) {
                return unknownCommand(command, word);
            }
        }
        return sentence(e);
    }

    static String unknownCommand(CommandLine above, String name) {
        var names = above.getSubcommands().keySet();
        return "there is no command " + name + ": "
                + Nearest.to(name, names)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("there are " + String.join(", ", names));
    }

    /** What all commands have in common. */
    private static void settle(CommandLine command) {
        command.getCommandSpec()
                .versionProvider(new Version())
                .usageMessage()
                .sortOptions(false)
                .abbreviateSynopsis(true);
        command.getSubcommands().values().forEach(Main::settle);
    }

    /** Before any recipe is read. */
    private void loadPlugins(CommandLine command) {
        try {
            if (!plugins.isEmpty()) {
                Plugins.add(plugins);
            }
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ExecutionException(command, e.getMessage(), e);
        }
    }

    /** What was typed for every command, for another process. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>(debugArguments());
        plugins.forEach(jar -> arguments.addAll(List.of("--plugins", jar.toString())));
        return arguments;
    }

    /** Of them those that are for any machine. */
    List<String> debugArguments() {
        return debug ? List.of("--debug") : List.of();
    }

    private int failed(Throwable e, PrintWriter errors) {
        errors.println("polder: " + sentence(e));
        if (debug) {
            e.printStackTrace(errors);
        }
        return FAILED;
    }

    /** What was typed, as it can be typed again. */
    static String commandLine(CommandSpec command) {
        return "./polder "
                + ShellWords.joined(
                        command.root().commandLine().getParseResult().originalArgs());
    }

    /** Reads something. */
    interface Reading<T, E extends Exception> {
        T read() throws E;
    }

    /** What was typed: a mistake in it is wrong use. Those of a file are told with their lines, as anywhere. */
    static <T, E extends Exception> T typed(CommandSpec command, Reading<T, E> reading) throws E {
        try {
            return reading.read();
        } catch (ConfigException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /** For picocli, whose own conversion would name the class of the exception. */
    static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new CommandLine.TypeConversionException(sentence(e));
        }
    }

    /** Without a command there is nothing to do but say what there is. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** What went wrong; of the engine's errors the first line, as the rest is where in its source. An error without a message has a name. */
    static String sentence(Throwable e) {
        if (e instanceof Error error) {
            return sentence(error);
        }
        if (e instanceof InvalidPathException invalid) {
            return "'" + invalid.getInput() + "' cannot be a path here (" + invalid.getReason()
                    + "): for names beyond ASCII set a locale in UTF-8, such as LC_ALL=C.UTF-8";
        }
        Optional<String> noMemory = NotEnoughMemoryException.sentence(e);
        if (noMemory.isPresent()) {
            return noMemory.get();
        }
        if (e.getMessage() == null || e.getMessage().isBlank()) {
            return e.toString();
        }
        if (e instanceof FileSystemException named && named.getFile() != null) {
            return named.getFile() + ": " + Reason.of(named); // of many of them the name is the whole message
        }
        boolean ours = e instanceof IOException || e instanceof ConfigException;
        return ours ? e.getMessage() : firstLine(e.getMessage());
    }

    /** Errors are Java's own, and their messages are for its developers: what a user can do about them is said here. */
    private static String sentence(Error e) {
        String said = firstLine(e.toString().replaceFirst("^java\\.lang\\.", ""));
        if (e instanceof OutOfMemoryError) {
            return "there is not enough memory (" + said + "): close other programs, ask for less at a time,"
                    + " or let Java have more by POLDER_JAVA_OPTIONS=-Xmx4g";
        } else if (e instanceof StackOverflowError) {
            return "what was given is nested too deeply (" + said + "): make it flatter,"
                    + " or let Java go deeper by POLDER_JAVA_OPTIONS=-Xss16m";
        } else if (e instanceof LinkageError) {
            return "a part of Polder or of its engine cannot be loaded (" + said
                    + "): it is built for Linux on x86-64; there, remove polder-*/target to have it built anew";
        } else if (e instanceof InternalError) {
            // Java's word for a page of a mapped file that could not be read.
            return "Java failed (" + said + "): perhaps a file was cut short, or its disk failed, while it was read";
        }
        return "Polder failed (" + said + "): this is a fault of it, please report it with what --debug prints";
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    /** The version Maven built, from a file it filled in. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {sentence()};
        }

        static String sentence() {
            return "polder " + number();
        }

        static String number() {
            Properties properties = new Properties();
            try (InputStream file = Main.class.getResourceAsStream("version.properties")) {
                properties.load(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e); // of the jar that this class came from
            }
            return properties.getProperty("version");
        }
    }
}
