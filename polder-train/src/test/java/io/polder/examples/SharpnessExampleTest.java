package io.polder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.nn.Forward;
import io.polder.nn.Network;
import io.polder.recipe.RecipeReader;
import io.polder.sharpness.Ascent;
import io.polder.sharpness.FixedLoss;
import io.polder.sharpness.Measure;
import io.polder.sharpness.Spectrum;
import io.polder.sharpness.Trace;
import io.polder.tensor.Device;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.OpenScope;
import io.polder.tensor.RandomStreams;
import io.polder.train.Batches;
import io.polder.train.Classification;
import io.polder.train.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.bytedeco.pytorch.EmbeddingImpl;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The examples of docs/sharpness.md, which {@link DocumentationTest} holds to what is here. */
@ExtendWith(OpenScope.class)
class SharpnessExampleTest {
    static void measure(
            Network network,
            FlatParameters parameters,
            Task task,
            Batches examples,
            Device device,
            RandomStreams streams) {
        var settings = FixedLoss.Settings.plain();
        try (var loss = new FixedLoss(network, parameters, task.loss(), examples, device, settings, streams, () -> {});
                var hessian = loss.hessian();
                var spectrum = Spectrum.of(hessian, parameters.values(), new Spectrum.Wanted(3, 1e-3, 100), streams)) {
            spectrum.largest().forEach(pair -> System.out.println(pair.value() + ", residual " + pair.residual()));
            System.out.println(Trace.of(hessian, parameters.values(), 40, streams));
            System.out.println(Ascent.of(loss, 0.1, 10, Ascent.Distance.L2));
        }
    }

    /** Words in, a class out: whole numbers, and no images. */
    private static final class Words extends Network {
        private final EmbeddingImpl words = register_module("words", new EmbeddingImpl(10, 4));
        private final LinearImpl head = register_module("head", new LinearImpl(4, 3));

        @Override
        public Tensor forward(Tensor texts, Forward forward) {
            return head.forward(torch.tanh(words.forward(texts).sum(1)));
        }
    }

    @Test
    void aTaskWithoutImagesIsMeasuredToo() {
        var network = new Words();
        var parameters = FlatParameters.of(network.parametersByName());
        var streams = new RandomStreams(1);
        parameters.values().setNormal(streams, "weights", 0);
        Batches texts = Batches.inOrder(6, 4, (numbers, device) -> {
            long[] words = Arrays.stream(numbers)
                    .flatMap(n -> Arrays.stream(new int[] {n, (3 * n + 1) % 10, 9 - n}))
                    .asLongStream()
                    .toArray();
            Tensor targets = torch.eye(3)
                    .index_select(
                            0,
                            Tensor.create(Arrays.stream(numbers)
                                    .map(n -> n % 3)
                                    .asLongStream()
                                    .toArray()));
            return new Batches.Examples(Tensor.create(words, numbers.length, 3), targets);
        });
        double[] before = parameters.values().toArray();
        measure(network, parameters, new Classification(0), texts, Device.CPU, streams);
        assertThat(parameters.values().toArray()).isEqualTo(before);
    }

    @Test
    void theProbesOfThePageAreInARecipe() throws IOException {
        var yaml = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/sharpness.md")));
        assertThat(yaml.find()).isTrue();
        var recipe = RecipeReader.read("""
                name: probed
                epochs: 10
                model: { name: resnet-small }
                data: { name: fashion-mnist-2000, augment: none, batch: 8 }
                scheme: { name: exact-penalty, lambda: 0.08 }
                optimizer: { name: sgd }
                learningRate: { schedule: constant, base: 0.01 }
                """ + yaml.group(1), "probed.yaml", List.of());
        assertThat(recipe.probes().every()).isEqualTo(5);
        assertThat(recipe.probes().measure()).contains(Measure.EIGENVALUES);
    }
}
