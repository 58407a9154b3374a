package io.polder.cli;

import io.polder.files.Reason;
import io.polder.recipe.RecipeException;
import io.polder.study.search.StudyException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.util.Properties;
import java.util.concurrent.CancellationException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
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
            StudyCommand.class,
            WatchCommand.class,
            ModelsCommand.class,
            RecipesCommand.class,
            DatasetsCommand.class,
            ReportCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        usageHelpAutoWidth = true,
        footer = {"", "'polder COMMAND --help' tells more of one command."})
public final class Main implements Runnable {
    static final int FAILED = 1;
    static final int WRONG_USE = 2;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "On an error, print the stack trace too.")
    private boolean debug;

    public static void main(String[] arguments) {
        System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), arguments));
    }

    static int run(PrintWriter output, PrintWriter errors, String... arguments) {
        var main = new Main();
        return new CommandLine(main)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(output)
                .setErr(errors)
                .setParameterExceptionHandler((e, ignored) -> {
                    CommandLine command = e.getCommandLine();
                    command.getErr()
                            .println("polder: " + sentence(e) + " ("
                                    + command.getCommandSpec().qualifiedName() + " --help lists the options)");
                    return WRONG_USE;
                })
                .setExecutionExceptionHandler((e, command, ignored) -> {
                    if (e instanceof CancellationException) {
                        return FAILED; // by a signal, which StopOnSignal speaks of and the process ends with
                    }
                    if (e instanceof RecipeException recipe) {
                        recipe.mistakes().forEach(mistake -> command.getErr().println("polder: " + mistake));
                        return WRONG_USE;
                    }
                    if (e instanceof StudyException study) {
                        study.mistakes().forEach(mistake -> command.getErr().println("polder: " + mistake));
                        return WRONG_USE;
                    }
                    command.getErr().println("polder: " + sentence(e));
                    if (main.debug) {
                        e.printStackTrace(command.getErr());
                    }
                    return FAILED;
                })
                .execute(arguments);
    }

    /** Without a command there is nothing to do but say what there is. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** What went wrong; of the engine's errors the first line, as the rest is where in its source. An error without a message has a name. */
    private static String sentence(Exception e) {
        if (e.getMessage() == null || e.getMessage().isBlank()) {
            return e.toString();
        }
        if (e instanceof FileSystemException named && named.getFile() != null) {
            return named.getFile() + ": " + Reason.of(named); // of many of them the name is the whole message
        }
        boolean ours = e instanceof IOException || e instanceof RecipeException;
        return ours ? e.getMessage() : e.getMessage().lines().findFirst().orElseThrow();
    }

    /** The version Maven built, from a file it filled in. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            return new String[] {"polder " + number()};
        }

        static String number() throws IOException {
            Properties properties = new Properties();
            try (InputStream file = Main.class.getResourceAsStream("version.properties")) {
                properties.load(file);
            }
            return properties.getProperty("version");
        }
    }
}
