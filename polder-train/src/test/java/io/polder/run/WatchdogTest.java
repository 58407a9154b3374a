package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchdogTest {
    @TempDir
    private Path directory;

    @Test
    void aStepThatHangsIsNotedOnceWithWhereItIs() throws Exception {
        Path run = directory.resolve("run");
        var observer = new TinyRun.Observer();
        observer.after(3, () -> hang(observer));
        // 0.03 minutes are 1.8 s: longer than any of these steps takes, on busy cores too.
        TrainingRun.start(TinyRun.recipe("watchdogMinutes=0.03"), run, TinyRun.SETTINGS, observer);
        assertThat(observer.warnings)
                .filteredOn(warning -> warning.contains("WatchdogTest.hang"))
                .singleElement()
                .asString()
                .startsWith("nothing has happened for 0.03000 minutes since step 2; the training is in ");
        assertThat(Files.readString(run.resolve("metrics.jsonl"))).contains("WatchdogTest.hang");
    }

    /** Until it was noticed, and long enough after that for a second notice. */
    private static void hang(TinyRun.Observer observer) throws InterruptedException {
        for (int i = 0; i < 6000 && observer.warnings.isEmpty(); i++) {
            Thread.sleep(50);
        }
        Thread.sleep(4000);
    }
}
