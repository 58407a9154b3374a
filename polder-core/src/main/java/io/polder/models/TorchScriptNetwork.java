package io.polder.models;

import io.polder.files.WholeFile;
import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.nn.SavedBuffers;
import io.polder.nn.Script;
import io.polder.tensor.Device;
import io.polder.tensor.Engine;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.pytorch.ExtraFilesMap;
import org.bytedeco.pytorch.GraphOptimizerEnabledGuard;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A network from elsewhere: a TorchScript file, which {@code torch.jit.script(model).save(file)} writes in Python. It takes a batch of
 * images, gives logits, and trains like any other.
 *
 * <p>A TorchScript file is a program. Load only those you would run.
 *
 * <p>The layers inside cannot be told which pass they are in, so what the contract asks of them is done around them. Their dropout
 * draws from the engine's global generator: it is set, before each pass, to where the step's own stream starts, so that both
 * passes draw the same (F1). Their running statistics are put back after the perturbed pass (F2). The global generator is
 * global: of several such networks in one process one runs forward at a time.
 */
public final class TorchScriptNetwork extends Network {
    private static final Object GLOBAL_GENERATOR = new Object();

    private final JitModule script;

    private TorchScriptNetwork(JitModule script) {
        this.script = script;
    }

    /** @throws IOException if there is no such file, it is not TorchScript, or a checksum in it does not fit */
    public static TorchScriptNetwork load(Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new IOException(file + " is not a file that can be read: check the path and its permissions");
        }
        ScriptArchive.requireSound(file);
        Engine.load();
        try {
            return new TorchScriptNetwork(torch.load(file.toString()));
        } catch (RuntimeException e) {
            throw new IOException(
                    file + " is not a TorchScript file: write one with torch.jit.script(model).save(...) in Python", e);
        }
    }

    /**
     * A network of Polder's own as one that needs none of it: for inference on any number of images, with copies of its weights, which are
     * not to be trained on. In the caller's scope.
     *
     * @throws IOException if the network has no program
     */
    public static TorchScriptNetwork of(Network network) throws IOException {
        return of(network, script(network), Map.of());
    }

    /** As {@link #of}, but it takes pixels between 0 and 1 and makes (x − mean)/deviation of each channel itself. */
    public static TorchScriptNetwork normalizing(Network network, float[] mean, float[] deviation) throws IOException {
        String name = "normalization";
        Script first = Script.of("Normalization", "return (x - self.mean) / self.deviation");
        return of(
                network,
                script(network).after(name, first),
                Map.of(name + ".mean", channels(mean), name + ".deviation", channels(deviation)));
    }

    private static Script script(Network network) throws IOException {
        return network.script()
                .orElseThrow(
                        () -> new IOException(
                                "a network of the class "
                                        + network.getClass().getName()
                                        + " cannot be written as TorchScript, since it has no script(): write .safetensors, or override it"));
    }

    private static TorchScriptNetwork of(Network network, Script script, Map<String, Tensor> more) {
        return new TorchScriptNetwork(new ScriptCompiler(network, more).compiled(script));
    }

    /** (1, channels, 1, 1) */
    private static Tensor channels(float[] values) {
        Tensor tensor = torch.zeros(1, values.length, 1, 1);
        for (int i = 0; i < values.length; i++) {
            tensor.select(1, i).fill_(new Scalar(values[i]));
        }
        return tensor;
    }

    /**
     * Tries the network on a black image, as nothing in the file says what it takes and gives.
     *
     * @throws IOException if it has nothing to train, does not take such images, or does not give a logit for each class
     */
    public void requireFit(int channels, int height, int width, int classes) throws IOException {
        if (parametersByName().isEmpty()) {
            throw new IOException("the TorchScript network has no parameter with requires_grad, so there is nothing to"
                    + " train: set it in Python, with model.requires_grad_(), and save the file again");
        }
        String images = channels + " x " + height + " x " + width;
        long[] shape;
        try (var scope = Scope.withoutGradient()) {
            shape = forward(torch.zeros(1, channels, height, width), Forward.INFERENCE)
                    .shape();
        } catch (RuntimeException e) {
            throw new IOException(
                    "the TorchScript network does not take images of " + images
                            + ": set model.image to the side that it takes, or give another file",
                    e);
        }
        if (!Arrays.equals(shape, new long[] {1, classes})) {
            throw new IOException("the TorchScript network makes of an image of " + images + " a tensor of "
                    + Arrays.toString(shape) + ": it must be [1, " + classes
                    + "], one number for each class of the data set");
        }
    }

    /**
     * Draws the weights anew, as the layers would start in Python, so that another seed gives other first weights.
     *
     * @throws IOException naming a parameter of a layer that is none of PyTorch's own, or of a kind that is not known; then nothing was
     *     drawn
     */
    public void redraw(RandomStreams streams) throws IOException {
        try (var scope = Scope.open()) {
            FirstWeights.draw(layers(), streams);
        }
    }

    /** Whether {@link #redraw} knows how every layer starts. */
    public boolean canBeRedrawn() {
        try (var scope = Scope.open()) {
            for (FirstWeights.Layer layer : layers()) {
                layer.requireKnown();
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Whether the seed draws the weights of a file where nobody says otherwise: if the file says that they are untrained, and it is known
     * how its layers start. A file that cannot be loaded is as it says: what is wrong with it is told by whoever trains it.
     */
    public static boolean isRedrawnByDefault(Path file) {
        if (!TorchScriptFile.isUntrained(file)) {
            return false;
        }
        try (var scope = Scope.open()) {
            return load(file).canBeRedrawn();
        } catch (IOException e) {
            return true;
        }
    }

    /** In the caller's scope. */
    private List<FirstWeights.Layer> layers() {
        List<FirstWeights.Layer> layers = new ArrayList<>();
        var list = script.named_modules();
        var iterator = list.begin();
        for (long i = list.size(); i > 0; i--, iterator.increment()) {
            var named = iterator.multiply();
            var module = new JitModule(named.value());
            layers.add(new FirstWeights.Layer(
                    named.name() == null ? "" : named.name().getString(), // of the network itself
                    kind(module),
                    parameters(module, false),
                    buffers(module, false)));
        }
        return layers;
    }

    /** "torch.nn.modules.conv.Conv2d", where the engine has "__torch__.torch.nn.modules.conv.___torch_mangle_7.Conv2d". */
    private static String kind(JitModule module) {
        String name = module.type().name().get().qualifiedName().getString();
        return name.replaceFirst("^__torch__\\.", "").replaceAll("___torch_mangle_\\d+\\.", "");
    }

    @Override
    public Tensor forward(Tensor images, Forward forward) {
        if (script.is_training() != forward.training()) {
            script.train(forward.training());
        }
        if (!forward.training()) {
            return run(images);
        }
        synchronized (GLOBAL_GENERATOR) {
            torch.manual_seed(forward.generator().current_seed()); // of every device
            return forward.pass() == Pass.PERTURBED ? runWithoutTrace(images) : run(images);
        }
    }

    /** Unoptimised: the optimiser compiles another program after the first runs, with other roundings, and no run would be repeatable. */
    private Tensor run(Tensor images) {
        try (var unoptimised = new GraphOptimizerEnabledGuard(false)) {
            return script.forward(new IValueVector(new IValue(images))).toTensor();
        }
    }

    private Tensor runWithoutTrace(Tensor images) {
        var before = new SavedBuffers(this);
        try {
            return run(images);
        } finally {
            before.putBack();
        }
    }

    @Override
    public Map<String, Tensor> parametersByName() {
        return trainable(parameters(script, true), true);
    }

    @Override
    public Map<String, Tensor> buffersByName() {
        Map<String, Tensor> state = trainable(parameters(script, true), false);
        state.putAll(statisticsByName());
        return state;
    }

    /** By {@code size()} and {@code multiply()}: the iterators' own equality compares addresses and would run past the end. */
    private static Map<String, Tensor> parameters(JitModule module, boolean withThoseInside) {
        Map<String, Tensor> parameters = new LinkedHashMap<>();
        var list = module.named_parameters(withThoseInside);
        var iterator = list.begin();
        for (long i = list.size(); i > 0; i--, iterator.increment()) {
            var named = iterator.multiply();
            parameters.put(named.name().getString(), new Tensor(named.value()));
        }
        return parameters;
    }

    @Override
    public Map<String, Tensor> statisticsByName() {
        return buffers(script, true);
    }

    private static Map<String, Tensor> buffers(JitModule module, boolean withThoseInside) {
        Map<String, Tensor> buffers = new LinkedHashMap<>();
        var list = module.named_buffers(withThoseInside);
        var iterator = list.begin();
        for (long i = list.size(); i > 0; i--, iterator.increment()) {
            var named = iterator.multiply();
            buffers.put(named.name().getString(), new Tensor(named.value()));
        }
        return buffers;
    }

    @Override
    public Network moveTo(Device device) {
        script.to(device.toEngine());
        return this;
    }

    /** As {@link #save(Path, Map)}, with nothing beside the network. */
    public void save(Path file) throws IOException {
        save(file, Map.of());
    }

    /**
     * Writes the network as TorchScript that Python loads: in inference mode, each parameter with storage of its own, and trainable if it
     * was.
     *
     * @param beside files in the archive, by name, which {@code torch.jit.load} gives out as {@code _extra_files}
     */
    public void save(Path file, Map<String, String> beside) throws IOException {
        try (var scope = Scope.withoutGradient()) {
            var copy = new TorchScriptNetwork(script.deepcopy());
            Map<String, Tensor> parameters = parameters(script, true);
            parameters(copy.script, true).forEach((name, parameter) -> {
                parameter.set_data(parameter.contiguous().clone());
                parameter.set_requires_grad(parameters.get(name).requires_grad()); // which a copy loses
            });
            copy.script.eval();
            var archive = new ExtraFilesMap();
            beside.forEach((name, text) -> archive.put(new BytePointer(name), new BytePointer(text)));
            WholeFile.write(file, draft -> copy.script.save(draft.toString(), archive));
        } catch (RuntimeException e) {
            throw new IOException("cannot write " + file + ": choose another place", e);
        }
    }
}
