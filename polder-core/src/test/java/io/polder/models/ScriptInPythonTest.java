package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Networks written here, in PyTorch and in ONNX Runtime, by the lines of docs/weights.md. Needs a Python with both: {@code python3}, or the
 * one that the variable {@code POLDER_PYTHON} names.
 */
@Tag("slow")
class ScriptInPythonTest {
    /** The page's lines, then this, in the directory of each network: one process for all, as PyTorch takes seconds to start. */
    private static final String COMPARE = """
            import os, sys
            from safetensors.torch import load_file
            import onnxruntime
            page = open(sys.argv[1], encoding="utf-8").read()
            lines = [part.split("```")[0] for part in page.split("```python\\n")[1:]]
            lines = [part for part in lines if "network.ts" in part or "network.onnx" in part]
            assert len(lines) == 2, lines
            for place in sys.argv[2:]:
                os.chdir(place)
                names = {}
                for part in lines:
                    exec(part, names)
                torch, network, about = names["torch"], names["network"], names["about"]
                assert not network.training
                assert sorted(network.state_dict()) == about["names"], place
                examples = load_file("examples.safetensors")
                expected = examples["logits"]
                with torch.no_grad():
                    logits = network(examples["images"])
                assert logits.shape == expected.shape, logits.shape
                off = (logits - expected).abs().max() / expected.abs().max()
                assert off < 1e-5, (place, off)
                session = onnxruntime.InferenceSession("network.onnx")
                logits = torch.tensor(session.run(None, {"images": examples["images"].numpy()})[0])
                off = (logits - expected).abs().max() / expected.abs().max()
                assert off < 1e-4, (place, off)
            """;

    private static final String PYTHON = System.getenv().getOrDefault("POLDER_PYTHON", "python3");

    @TempDir
    private Path folder;

    @BeforeEach
    void requirePython() throws InterruptedException {
        String packages = "torch, safetensors, onnx, onnxruntime";
        boolean there;
        try {
            there = failure("import " + packages, List.of()).isEmpty();
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, PYTHON + " lacks one of " + packages + ": pip install them, or set POLDER_PYTHON");
    }

    @Test
    void everyFamilyGivesItsLogitsInPyTorchAndOnnxRuntime() throws IOException, InterruptedException {
        assertSameElsewhere(
                "resnet-small",
                "vgg16-bn",
                "resnet-18",
                "resnet-18-imagenet",
                "wrn-10-2",
                "wrn-ss-2x32",
                "pyramidnet-20-24-shakedrop",
                "vit-ti-4",
                "vit-ti-16-imagenet");
    }

    private void assertSameElsewhere(String... names) throws IOException, InterruptedException {
        List<String> places = new ArrayList<>(List.of(
                Path.of("../docs/weights.md").toAbsolutePath().normalize().toString()));
        try (var scope = Scope.withoutGradient()) {
            for (String name : names) {
                Network network = ScriptTest.stirred(Architectures.named(name).build(32, 7, new RandomStreams(1)));
                Path place = Files.createDirectory(folder.resolve(name));
                String about = "{\"input\": {\"channels\": 3, \"height\": 32, \"width\": 32}, \"names\": %s}";
                TorchScriptNetwork.of(network)
                        .save(place.resolve("network.ts"), Map.of("polder.json", about.formatted(names(network))));
                Tensor images = ScriptTest.images(3, 32);
                Map<String, Tensor> examples = new LinkedHashMap<>();
                examples.put("images", images);
                examples.put("logits", network.forward(images, Forward.INFERENCE));
                SafeTensors.write(place.resolve("examples.safetensors"), examples, Map.of());
                places.add(place.toString());
            }
        }
        assertThat(failure(COMPARE, places)).isEmpty();
    }

    private static String names(Network network) {
        var names = new TreeSet<>(network.parametersByName().keySet());
        names.addAll(network.buffersByName().keySet());
        return "[\"" + String.join("\", \"", names) + "\"]";
    }

    /** What the program says if it fails, nothing if it does not. */
    private static String failure(String program, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(PYTHON, "-c", program));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : "exit " + process.exitValue() + ": " + output;
    }
}
