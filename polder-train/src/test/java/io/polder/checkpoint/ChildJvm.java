package io.polder.checkpoint;

import io.polder.files.WholeFile;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a program of these tests in a process of its own. */
final class ChildJvm {
    private ChildJvm() {}

    static Process start(Class<?> program, Object... arguments) throws IOException, URISyntaxException {
        return start(command(program, arguments));
    }

    static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static List<String> command(Class<?> program, Object... arguments) throws URISyntaxException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                String.join(
                        System.getProperty("path.separator"),
                        placeOf(CheckpointStore.class),
                        placeOf(ChildJvm.class),
                        placeOf(WholeFile.class)),
                program.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return command;
    }

    private static String placeOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }
}
