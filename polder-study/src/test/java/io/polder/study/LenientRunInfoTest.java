package io.polder.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.files.CheckedJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LenientRunInfoTest {
    @TempDir
    private Path run;

    /** Zeros between the characters are taken for UTF-32, whose reader complains in its own way. */
    @Test
    void bytesThatLookLikeUtf32SayNothing() throws IOException {
        Files.write(run.resolve("run.json"), new byte[] {0, 0, 0, '{', (byte) 0xa2, (byte) 0xff, 0x27, 0});
        assertThat(LenientRunInfo.read(run).fields()).isEmpty();
    }

    @Test
    void whatDoesNotMatchItsChecksumIsNotShown() throws IOException {
        Path file = run.resolve("run.json");
        String json = CheckedJson.with("{\"name\": \"tiny\", \"seed\": 4}");
        Files.writeString(file, json);
        assertThat(LenientRunInfo.read(run).get("seed")).isEqualTo("4");
        Files.writeString(file, json.replace("4}", "5}"));
        assertThat(LenientRunInfo.read(run).fields()).isEmpty();
    }

    @Test
    void aRunOfAnOlderVersionIsShown() throws IOException {
        Files.writeString(run.resolve("run.json"), "{\n  \"name\" : \"tiny\", \"seed\" : 4}");
        assertThat(LenientRunInfo.read(run).get("seed")).isEqualTo("4");
    }
}
