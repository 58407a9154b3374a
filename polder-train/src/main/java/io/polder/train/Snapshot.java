package io.polder.train;

import io.polder.nn.Network;
import io.polder.nn.Weights;
import io.polder.optim.Optimizer;
import io.polder.penalty.GradientScheme;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Tensor;

/**
 * The state of a run in the files of a directory:
 *
 * <pre>
 *   weights.safetensors     parameters and running statistics, by the names of PyTorch's state_dict
 *   optimizer.safetensors   what the optimizer remembers, such as velocity/conv1.weight
 *   scheme.safetensors      what the scheme remembers, likewise; where it remembers anything
 *   average.safetensors     the moving average, by the same names as the weights; where there is one
 *   progress.json           counters
 * </pre>
 */
public record Snapshot(Path directory) {
    private static final String OTHER_RECIPE = ": it was written by a run of another recipe; resume with that one";

    public Path weights() {
        return directory.resolve("weights.safetensors");
    }

    public Path average() {
        return directory.resolve("average.safetensors");
    }

    private Path optimizer() {
        return directory.resolve("optimizer.safetensors");
    }

    private Path scheme() {
        return directory.resolve("scheme.safetensors");
    }

    private Path progress() {
        return directory.resolve("progress.json");
    }

    /** Where the run stood, of which the file is enough. */
    public Progress readProgress() throws IOException {
        return Progress.read(progress());
    }

    void write(
            Network network,
            FlatParameters parameters,
            GradientScheme scheme,
            Optimizer optimizer,
            Optional<MovingAverage> average,
            Progress progress)
            throws IOException {
        Weights.save(network, weights());
        try (var scope = Scope.withoutGradient()) {
            SafeTensors.write(optimizer(), byName(optimizer.memory(parameters), parameters), Map.of());
            Map<String, Tensor> remembered = byName(scheme.memory(parameters), parameters);
            if (!remembered.isEmpty()) {
                SafeTensors.write(scheme(), remembered, Map.of());
            }
        }
        if (average.isPresent()) {
            try (var inUse = average.get().inUse()) {
                Weights.save(network, average());
            }
        }
        progress.write(progress());
    }

    /** Whether every number in it is. */
    boolean isFinite() throws IOException {
        for (Path path : List.of(weights(), optimizer(), scheme(), average())) {
            if (Files.exists(path) && !isFinite(path)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isFinite(Path path) throws IOException {
        try (var file = SafeTensors.open(path)) {
            for (String name : file.entries().keySet()) {
                try (var scope = Scope.withoutGradient()) {
                    if (!file.read(name).isfinite().all().item_bool()) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /**
     * Leaves everything as it was if a file does not fit; else overwrites all but the progress, which it returns. Costs one more copy of
     * all it reads, while it does.
     */
    Progress read(
            Network network,
            FlatParameters parameters,
            GradientScheme scheme,
            Optimizer optimizer,
            Optional<MovingAverage> average)
            throws IOException {
        Progress progress = Progress.read(progress());
        try (var scope = Scope.withoutGradient()) {
            Map<String, Tensor> memory = byName(optimizer.memory(parameters), parameters);
            Map<String, Tensor> schemes = byName(scheme.memory(parameters), parameters);
            Map<String, Tensor> averaged = average.map(MovingAverage::byName).orElse(Map.of());
            Map<String, Tensor> readMemory = read(optimizer(), memory);
            Map<String, Tensor> readScheme = schemes.isEmpty() ? Map.of() : read(scheme(), schemes);
            Map<String, Tensor> readAverage = average.isPresent() ? read(average(), averaged) : Map.of();
            Weights.load(network, weights()); // all of them or none, so it comes when the others are known to fit
            memory.forEach((name, tensor) -> tensor.copy_(readMemory.get(name)));
            schemes.forEach((name, tensor) -> tensor.copy_(readScheme.get(name)));
            averaged.forEach((name, tensor) -> tensor.copy_(readAverage.get(name)));
        }
        optimizer.resumeAfter(progress.step());
        scheme.resumeAfter(progress.step());
        return progress;
    }

    private static Map<String, Tensor> byName(Map<String, FlatVector> memory, FlatParameters parameters) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        memory.forEach((what, vector) ->
                parameters.byName(vector).forEach((name, tensor) -> tensors.put(what + "/" + name, tensor)));
        return tensors;
    }

    /** What a file has in the place of the given tensors. */
    private static Map<String, Tensor> read(Path path, Map<String, Tensor> tensors) throws IOException {
        Map<String, Tensor> read = new LinkedHashMap<>();
        try (var file = SafeTensors.open(path)) {
            for (var entry : tensors.entrySet()) {
                String name = entry.getKey();
                var stored = file.entries().get(name);
                if (stored == null) {
                    throw new IOException(path + " has no " + name + OTHER_RECIPE);
                }
                List<Long> shape =
                        LongStream.of(entry.getValue().shape()).boxed().toList();
                if (!stored.shape().equals(shape)) {
                    throw new IOException(path + " has " + name + " of the shape " + stored.shape() + ", it must be "
                            + shape + OTHER_RECIPE);
                }
                read.put(name, file.read(name));
            }
        }
        return read;
    }
}
