package io.polder.models;

import io.polder.nn.Network;
import io.polder.nn.Script;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.bytedeco.pytorch.BoolType;
import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.SingletonTypePtr;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.Type;

/** Makes a module of a network's program and copies of its tensors. Layers of one kind and program share a class, as they would in Python. */
final class ScriptCompiler {
    private final CompilationUnit unit = new CompilationUnit();
    private final Map<List<Object>, JitModule> classes = new HashMap<>();
    private final Map<String, Tensor> buffers;
    private final Map<String, Tensor> parameters;
    private final Set<String> used = new TreeSet<>();

    /** @param more buffers that the program has beside those of the network */
    ScriptCompiler(Network network, Map<String, Tensor> more) {
        buffers = new LinkedHashMap<>(network.statisticsByName());
        parameters = new LinkedHashMap<>(network.parametersByName());
        parameters.putAll(network.buffersByName());
        parameters.keySet().removeAll(buffers.keySet());
        buffers.putAll(more);
    }

    /** For inference, with parameters that are not to be trained on: dropout and the like are not in the program. */
    JitModule compiled(Script script) {
        JitModule module = compiled(script, "");
        Set<String> unused = new TreeSet<>(parameters.keySet());
        unused.addAll(buffers.keySet());
        unused.removeAll(used);
        if (!unused.isEmpty()) {
            throw new IllegalStateException("the program knows nothing of " + String.join(", ", unused));
        }
        return module;
    }

    private JitModule compiled(Script script, String prefix) {
        Map<String, JitModule> layers = new LinkedHashMap<>();
        script.layers().forEach((name, layer) -> layers.put(name, compiled(layer, prefix + name + ".")));
        Map<String, Tensor> ownParameters = own(parameters, prefix);
        Map<String, Tensor> ownBuffers = own(buffers, prefix);
        String source = script.source(ownParameters.containsKey("bias"));

        List<Object> like = List.of(
                script.kind(),
                source,
                List.copyOf(ownParameters.keySet()),
                List.copyOf(ownBuffers.keySet()),
                layers.entrySet().stream()
                        .map(layer -> layer.getKey() + " " + nameOf(layer.getValue()))
                        .toList());
        JitModule first = classes.get(like);
        JitModule module = first == null
                ? new JitModule(new QualifiedName("__torch__.polder." + script.kind()), unit, true)
                : new JitModule(unit, first.type());
        ownParameters.forEach((name, tensor) -> module.register_parameter(name, copyOf(tensor), false));
        ownBuffers.forEach((name, tensor) -> module.register_buffer(name, copyOf(tensor)));
        layers.forEach(module::register_module);
        // Which PyTorch asks every module for.
        module.register_attribute(
                "training", new Type.TypePtr(new SingletonTypePtr(BoolType.get().get())), new IValue(false));
        if (first == null) {
            classes.put(like, module);
            module.define(source);
        }
        return module;
    }

    private Map<String, Tensor> own(Map<String, Tensor> all, String prefix) {
        Map<String, Tensor> own = new LinkedHashMap<>();
        all.forEach((name, tensor) -> {
            if (name.startsWith(prefix) && name.indexOf('.', prefix.length()) < 0) {
                own.put(name.substring(prefix.length()), tensor);
                used.add(name);
            }
        });
        return own;
    }

    private static Tensor copyOf(Tensor tensor) {
        return tensor.detach().contiguous().clone();
    }

    private static String nameOf(JitModule module) {
        return module.type().name().get().qualifiedName().getString();
    }
}
