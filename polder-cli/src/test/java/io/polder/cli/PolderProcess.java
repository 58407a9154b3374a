package io.polder.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command as a user meets it: a process of its own, its output and its exit code; or, in a fraction of the time, without the process. */
record PolderProcess(Process process, Path output, Path errors) {
    /** For what hangs: on busy cores a start of Java alone may take many seconds. */
    private static final int PATIENCE_SECONDS = 600;

    record Outcome(int exitCode, String output, String errors) {}

    /** @param directory for the files that its output goes to */
    static PolderProcess start(Path directory, List<String> options, String... arguments) throws IOException {
        return start(directory, List.of(), options, arguments);
    }

    /** @param before what starts it, such as {@code nice}; it must become the process itself */
    static PolderProcess start(Path directory, List<String> before, List<String> options, String... arguments)
            throws IOException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        Path errors = Files.createTempFile(directory, "errors", ".txt");
        var command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dsun.stdout.encoding=UTF-8",
                "-Dsun.stderr.encoding=UTF-8",
                "-Dstdout.encoding=UTF-8",
                "-Dstderr.encoding=UTF-8"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        return new PolderProcess(process, output, errors);
    }

    /** In this process: for what is no matter of signals, threads, the engine's start or plug-ins. */
    static Outcome here(String... arguments) {
        var output = new StringWriter();
        var errors = new StringWriter();
        int exitCode = Main.run(new PrintWriter(output, true), new PrintWriter(errors, true), arguments);
        return new Outcome(exitCode, output.toString(), errors.toString());
    }

    static Outcome run(Path directory, String... arguments) throws Exception {
        return start(directory, List.of(), arguments).outcome();
    }

    Outcome outcome() throws Exception {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        return new Outcome(process.exitValue(), Files.readString(output), Files.readString(errors));
    }

    /** Until it has written this to standard error, or has ended. */
    void awaitErrors(String text) throws Exception {
        for (int i = 0; i < 20 * PATIENCE_SECONDS && process.isAlive(); i++) {
            if (Files.readString(errors).contains(text)) {
                return;
            }
            Thread.sleep(50);
        }
    }
}
