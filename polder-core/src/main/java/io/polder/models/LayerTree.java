package io.polder.models;

import io.polder.nn.Network;
import io.polder.tensor.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bytedeco.pytorch.Tensor;

/** What a network is made of, for people: a line a layer with the shapes of its parameters, indented as the layers are nested. */
public final class LayerTree {
    private final Map<String, LayerTree> parts = new LinkedHashMap<>();
    private final Map<String, String> shapes = new LinkedHashMap<>();

    private LayerTree() {}

    public static List<String> lines(Network network) {
        var root = new LayerTree();
        try (var scope = Scope.open()) {
            network.parametersByName().forEach(root::add);
        }
        List<String> lines = new ArrayList<>();
        root.shapes.forEach((name, shape) -> lines.add(name + " " + shape));
        root.parts.forEach((name, part) -> part.addLines(name, "", lines));
        return lines;
    }

    /** The shapes of its parameters, by their names. */
    public static Map<String, long[]> shapes(Network network) {
        Map<String, long[]> shapes = new LinkedHashMap<>();
        try (var scope = Scope.open()) {
            network.parametersByName().forEach((name, parameter) -> shapes.put(name, parameter.shape()));
        }
        return shapes;
    }

    private void add(String path, Tensor parameter) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            shapes.put(
                    path,
                    Arrays.stream(parameter.shape()).mapToObj(Long::toString).collect(Collectors.joining("×")));
        } else {
            parts.computeIfAbsent(path.substring(0, dot), name -> new LayerTree())
                    .add(path.substring(dot + 1), parameter);
        }
    }

    private void addLines(String name, String indent, List<String> lines) {
        var line = new StringBuilder(indent + name);
        shapes.forEach((parameter, shape) ->
                line.append("  ").append(parameter).append(' ').append(shape));
        lines.add(line.toString());
        parts.forEach((part, tree) -> tree.addLines(part, indent + "  ", lines));
    }
}
