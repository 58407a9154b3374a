package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.polder.loss.NetworkPass;
import io.polder.loss.PassOptions;
import io.polder.loss.SoftCrossEntropy;
import io.polder.nn.Forward;
import io.polder.nn.Pass;
import io.polder.nn.Weights;
import io.polder.optim.Sgd;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.NonFiniteStepException;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.ExtraFilesMap;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A network that PyTorch scripted: convolution, batch norm, dropout, dense; see torchscript/make.py. */
class TorchScriptNetworkTest {
    @TempDir
    private Path directory;

    private final RandomStreams streams = new RandomStreams(3);
    private Scope scope;
    private TorchScriptNetwork network;

    @BeforeEach
    void load() throws IOException, URISyntaxException {
        scope = Scope.open();
        network = TorchScriptNetwork.load(resource("tiny.ts"));
    }

    @AfterEach
    void free() {
        scope.close();
    }

    @Test
    void namesAndLogitsAreThoseOfPyTorch() throws IOException, URISyntaxException {
        JsonNode expected = new ObjectMapper().readTree(resource("tiny.json").toFile());
        List<String> names = new ArrayList<>();
        expected.get("names").forEach(name -> names.add(name.asText()));
        List<String> found = new ArrayList<>(network.parametersByName().keySet());
        found.addAll(network.buffersByName().keySet());
        assertThat(found).containsExactlyInAnyOrderElementsOf(names);
        assertLogits(network, expected.get("logits"));
    }

