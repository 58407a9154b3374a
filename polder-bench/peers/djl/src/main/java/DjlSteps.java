import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.LambdaBlock;
import ai.djl.nn.ParallelBlock;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.pooling.Pool;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The standard step of io.polder.bench.StepWorker in DJL, as its documentation has it: MODEL BATCH THREADS, for wide residual networks.
 * DJL's SGD has no Nesterov momentum, and strided convolutions are padded evenly: both are less work than Polder's.
 */
public final class DjlSteps {
    public static void main(String[] arguments) throws Exception {
        var wide = Pattern.compile("wrn-(\\d+)-(\\d+)").matcher(arguments[0]);
        if (!wide.matches()) {
            System.err.println("there is no " + arguments[0] + " here");
            System.exit(1);
        }
        int batch = Integer.parseInt(arguments[1]);
        System.setProperty("ai.djl.pytorch.num_threads", arguments[2]);
        var optimizer = Optimizer.sgd()
                .setLearningRateTracker(Tracker.fixed(0.01f))
                .optMomentum(0.9f)
                .optWeightDecays(1e-3f)
                .build();
        var config = new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss()).optOptimizer(optimizer);
        try (Model model = Model.newInstance("wrn")) {
            model.setBlock(network(Integer.parseInt(wide.group(1)), Integer.parseInt(wide.group(2))));
            try (Trainer trainer = model.newTrainer(config)) {
                trainer.initialize(new Shape(batch, 3, 32, 32));
                NDManager manager = trainer.getManager();
                var images = new NDList(manager.randomNormal(new Shape(batch, 3, 32, 32)));
                var labels = new NDList(manager.arange(batch).mod(10).toType(ai.djl.ndarray.types.DataType.INT64, true));
                serve(trainer, images, labels);
            }
        }
    }

    private static void serve(Trainer trainer, NDList images, NDList labels) throws Exception {
        long parameters = trainer.getModel().getBlock().getParameters().stream()
                .filter(each -> each.getValue().requiresGradient())
                .mapToLong(each -> each.getValue().getArray().size())
                .sum();
        System.out.printf(
                "{\"engine\": \"DJL %s\", \"parameters\": %d, \"steps\": [\"standard\"]}%n",
                Engine.getDjlVersion(), parameters);
        var requests = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = requests.readLine()) != null; ) {
            var answer = new StringBuilder();
            for (String each : line.split(" ")) {
                long started = System.nanoTime();
                step(trainer, images, labels);
                answer.append(answer.length() == 0 ? "" : ", ")
                        .append(String.format(
                                Locale.ROOT, "{\"ms\": %f, \"passes\": null}", (System.nanoTime() - started) * 1e-6));
            }
            System.out.println("[" + answer + "]");
        }
    }

    private static void step(Trainer trainer, NDList images, NDList labels) {
        try (NDManager scope = trainer.getManager().newSubManager()) {
            images.attach(scope);
            labels.attach(scope);
            try (var collector = trainer.newGradientCollector()) {
                NDList outputs = trainer.forward(images, labels);
                collector.backward(trainer.getLoss().evaluate(labels, outputs));
            }
            trainer.step();
            images.attach(trainer.getManager());
            labels.attach(trainer.getManager());
        }
    }

    private static Block network(int depth, int width) {
        var network = new SequentialBlock().add(convolution(16, 1));
        int inputs = 16;
        int blocks = (depth - 4) / 6;
        for (int i = 0; i < 3 * blocks; i++) {
            int outputs = (16 << i / blocks) * width;
            int stride = i >= blocks && i % blocks == 0 ? 2 : 1;
            var branch = new SequentialBlock();
            if (i == 0) {
                activated(network);
            } else {
                activated(branch);
            }
            branch.add(convolution(outputs, stride));
            activated(branch).add(convolution(outputs, 1));
            int missing = outputs - inputs;
            var way = LambdaBlock.singleton(x -> shortcut(x, missing, stride));
            network.add(new ParallelBlock(
                    sides -> new NDList(sides.get(0).singletonOrThrow().addi(sides.get(1).singletonOrThrow())),
                    List.of(branch, way)));
            inputs = outputs;
        }
        return activated(network)
                .add(Pool.globalAvgPool2dBlock())
                .add(Linear.builder().setUnits(10).build());
    }

    private static SequentialBlock activated(SequentialBlock block) {
        return block.add(BatchNorm.builder().optMomentum(0.9f).optEpsilon(1e-5f).build())
                .add(Activation.reluBlock());
    }

    private static Block convolution(int outputs, int stride) {
        return Conv2d.builder()
                .setFilters(outputs)
                .setKernelShape(new Shape(3, 3))
                .optStride(new Shape(stride, stride))
                .optPadding(new Shape(1, 1))
                .optBias(false)
                .build();
    }

    private static NDArray shortcut(NDArray x, int missing, int stride) {
        NDArray smaller = stride == 1 ? x : Pool.avgPool2d(x, new Shape(2, 2), new Shape(2, 2), new Shape(0, 0), false, true);
        if (missing == 0) {
            return smaller;
        }
        Shape shape = smaller.getShape();
        return smaller.concat(x.getManager().zeros(new Shape(shape.get(0), missing, shape.get(2), shape.get(3))), 1);
    }
}
