package io.polder.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.polder.models.Architectures;
import io.polder.models.TorchScriptNetwork;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A network written here, in DJL with its own older libtorch; DJL is on the class path with {@code -Pslow} only. */
@Tag("slow")
class ScriptInDjlTest {
    private static final int SIDE = 32;

    @TempDir
    private Path folder;

    @Test
    void aNetworkGivesItsLogitsInDjl() throws IOException, InterruptedException {
        Path file = folder.resolve("network.pt");
        float[] expected = new float[2 * 10];
        try (var scope = Scope.withoutGradient()) {
            Network network = Architectures.named("wrn-10-2").build(3, SIDE, 10, new RandomStreams(1));
            TorchScriptNetwork.of(network).save(file);
            float[] pixels = new float[2 * 3 * SIDE * SIDE];
            for (int i = 0; i < pixels.length; i++) {
                pixels[i] = (float) Math.sin(i / 7.0);
            }
            Tensor logits = network.forward(torch.tensor(pixels).reshape(2, 3, SIDE, SIDE), Forward.INFERENCE);
            for (int i = 0; i < expected.length; i++) {
                expected[i] = logits.flatten().get(i).item_float();
            }
        }
        List<String> lines = inDjl(file);
        assertThat(lines).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(Float.parseFloat(lines.get(i))).isCloseTo(expected[i], within(1e-5f));
        }
    }

    /** In a process of its own: two libtorches in one would be in each other's way. */
    private List<String> inDjl(Path file) throws IOException, InterruptedException {
        Path errors = folder.resolve("errors");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-DDJL_CACHE_DIR=" + folder.resolve("cache"),
                        "-Dai.djl.offline=true",
                        "--class-path",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        "peers/djl/DjlForward.java",
                        file.toString(),
                        "3",
                        "" + SIDE)
                .redirectError(errors.toFile())
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(errors.toString()).isZero();
        return output.lines().toList();
    }
}