    @Test
    void itTrainsThroughFlatParameters() {
        var parameters = FlatParameters.of(network.parametersByName());
        var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(0), streams);
        var scheme = GradientScheme.gradientNormPenalty(0.05, 0.8);
        var optimizer = new Sgd(0.9, true);
        double first = 0;
        double last = 0;
        for (int step = 0; step < 60; step++) {
            // The same draws each time, so that losses can be compared.
            last = scheme.computeGradient(pass.on(images(), targets(), 0), parameters, step)
                    .loss();
            first = step == 0 ? last : first;
            optimizer.step(parameters, 0.1);
        }
        assertThat(last).isLessThan(0.7 * first);
    }

    @Test
    void f1BothPassesDrawTheSame() {
        var parameters = FlatParameters.of(network.parametersByName());
        var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(0), streams);
        double first = pass.on(images(), targets(), 5).compute(Pass.REFERENCE);
        double[] g1 = parameters.gradient().toArray();
        assertThat(pass.compute(Pass.PERTURBED)).isEqualTo(first);
        assertThat(parameters.gradient().toArray()).isEqualTo(g1);
        assertThat(pass.on(images(), targets(), 6).compute(Pass.REFERENCE)).isNotEqualTo(first);
    }

    @Test
    void f2RunningStatisticsAreUpdatedByTheReferencePassOnly() {
        Tensor mean = network.buffersByName().get("norm.running_mean");
        Tensor start = mean.clone();
        network.forward(images(), Forward.training(Pass.PERTURBED, streams.generator("forward", 0)));
        assertThat(mean.equal(start)).isTrue();
        network.forward(images(), Forward.training(Pass.REFERENCE, streams.generator("forward", 0)));
        assertThat(mean.equal(start)).isFalse();
    }

    @Test
    void f4ARefusedStepLeavesRunningStatisticsBitForBit() {
        var parameters = FlatParameters.of(network.parametersByName());
        var pass = new NetworkPass(network, parameters, new SoftCrossEntropy(0), PassOptions.l2(0), streams);
        var scheme = GradientScheme.sam(0.1);
        scheme.computeGradient(pass.on(images(), targets(), 0), parameters, 0);
        Map<String, Tensor> before = new HashMap<>();
        network.buffersByName().forEach((name, buffer) -> before.put(name, buffer.clone()));
        Tensor broken = images().fill_(new Scalar(Double.NaN));
        assertThatThrownBy(() -> scheme.computeGradient(pass.on(broken, targets(), 1), parameters, 1))
                .isInstanceOf(NonFiniteStepException.class);
        network.buffersByName()
                .forEach((name, buffer) ->
                        assertThat(buffer.equal(before.get(name))).as(name).isTrue());
    }

    @Test
    void whatIsSavedComesBackTrainedAndSeparate() throws IOException {
        var parameters = FlatParameters.of(network.parametersByName());
        parameters.values().scale(0.5);
        Tensor logits = network.forward(images(), Forward.INFERENCE);
        Path file = directory.resolve("out.ts");
        network.save(file);
        assertThat(network.forward(images(), Forward.INFERENCE).equal(logits)).isTrue();
        var back = TorchScriptNetwork.load(file);
        assertThat(back.forward(images(), Forward.INFERENCE).equal(logits)).isTrue();
        // Not views of one buffer: the bias alone holds its four numbers.
        assertThat(back.parametersByName().get("head.bias").storage().nbytes()).isEqualTo(4 * Float.BYTES);
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void whatIsSavedIsTrainableWhereItWas() throws IOException {
        network.parametersByName().get("conv.weight").set_requires_grad(false);
        FlatParameters.of(network.parametersByName());
        Path file = directory.resolve("out.ts");
        network.save(file);
        network = TorchScriptNetwork.load(file);
        assertThat(network.parametersByName()).containsOnlyKeys("norm.weight", "norm.bias", "head.weight", "head.bias");
        assertThat(network.buffersByName())
                .containsOnlyKeys("conv.weight", "norm.running_mean", "norm.running_var", "norm.num_batches_tracked");
        itTrainsThroughFlatParameters();
    }

    @Test
    void frozenParametersAreNoPartOfThetaAndAreKept() throws IOException {
        Tensor conv = network.parametersByName().get("conv.weight").set_requires_grad(false);
        assertThat(network.parameterCount()).isEqualTo(6 + 6 + 6 * 4 + 4);
        var parameters = FlatParameters.of(network.parametersByName());
        assertThat(parameters.size()).isEqualTo(6 + 6 + 6 * 4 + 4);
        Tensor before = conv.clone();
        parameters.values().scale(0);
        assertThat(conv.equal(before)).isTrue();

        Path file = directory.resolve("weights.safetensors");
        Weights.save(network, file);
        conv.zero_();
        Weights.load(network, file);
        assertThat(conv.equal(before)).isTrue();
    }

    @Test
    void redrawnWeightsFollowFromTheSeedAsPyTorchsLayersStart() throws IOException, URISyntaxException {
        network.redraw(new RandomStreams(1));
        var again = TorchScriptNetwork.load(resource("tiny.ts"));
        again.redraw(new RandomStreams(1));
        var other = TorchScriptNetwork.load(resource("tiny.ts"));
        other.redraw(new RandomStreams(2));
        for (String name : List.of("conv.weight", "head.weight", "head.bias")) {
            Tensor drawn = network.parametersByName().get(name);
            assertThat(drawn.equal(again.parametersByName().get(name))).as(name).isTrue();
            assertThat(drawn.equal(other.parametersByName().get(name))).as(name).isFalse();
            // Uniform within 1/√9 (one channel, 3 x 3) and 1/√6 (six inputs): the largest of some is near that.
            double bound = 1 / Math.sqrt(name.startsWith("conv") ? 9 : 6);
            assertThat(drawn.abs().max().item_double()).as(name).isBetween(0.5 * bound, bound);
        }
        assertThat(network.parametersByName().get("norm.weight").equal(torch.ones(6)))
                .isTrue();
        assertThat(network.parametersByName().get("norm.bias").equal(torch.zeros(6)))
                .isTrue();
        assertThat(network.buffersByName().get("norm.running_mean").equal(torch.zeros(6)))
                .isTrue();
        assertThat(network.buffersByName().get("norm.running_var").equal(torch.ones(6)))
                .isTrue();
    }

    @Test
    void whatIsFrozenIsNotRedrawn() throws IOException {
        Tensor conv = network.parametersByName().get("conv.weight").set_requires_grad(false);
        Tensor scale = network.parametersByName().get("norm.weight").set_requires_grad(false);
        Tensor mean = network.buffersByName().get("norm.running_mean");
        List<Tensor> before = List.of(conv.clone(), scale.clone(), mean.clone());
        network.redraw(streams);
        assertThat(conv.equal(before.get(0))).isTrue();
        assertThat(scale.equal(before.get(1))).isTrue();
        assertThat(mean.equal(before.get(2))).isTrue();
    }

    @Test
    void aParameterThatNobodyKnowsHowToDrawIsNamed() throws IOException, URISyntaxException {
        var script = torch.load(resource("tiny.ts").toString());
        script.register_parameter("token", torch.ones(2).set_requires_grad(true), false);
        Path file = directory.resolve("own.ts");
        script.save(file.toString());
        var own = TorchScriptNetwork.load(file);
        Tensor before = own.parametersByName().get("head.weight").clone();
        assertThatThrownBy(() -> own.redraw(streams))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "token of the TorchScript network cannot be drawn anew, because nothing says how a layer of the"
                                + " kind Tiny starts: set model.redraw to false, and every seed starts from the file's weights");
        assertThat(own.parametersByName().get("head.weight").equal(before)).isTrue();
    }

    @Test
    void aFileSaysThatItIsUntrainedByAnExtraFileWhichAnExportLeavesOut() throws IOException, URISyntaxException {
        Path plain = resource("tiny.ts");
        assertThat(TorchScriptFile.isUntrained(plain)).isFalse();
        assertThat(TorchScriptFile.isUntrained(directory.resolve("nowhere.ts"))).isFalse();
        // As torch.jit.save(model, file, _extra_files={"polder_untrained": ""}) does.
        Path untrained = directory.resolve("untrained.ts");
        torch.load(plain.toString())
                .save(
                        untrained.toString(),
                        new ExtraFilesMap().put(new BytePointer("polder_untrained"), new BytePointer("")));
        assertThat(TorchScriptFile.isUntrained(untrained)).isTrue();
        Path exported = directory.resolve("exported.ts");
        TorchScriptNetwork.load(untrained).save(exported);
        assertThat(TorchScriptFile.isUntrained(exported)).isFalse();
    }

    @Test
    void aNetworkWithNothingToTrainIsRefused() {
        network.parametersByName().values().forEach(parameter -> parameter.set_requires_grad(false));
        assertThatThrownBy(() -> network.requireFit(1, 8, 8, 4))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the TorchScript network has no parameter with requires_grad");
    }

    @Test
    void whatIsNotTorchScriptIsAnErrorOfOneSentence() throws IOException, URISyntaxException {
        Path file = directory.resolve("model.ts");
        byte[] whole = Files.readAllBytes(resource("tiny.ts"));
        assertRefused(file, "is not a file that can be read");
        Files.write(file, new byte[0]);
        assertRefused(file, "is not a TorchScript file");
        Files.writeString(file, "just some text, and more of it");
        assertRefused(file, "is not a TorchScript file");
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        assertRefused(file, "is not a TorchScript file");
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry("hello.txt"));
            zip.write(new byte[100]);
        }
        assertRefused(file, "is not a TorchScript file");
        assertRefused(directory, "is not a file that can be read");
    }

    private static void assertRefused(Path file, String sentence) {
        assertThatThrownBy(() -> TorchScriptNetwork.load(file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + " " + sentence)
                .hasMessageNotContaining("\n");
    }

    private static void assertLogits(TorchScriptNetwork network, JsonNode expected) {
        Tensor logits = network.forward(images(), Forward.INFERENCE);
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 4; column++) {
                assertThat(logits.get(row).get(column).item_double())
                        .isCloseTo(expected.get(row).get(column).asDouble(), within(1e-6));
            }
        }
    }

    private static Tensor images() {
        float[] values = new float[3 * 64];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) Math.sin(0.013 * i);
        }
        return torch.from_blob(
                        new FloatPointer(values), new long[] {3, 1, 8, 8}, new TensorOptions(torch.ScalarType.Float))
                .clone();
    }

    private static Tensor targets() {
        Tensor targets = torch.zeros(3, 4);
        for (int i = 0; i < 3; i++) {
            targets.get(i).get(i).fill_(new Scalar(1.0));
        }
        return targets;
    }

    private static Path resource(String name) throws URISyntaxException {
        return Path.of(
                TorchScriptNetworkTest.class.getResource("/torchscript/" + name).toURI());
    }
}
