package io.polder.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Which state of Polder's source is running, for the record of a run. */
final class GitRevision {
    private static final int SECONDS = 5;

    private GitRevision() {}

    /** The commit, with "-changed" where files differ from it; "unknown" where there is no git or no repository. */
    static String ofPolder() {
        String home = System.getProperty("polder.home");
        if (home == null) {
            return "unknown";
        }
        return git(home, "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=-changed");
    }

    private static String git(String home, String... arguments) {
        String[] command = new String[arguments.length + 3];
        command[0] = "git";
        command[1] = "-C";
        command[2] = home;
        System.arraycopy(arguments, 0, command, 3, arguments.length);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "unknown";
            }
            String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.exitValue() == 0 && !line.isEmpty() ? line : "unknown";
        } catch (IOException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }
}
