package io.polder.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CheckedJsonTest {
    /** The check value of CRC-32C, by its definition that of the digits 1 to 9, is e3069283. */
    @Test
    void theChecksumIsCrc32cOfWhatFollowsIt() {
        assertThat(CheckedJson.with("{123456789")).isEqualTo("{\"checksum\":\"e3069283\",123456789");
    }

    @Test
    void aLineFeedAtTheEndIsNoPartOfIt() throws IOException {
        String json = CheckedJson.with("{\"a\":\"größer\"}");
        for (String end : new String[] {"", "\n", "\r\n"}) {
            assertThat(CheckedJson.verify(bytes(json + end), "a")).isTrue();
        }
        assertThat(CheckedJson.with("{\"a\":\"größer\"}\n")).isEqualTo(json + "\n");
    }

    @Test
    void anObjectWithoutAChecksumIsOneOfAnOlderVersionOnlyIfItBeginsLikeOne() throws IOException {
        assertThat(CheckedJson.verify(bytes("{\n  \"a\" : 1 }"), "a")).isFalse();
        assertThat(CheckedJson.verify(bytes("{\"a\":1}"), "a")).isFalse();
        String json = CheckedJson.with("{\"a\":1}");
        for (String other : new String[] {
            "",
            "{",
            "{}",
            "null",
            "{\"b\":1}",
            "{\"checksum\":\"",
            json.replace("checksum", "checksun"),
            json.replace('1', '2')
        }) {
            assertThatThrownBy(() -> CheckedJson.verify(bytes(other), "a"))
                    .as(other)
                    .isInstanceOf(IOException.class);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
