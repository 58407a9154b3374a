package example;

import io.polder.loss.Loss;
import io.polder.loss.PassOptions;
import io.polder.nn.Forward;
import io.polder.nn.LayerNorm;
import io.polder.nn.Network;
import io.polder.optim.AdamW;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.penalty.GradientScheme;
import io.polder.schedule.Schedule;
import io.polder.tensor.Device;
import io.polder.tensor.Engine;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.Batches;
import io.polder.train.Figure;
import io.polder.train.Figures;
import io.polder.train.Task;
import io.polder.train.Trainer;
import io.polder.train.TrainingData;
import io.polder.train.TrainingPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.EmbeddingImpl;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/** A task without images: the next character of a text, by a small transformer, trained in three ways. */
public final class NextCharacter {
    private static final int CONTEXT = 48;
    private static final int WIDTH = 64;
    private static final int HEADS = 4;
    private static final int BATCH = 16;
    private static final int EPOCHS = 12;

    public static void main(String[] args) throws IOException {
        Engine.setThreads(1);
        String text = Files.readString(Path.of(args[0]));
        List<Integer> alphabet = text.chars().distinct().sorted().boxed().toList();
        long[] codes = text.chars().mapToLong(alphabet::indexOf).toArray();
        train("standard", GradientScheme::standard, codes, alphabet.size());
        train("SAM", () -> GradientScheme.sam(0.05), codes, alphabet.size());
        train("penalty", () -> GradientScheme.gradientNormPenalty(0.05, 0.8), codes, alphabet.size());
    }

    private static void train(String name, Supplier<GradientScheme> scheme, long[] codes, int alphabet) {
        var streams = new RandomStreams(1);
        int pieces = (codes.length - 1) / CONTEXT;
        int trained = pieces * 9 / 10;
        Batches train = Batches.shuffled(trained, BATCH, streams, (n, device) -> pieces(codes, n, 0, device));
        Batches test = Batches.inOrder(pieces - trained, BATCH, (n, device) -> pieces(codes, n, trained, device));
        var plan = new TrainingPlan(
                EPOCHS,
                EPOCHS, // after so many it is evaluated
                scheme,
                new Characters(),
                PassOptions.l2(0),
                () -> new AdamW(new AdamW.Settings(0.9, 0.999, 1e-8, 0.1)),
                Schedule.cosine(3e-3, (long) EPOCHS * train.perEpoch()),
                new ClipByGlobalNorm(1));
        try (var scope = Scope.open();
                var trainer = new Trainer(
                        new Transformer(alphabet, streams),
                        plan,
                        new TrainingData(train, test),
                        Device.CPU,
                        streams,
                        List.of())) {
            var last = trainer.run();
            String figures = plan.task().figures().text(last.test().orElseThrow()::figure);
            System.out.printf(Locale.ROOT, "%-8s  training loss %.4f  test %s", name, last.loss(), figures);
            System.out.printf(Locale.ROOT, "  %s%n", Flatness.of(trainer, plan.task(), train, streams));
        }
    }

    /** Cross-entropy of each character, judged by the share that is guessed wrong. */
    private record Characters() implements Task {
        private static final Figure ERROR = Figure.error("error", "error");

        @Override
        public Loss loss() {
            return (outputs, targets) -> torch.cross_entropy_loss(outputs.flatten(0, 1), targets.flatten(0, 1));
        }

        @Override
        public Figures figures() {
            return new Figures(ERROR, List.of(ERROR), List.of(Figure.loss(), ERROR));
        }

        @Override
        public Tally trainingTally() {
            return evaluationTally();
        }

        @Override
        public Tally evaluationTally() {
            return new Tally() {
                private double loss;
                private long wrong;
                private long characters;

                @Override
                public void add(Tensor outputs, Tensor targets) {
                    loss += loss().mean(outputs, targets).item_double() * targets.numel();
                    wrong += outputs.argmax(new LongOptional(2), false).ne(targets).sum().item_long();
                    characters += targets.numel();
                }

                @Override
                public Map<String, Double> figures() {
                    return Map.of("loss", loss / characters, "error", (double) wrong / characters);
                }
            };
        }
    }

    /** Pieces of the text by their numbers, each with what follows each of its characters. */
    private static Batches.Examples pieces(long[] codes, int[] numbers, int skipped, Device device) {
        Tensor[] sides = new Tensor[2]; // the characters, and those one later
        for (int later = 0; later < 2; later++) {
            int shift = skipped * CONTEXT + later;
            long[] all = Arrays.stream(numbers)
                    .mapToObj(n -> Arrays.stream(codes, shift + n * CONTEXT, shift + (n + 1) * CONTEXT))
                    .flatMapToLong(piece -> piece)
                    .toArray();
            sides[later] = Tensor.create(all, numbers.length, CONTEXT).to(device.toEngine(), torch.ScalarType.Long);
        }
        return new Batches.Examples(sides[0], sides[1]);
    }

    /** Characters to logits of the next, each seeing only those before it. */
    private static final class Transformer extends Network {
        private final EmbeddingImpl characters;
        private final EmbeddingImpl places;
        private final List<Block> blocks = new ArrayList<>();
        private final LinearImpl head;

        Transformer(int alphabet, RandomStreams streams) {
            characters = register_module("characters", new EmbeddingImpl(alphabet, WIDTH));
            places = register_module("places", new EmbeddingImpl(CONTEXT, WIDTH));
            for (int i = 0; i < 2; i++) {
                blocks.add(register_module("block" + i, new Block()));
            }
            head = register_module("head", new LinearImpl(WIDTH, alphabet));
            try (var scope = Scope.withoutGradient()) {
                var generator = new GeneratorOptional(streams.generator("first weights"));
                parametersByName().forEach((name, weights) -> {
                    if (weights.dim() == 2) {
                        weights.normal_(0, 0.08, generator);
                    } else if (name.endsWith("bias")) {
                        weights.zero_();
                    }
                });
            }
        }

        @Override
        public Tensor forward(Tensor codes, Forward forward) {
            Tensor x = characters.forward(codes).add(places.weight());
            for (Block block : blocks) {
                x = block.forward(x);
            }
            return head.forward(x);
        }
    }

    private static final class Block extends Module {
        private final LayerNorm norm1 = register_module("norm1", new LayerNorm(WIDTH));
        private final LinearImpl in = register_module("in", new LinearImpl(WIDTH, 3 * WIDTH));
        private final LinearImpl out = register_module("out", new LinearImpl(WIDTH, WIDTH));
        private final LayerNorm norm2 = register_module("norm2", new LayerNorm(WIDTH));
        private final LinearImpl up = register_module("up", new LinearImpl(WIDTH, 4 * WIDTH));
        private final LinearImpl down = register_module("down", new LinearImpl(4 * WIDTH, WIDTH));

        Tensor forward(Tensor x) {
            Tensor all = in.forward(norm1.forward(x)).unflatten(2, 3 * HEADS, -1).transpose(1, 2);
            Tensor query = all.narrow(1, 0, HEADS);
            Tensor key = all.narrow(1, HEADS, HEADS);
            Tensor value = all.narrow(1, 2 * HEADS, HEADS);
            Tensor seen = torch.scaled_dot_product_attention(
                    query, key, value, new TensorOptional(), 0, true, new DoubleOptional(), false);
            x = x.add(out.forward(seen.transpose(1, 2).flatten(2, -1)));
            return x.add(down.forward(torch.gelu(up.forward(norm2.forward(x)))));
        }
    }
}
