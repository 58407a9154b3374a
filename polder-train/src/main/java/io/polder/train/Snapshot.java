package io.polder.train;

import io.polder.nn.Network;
import io.polder.nn.SavedBuffers;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The state of a run in the files of a directory:
 *
 * <pre>
 *   weights.safetensors     parameters and running statistics, by the names of PyTorch's state_dict
 *   optimizer.safetensors   what the optimizer remembers, such as velocity/conv1.weight
 *   scheme.safetensors      what the scheme remembers, likewise; where it remembers anything
 *   average.safetensors     the moving average, by the same names as the weights; where there is one
 *   worker-0.safetensors    what each of several workers has for itself: running statistics, the scheme's memory; where it has any
 *   progress.json           counters
 * </pre>
 *
 * <p>Where several workers have such things for themselves, the other files have the means of them: another number of workers goes on from
 * those.
 */
public record Snapshot(Path directory) {
    private static final String STATISTICS = "statistics/";
    private static final String SCHEME = "scheme/";
    private static final String AVERAGE = "average/";
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

    private Path worker(int rank) {
        return directory.resolve("worker-" + rank + ".safetensors");
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
            Progress progress,
            List<Map<String, Tensor>> ofWorkers)
            throws IOException {
        try (var scope = Scope.withoutGradient()) {
            Map<String, Tensor> means = means(ofWorkers);
            saveWeights(network, part(STATISTICS, means), weights());
            SafeTensors.write(optimizer(), byName(optimizer.memory(parameters), parameters), Map.of());
            Map<String, Tensor> remembered = byName(scheme.memory(parameters), parameters);
            if (!remembered.isEmpty()) {
                remembered.putAll(part(SCHEME, means));
                SafeTensors.write(scheme(), remembered, Map.of());
            }
            if (average.isPresent()) {
                try (var inUse = average.get().inUse()) {
                    saveWeights(network, part(AVERAGE, means), average());
                }
            }
            for (int rank = 0; rank < ofWorkers.size(); rank++) {
                SafeTensors.write(worker(rank), ofWorkers.get(rank), Map.of());
            }
        }
        progress.write(progress());
    }

    /** With other running statistics than the network has itself, where some are given. */
    private static void saveWeights(Network network, Map<String, Tensor> statistics, Path file) throws IOException {
        if (statistics.isEmpty()) {
            Weights.save(network, file);
            return;
        }
        var own = new SavedBuffers(network);
        try {
            Map<String, Tensor> buffers = network.statisticsByName();
            statistics.forEach((name, mean) -> buffers.get(name).data().copy_(mean));
            Weights.save(network, file);
        } finally {
            own.putBack();
        }
    }

    /** What one of several workers has for itself: what it saw of its share, which the others did not. In the caller's scope. */
    static Map<String, Tensor> own(
            Network network, FlatParameters parameters, GradientScheme scheme, Optional<MovingAverage> average) {
        Map<String, Tensor> own = new LinkedHashMap<>();
        Map<String, Tensor> statistics = network.statisticsByName();
        statistics.forEach((name, tensor) -> own.put(STATISTICS + name, tensor));
        byName(scheme.memory(parameters), parameters).forEach((name, tensor) -> own.put(SCHEME + name, tensor));
        average.map(MovingAverage::byName).orElse(Map.of()).forEach((name, tensor) -> {
            if (statistics.containsKey(name)) {
                own.put(AVERAGE + name, tensor);
            }
        });
        return own;
    }

    /** Of what workers have for themselves; counters are alike. */
    private static Map<String, Tensor> means(List<Map<String, Tensor>> ofWorkers) {
        Map<String, Tensor> means = new LinkedHashMap<>();
        if (!ofWorkers.isEmpty()) {
            ofWorkers.get(0).forEach((name, first) -> {
                if (first.is_floating_point()) {
                    Tensor sum = torch.zeros_like(first).to(torch.ScalarType.Double);
                    ofWorkers.forEach(worker -> sum.add_(worker.get(name)));
                    means.put(
                            name,
                            sum.div_(new Scalar((double) ofWorkers.size())).to(first.scalar_type()));
                }
            });
        }
        return means;
    }

    private static Map<String, Tensor> part(String of, Map<String, Tensor> named) {
        Map<String, Tensor> part = new LinkedHashMap<>();
        named.forEach((name, tensor) -> {
            if (name.startsWith(of)) {
                part.put(name.substring(of.length()), tensor);
            }
        });
        return part;
    }

    /** Of how many workers it has what each had for itself; 0 where there was one, or nothing of that kind. */
    private int workers() {
        int workers = 0;
        while (Files.exists(worker(workers))) {
            workers++;
        }
        return workers;
    }

    /** Whether every number in it is. */
    boolean isFinite() throws IOException {
        List<Path> files = new ArrayList<>(List.of(weights(), optimizer(), scheme(), average()));
        for (int rank = 0; rank < workers(); rank++) {
            files.add(worker(rank));
        }
        for (Path path : files) {
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
            Optional<MovingAverage> average,
            Workers workers)
            throws IOException {
        Progress progress = Progress.read(progress());
        try (var scope = Scope.withoutGradient()) {
            Map<String, Tensor> memory = byName(optimizer.memory(parameters), parameters);
            Map<String, Tensor> schemes = byName(scheme.memory(parameters), parameters);
            Map<String, Tensor> averaged = average.map(MovingAverage::byName).orElse(Map.of());
            Map<String, Tensor> readMemory = read(optimizer(), memory);
            Map<String, Tensor> readScheme = schemes.isEmpty() ? Map.of() : read(scheme(), schemes);
            Map<String, Tensor> readAverage = average.isPresent() ? read(average(), averaged) : Map.of();
            Map<String, Tensor> own = workers.size() > 1 && workers() == workers.size()
                    ? own(network, parameters, scheme, average)
                    : Map.of();
            Map<String, Tensor> readOwn = own.isEmpty() ? Map.of() : read(worker(workers.rank()), own);
            Weights.load(network, weights()); // all of them or none, so it comes when the others are known to fit
            memory.forEach((name, tensor) -> tensor.copy_(readMemory.get(name)));
            schemes.forEach((name, tensor) -> tensor.copy_(readScheme.get(name)));
            averaged.forEach((name, tensor) -> tensor.copy_(readAverage.get(name)));
            own.forEach((name, tensor) -> tensor.data().copy_(readOwn.get(name)));
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
