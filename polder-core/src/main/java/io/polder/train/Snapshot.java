package io.polder.train;

import io.polder.nn.Network;
import io.polder.nn.Weights;
import io.polder.optim.Optimizer;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;

/**
 * The state of a run in the files of a directory:
 *
 * <pre>
 *   weights.safetensors     parameters and running statistics, by the names of PyTorch's state_dict
 *   optimizer.safetensors   what the optimizer remembers, such as velocity/conv1.weight
 *   average.safetensors     the moving average, by the same names as the weights; where there is one
 *   progress.json           counters
 * </pre>
 */
public record Snapshot(Path directory) {
    public Path weights() {
        return directory.resolve("weights.safetensors");
    }

    public Path average() {
        return directory.resolve("average.safetensors");
    }

    private Path optimizer() {
        return directory.resolve("optimizer.safetensors");
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
            Optimizer optimizer,
            Optional<WeightAverage> average,
            Progress progress)
            throws IOException {
        Weights.save(network, weights());
        try (var scope = Scope.withoutGradient()) {
            SafeTensors.write(optimizer(), memory(optimizer, parameters), Map.of());
        }
        if (average.isPresent()) {
            try {
                average.get().inUse(() -> {
                    try {
                        Weights.save(network, average());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return null;
                });
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        progress.write(progress());
    }

    /** Whether every number in it is. */
    boolean isFinite() throws IOException {
        for (Path path : List.of(weights(), optimizer(), average())) {
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

    /** Leaves everything as it was if a file does not fit; else overwrites all but the progress, which it returns. */
    Progress read(Network network, FlatParameters parameters, Optimizer optimizer, Optional<WeightAverage> average)
            throws IOException {
        Progress progress = Progress.read(progress());
        Weights.load(network, weights());
        try (var scope = Scope.withoutGradient()) {
            overwrite(memory(optimizer, parameters), optimizer());
            if (average.isPresent()) {
                overwrite(average.get().byName(), average());
            }
        }
        optimizer.resumeAfter(progress.step());
        return progress;
    }

    private static Map<String, Tensor> memory(Optimizer optimizer, FlatParameters parameters) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        optimizer
                .memory(parameters)
                .forEach((memory, vector) ->
                        parameters.byName(vector).forEach((name, tensor) -> tensors.put(memory + "/" + name, tensor)));
        return tensors;
    }

    private static void overwrite(Map<String, Tensor> tensors, Path path) throws IOException {
        try (var file = SafeTensors.open(path)) {
            for (var entry : tensors.entrySet()) {
                if (!file.entries().containsKey(entry.getKey())) {
                    throw new IOException(path + " has no " + entry.getKey()
                            + ": it was written by a run of another recipe; resume with that one");
                }
                entry.getValue().copy_(file.read(entry.getKey()));
            }
        }
    }
}
