package io.polder.nn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A layer's program for inference in TorchScript, with the layers inside it: a network in this form needs the engine and nothing of
 * Polder. The numbers are not in it: they are the network's own, by their {@code state_dict} names, when it is compiled
 * ({@code io.polder.models.TorchScriptNetwork}).
 *
 * <p>Lines are Python's. {@code x} is what the layer is given, {@code self.weight} a tensor, {@code self.conv1(x)} what the layer of that
 * name makes of x; a name may be a number here, as in {@code self.0(x)}.
 */
public final class Script {
    private static final Pattern CALL = Pattern.compile("\\bself\\.(\\w+)\\(");

    /** In a line of a layer that may have a bias or not. */
    private static final String BIAS_IF_ANY = "BIAS_IF_ANY";

    private final String kind;
    private final List<String> lines;
    private final Map<String, Script> layers = new LinkedHashMap<>();

    private Script(String kind, List<String> lines) {
        this.kind = kind;
        this.lines = lines;
    }

    /** @param kind what such a layer is called, as a name of a class */
    public static Script of(String kind, String... lines) {
        return new Script(kind, List.of(lines));
    }

    /** A dense layer: the engine's own. */
    public static Script linear() {
        return of("Linear", "return torch.linear(x, self.weight, self.bias)");
    }

    /** A convolution that is padded alike on all sides. */
    public static Script convolution(long stride, long padding) {
        return of("Conv2d", convolved(stride, padding));
    }

    static String convolved(long stride, long padding) {
        return "return torch.conv2d(x, self.weight, %3$s, [%1$d, %1$d], [%2$d, %2$d])"
                .formatted(stride, padding, BIAS_IF_ANY);
    }

    /** Layers that x goes through one after the other, named by numbers from 0. */
    public static Script inTurn(String kind, List<Script> layers) {
        var steps = IntStream.range(0, layers.size()).mapToObj(i -> "x = self." + i + "(x)");
        var script =
                new Script(kind, Stream.concat(steps, Stream.of("return x")).toList());
        for (int i = 0; i < layers.size(); i++) {
            script.with("" + i, layers.get(i));
        }
        return script;
    }

    /** With a layer inside it, which the program may call. */
    public Script with(String name, Script layer) {
        layers.put(name, layer);
        return this;
    }

    /** The same program after one more layer, which x goes through first. */
    public Script after(String name, Script layer) {
        List<String> all = new ArrayList<>(List.of("x = self." + name + "(x)"));
        all.addAll(lines);
        var script = new Script(kind, all).with(name, layer);
        layers.forEach(script::with);
        return script;
    }

    public String kind() {
        return kind;
    }

    public Map<String, Script> layers() {
        return Collections.unmodifiableMap(layers);
    }

    /** As TorchScript has it: a method of the layer's class. */
    public String source(boolean withBias) {
        return lines.stream()
                .map(line -> line.replace(BIAS_IF_ANY, withBias ? "self.bias" : "None"))
                .map(line -> CALL.matcher(line).replaceAll("getattr(self, \"$1\").forward("))
                .collect(Collectors.joining("\n    ", "def forward(self, x: Tensor) -> Tensor:\n    ", "\n"));
    }
}
