package io.polder.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Checkpoints whose content follows from their step, so that what is read can be told from what should be there. */
final class Samples {
    static final String WEIGHTS = "weights.safetensors";
    static final String STATE = "state.json";

    private Samples() {}

    static CheckpointStore.Contents of(long step, int bytes) {
        return draft -> {
            Files.write(draft.resolve(WEIGHTS), weights(step, bytes));
            Files.writeString(draft.resolve(STATE), state(step));
        };
    }

    static void assertIsOf(long step, int bytes, Checkpoint checkpoint) throws IOException {
        assertThat(checkpoint.step()).isEqualTo(step);
        assertThat(checkpoint.files()).containsExactly(STATE, WEIGHTS);
        assertThat(checkpoint.file(WEIGHTS)).hasBinaryContent(weights(step, bytes));
        assertThat(checkpoint.file(STATE)).hasContent(state(step));
    }

    /** Newest and only whole checkpoint found without a complaint. */
    static Checkpoint newest(Path directory) throws IOException {
        return new CheckpointStore(directory, 1)
                .newest(complaint -> {
                    throw new AssertionError(complaint);
                })
                .orElseThrow();
    }

    private static byte[] weights(long step, int bytes) {
        byte[] content = new byte[bytes];
        new Random(step).nextBytes(content);
        return content;
    }

    private static String state(long step) {
        return "{\"step\": " + step + ", \"stream\": \"" + new Random(step).nextLong() + "\"}\n";
    }
}
