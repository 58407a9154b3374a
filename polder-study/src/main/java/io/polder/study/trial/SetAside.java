package io.polder.study.trial;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Moves what is damaged out of a trial's way, into a directory {@code damaged-N} of it: nothing is deleted that a person may want to look
 * at.
 */
final class SetAside {
    private static final String NAME = "damaged-";

    /** What belongs to the trial and not to its run; the claim is held, and the log is being written. */
    private static final Set<String> OF_THE_TRIAL =
            Set.of(TrialClaim.FILE, TrialProcess.LOG, Attempts.FILE, TrialStore.OUTCOME);

    private SetAside() {}

    /**
     * The run, so that the trial can be trained from its beginning.
     *
     * @return where it is now
     */
    static Path run(Path trial) throws IOException {
        Path aside = make(trial);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(trial)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (!OF_THE_TRIAL.contains(name) && !name.startsWith(NAME)) {
                    Files.move(file, aside.resolve(name));
                }
            }
        }
        return aside;
    }

    /** One of the trial's files, if something is in its place that no file can replace. */
    static void ifDirectory(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            Files.move(file, make(file.getParent()).resolve(file.getFileName()));
        }
    }

    private static Path make(Path trial) throws IOException {
        int number = 1;
        while (Files.exists(trial.resolve(NAME + number))) {
            number++;
        }
        return Files.createDirectory(trial.resolve(NAME + number));
    }
}
