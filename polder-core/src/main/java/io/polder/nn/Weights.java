package io.polder.nn;

import io.polder.tensor.ElementType;
import io.polder.tensor.SafeTensors;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/**
 * Keeps a network's parameters and buffers in a file, by their {@code state_dict} names, and puts them back.
 *
 * <p>Numbers are written into the tensors a network has, so that both work before and after
 * {@link io.polder.tensor.FlatParameters} made them views of one vector. A file of another precision is converted to the
 * network's: from half precision exactly, from double with rounding, where what is too large for a float becomes infinite.
 * Integers and truth values are not converted. The files are those of {@link SafeTensors}.
 */
public final class Weights {
    /** What PyTorch's users write, and some of their programs ask for. */
    private static final Map<String, String> METADATA = Map.of("format", "pt");

    private static final int MOST_LISTED = 10;

    private Weights() {}

    /** Writes the file whole or not at all. */
    public static void save(Network network, Path file) throws IOException {
        try (var scope = Scope.withoutGradient()) {
            SafeTensors.write(file, state(network), METADATA);
        }
    }

    /**
     * Reads a file that has exactly the network's tensors. Nothing is changed before all of it is read, which costs one copy
     * of the weights.
     *
     * @throws IOException if the file is damaged or does not fit; its message lists every way in which it does not
     */
    public static void load(Network network, Path file) throws IOException {
        load(network, file, name -> false);
    }

    /**
     * Reads all but one layer, for training further on other classes: that layer keeps its first weights, and the file may have
     * it in another shape or not at all.
     *
     * @param head the layer's name, such as {@code head} for {@code head.weight} and {@code head.bias}
     * @throws IOException as {@link #load(Network, Path)} does for the rest
     * @throws IllegalArgumentException if the network has no such layer
     */
    public static void loadExceptHead(Network network, Path file, String head) throws IOException {
        Predicate<String> inHead = name -> name.startsWith(head + ".");
        try (var scope = Scope.withoutGradient()) {
            var names = state(network).keySet();
            if (names.stream().noneMatch(inHead)) {
                throw new IllegalArgumentException("head is \"" + head + "\": it must be one of the network's layers, "
                        + names.stream()
                                .map(name -> name.split("\\.")[0])
                                .distinct()
                                .collect(Collectors.joining(", ")));
            }
        }
        load(network, file, inHead);
    }

    /** The name of a network's last trainable layer, which has one output for each class. */
    public static String headOf(Network network) {
        List<String> names = List.copyOf(network.parametersByName().keySet());
        String last = names.get(names.size() - 1);
        return last.contains(".") ? last.substring(0, last.lastIndexOf('.')) : last;
    }

    private static void load(Network network, Path path, Predicate<String> leftOut) throws IOException {
        try (var scope = Scope.withoutGradient();
                var file = SafeTensors.open(path)) {
            Map<String, Tensor> state = state(network);
            state.keySet().removeIf(leftOut);
            Map<String, SafeTensors.Entry> stored = file.entries();
            Optional<OtherNames> names = otherNames(network, path, stored.keySet());
            requireFit(
                    path, state, names.isEmpty() ? stored : names.get().translated(stored), leftOut, headOf(network));
            Map<String, Tensor> read = new LinkedHashMap<>();
            for (String name : state.keySet()) {
                OtherNames.Place place =
                        names.map(those -> those.places().get(name)).orElse(new OtherNames.Place(name));
                Tensor whole = file.read(place.name());
                long rows = place.parts() == 1 ? 0 : whole.size(0) / place.parts();
                read.put(name, place.parts() == 1 ? whole : whole.narrow(0, place.part() * rows, rows));
            }
            state.forEach((name, tensor) -> tensor.copy_(read.get(name)));
        }
    }

    /**
     * Whose names a file has that is about to be loaded; empty where they are the network's own.
     *
     * @throws IOException if the network cannot take what it has, or it cannot be read
     */
    public static Optional<OtherNames> otherNames(Network network, Path path) throws IOException {
        try (var file = SafeTensors.open(path)) {
            return otherNames(network, path, file.entries().keySet());
        }
    }

    private static Optional<OtherNames> otherNames(Network network, Path path, Set<String> stored) throws IOException {
        try {
            return network.otherNames(stored);
        } catch (IOException e) {
            throw new IOException(path + " " + e.getMessage(), e);
        }
    }

    private static Map<String, Tensor> state(Network network) {
        Map<String, Tensor> state = network.parametersByName();
        state.putAll(network.buffersByName());
        return state;
    }

    private static void requireFit(
            Path path,
            Map<String, Tensor> state,
            Map<String, SafeTensors.Entry> stored,
            Predicate<String> leftOut,
            String head)
            throws IOException {
        List<String> missing = new ArrayList<>();
        List<String> different = new ArrayList<>();
        state.forEach((name, tensor) -> {
            SafeTensors.Entry entry = stored.get(name);
            if (entry == null) {
                missing.add(name);
                return;
            }
            List<Long> shape = LongStream.of(tensor.shape()).boxed().toList();
            ElementType type = ElementType.of(name, tensor);
            if (!entry.shape().equals(shape)) {
                different.add(name + " is " + entry.shape() + ": it must be " + shape);
            } else if (entry.type() != type && !(entry.type().isFloating() && type.isFloating())) {
                different.add(name + " is " + entry.type() + ": it must be " + type);
            }
        });
        List<String> unexpected = stored.keySet().stream()
                .filter(name -> !state.containsKey(name) && !leftOut.test(name))
                .toList();
        if (missing.isEmpty() && different.isEmpty() && unexpected.isEmpty()) {
            return;
        }
        boolean otherClasses = different.stream().anyMatch(line -> line.startsWith(head + "."));
        throw new IOException(Stream.of(
                        path + " does not fit the network, which is left as it was: give weights of this architecture"
                                + (otherClasses
                                        ? ", and for other classes leave its last layer out (--reset-head)"
                                        : ""),
                        listed("missing in the file", missing),
                        listed("unknown to the network", unexpected),
                        listed("of another shape or type", different))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("\n")));
    }

    private static String listed(String what, List<String> items) {
        if (items.isEmpty()) {
            return "";
        }
        List<String> lines = new ArrayList<>();
        lines.add("  " + what + ":");
        items.stream().limit(MOST_LISTED).forEach(item -> lines.add("    " + item));
        if (items.size() > MOST_LISTED) {
            lines.add("    and " + (items.size() - MOST_LISTED) + " more");
        }
        return String.join("\n", lines);
    }
}
