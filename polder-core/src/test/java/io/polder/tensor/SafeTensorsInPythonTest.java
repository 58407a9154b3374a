package io.polder.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The format as its authors' own package has it. Needs a Python with {@code safetensors} and {@code numpy}: {@code python3}, or
 * the one that the variable {@code POLDER_PYTHON} names.
 */
class SafeTensorsInPythonTest {
    /** numpy has no bfloat16. The numbers are 0, 0.37, 0.74 and so on, in each type. */
    private static final String TENSORS = """
            import sys
            import numpy as np
            from safetensors.numpy import load_file, save_file
            types = {"F64": np.float64, "F32": np.float32, "F16": np.float16, "I64": np.int64, "I32": np.int32,
                     "I16": np.int16, "I8": np.int8, "U8": np.uint8, "BOOL": np.bool_}
            tensors = {"t." + n: (np.arange(24) * 0.37).reshape(2, 3, 2, 2).astype(t) for n, t in types.items()}
            tensors["scalar"] = np.array(3, dtype=np.int64)
            tensors["none"] = np.zeros((0, 3), dtype=np.float32)
            """;

    private static final String SAVE = TENSORS + "save_file(tensors, sys.argv[1], metadata={'format': 'pt'})\n";

    private static final String COMPARE = TENSORS + """
            read = load_file(sys.argv[1])
            assert read.keys() == tensors.keys(), read.keys()
            for name, tensor in tensors.items():
                assert read[name].dtype == tensor.dtype and read[name].shape == tensor.shape, name
                assert (read[name] == tensor).all(), name
            """;

    private static final String PYTHON = System.getenv().getOrDefault("POLDER_PYTHON", "python3");

    @TempDir
    private Path folder;

    @BeforeEach
    void requirePython() throws InterruptedException {
        boolean there;
        try {
            there = failure("import safetensors, numpy").isEmpty();
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, PYTHON + " lacks safetensors or numpy: pip install safetensors numpy, or set POLDER_PYTHON");
    }

    @Test
    void whatPythonWritesIsRead() throws IOException, InterruptedException {
        Path file = folder.resolve("python.safetensors");
        assertThat(failure(SAVE, file)).isEmpty();
        try (var scope = Scope.open();
                var stored = SafeTensors.open(file)) {
            Map<String, Tensor> expected = tensors();
            assertThat(stored.metadata()).containsExactly(Map.entry("format", "pt"));
            assertThat(stored.entries()).containsOnlyKeys(expected.keySet());
            for (var entry : expected.entrySet()) {
                Tensor read = stored.read(entry.getKey());
                assertThat(read.scalar_type().intern())
                        .isEqualTo(entry.getValue().scalar_type().intern());
                assertThat(read.equal(entry.getValue())).as(entry.getKey()).isTrue();
            }
        }
    }

    @Test
    void whatWeWritePythonReads() throws IOException, InterruptedException {
        Path file = folder.resolve("java.safetensors");
        try (var scope = Scope.open()) {
            SafeTensors.write(file, tensors(), Map.of("format", "pt"));
        }
        assertThat(failure(COMPARE, file)).isEmpty();
    }

    @Test
    void bothWriteTheSameBytes() throws IOException, InterruptedException {
        Path python = folder.resolve("python.safetensors");
        Path java = folder.resolve("java.safetensors");
        assertThat(failure(SAVE, python)).isEmpty();
        try (var scope = Scope.open()) {
            SafeTensors.write(java, tensors(), Map.of("format", "pt"));
        }
        assertThat(java).hasSameBinaryContentAs(python);
    }

    /** The script's, but channels-last in memory. */
    private static Map<String, Tensor> tensors() {
        Tensor numbers = torch.arange(new Scalar(24))
                .to(torch.ScalarType.Double)
                .mul(new Scalar(0.37))
                .view(2, 3, 2, 2)
                .contiguous(torch.MemoryFormat.ChannelsLast);
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        for (ElementType type : ElementType.values()) {
            if (type != ElementType.BF16) {
                tensors.put("t." + type, numbers.to(type.toEngine()));
            }
        }
        tensors.put("scalar", torch.scalar_tensor(new Scalar(3)).to(torch.ScalarType.Long));
        tensors.put("none", torch.zeros(0, 3));
        return tensors;
    }

    /** What the script says if it fails, nothing if it does not. */
    private static String failure(String script, Path... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(PYTHON, "-c", script));
        for (Path argument : arguments) {
            command.add(argument.toString());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : "exit " + process.exitValue() + ": " + output;
    }
}
