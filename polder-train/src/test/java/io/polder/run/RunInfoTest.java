package io.polder.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunInfoTest {
    @TempDir
    Path folder;

    /** The file is one that was written when all fields lay beside each other in Java, too. */
    @Test
    void anOldFileIsReadAndWrittenAsItWasToTheByte() throws IOException {
        Path old = folder.resolve("run.json");
        try (var resource = RunInfoTest.class.getResourceAsStream("run-of-0.1.json")) {
            Files.copy(resource, old);
        }
        RunInfo info = RunInfo.read(old);
        assertThat(info.status()).isEqualTo(RunInfo.Status.done);
        assertThat(info.platform().threads()).isEqualTo(1);
        assertThat(info.platform().device()).isEqualTo("cpu");
        assertThat(info.images().classNames()).hasSize(10).contains("sneaker");
        assertThat(info.images().mean()).containsExactly(0.286f);
        assertThat(info.length().steps()).isEqualTo(16);
        assertThat(info.result().bestEpoch()).isEqualTo(2);

        Path again = folder.resolve("again.json");
        info.write(again);
        assertThat(again).hasSameBinaryContentAs(old);
    }
}
