package io.polder.run;

import io.polder.config.Values;
import io.polder.data.Dataset;
import io.polder.data.GreyAsColour;
import io.polder.data.ImageSource;
import io.polder.data.OpenOptions;
import io.polder.data.SplitChoice;
import io.polder.data.Splits;
import io.polder.data.augment.Augmentation;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.data.load.Pipeline;
import io.polder.data.load.Share;
import io.polder.loss.PassOptions;
import io.polder.models.TorchScriptNetwork;
import io.polder.models.VisionTransformer;
import io.polder.nn.Network;
import io.polder.nn.Weights;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.GroupedOptimizer;
import io.polder.recipe.DataRecipe;
import io.polder.recipe.EvaluateOn;
import io.polder.recipe.LossRecipe;
import io.polder.recipe.ModelRecipe;
import io.polder.recipe.OptimizerRecipe;
import io.polder.recipe.Recipe;
import io.polder.tensor.ParameterGroups;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.ImageBatches;
import io.polder.train.TrainingData;
import io.polder.train.TrainingPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** Makes of a recipe's words the objects that they name: each method is one part of the recipe. */
final class Assembly {
    private Assembly() {}

    /**
     * The images of a run, open: closing it closes the loaders and the files behind them.
     *
     * @param augmentation of single training images
     * @param sample of the test images, for evaluations before the last; null: all of them
     */
    record Images(Dataset dataset, Splits splits, Augmentation augmentation, Loader train, Loader test, Loader sample)
            implements AutoCloseable {
        TrainingData forTraining() {
            TrainingData data = TrainingData.ofImages(train, test, splits.normalization());
            return sample == null ? data : data.sampling(new ImageBatches(sample, splits.normalization()));
        }

        @Override
        public void close() throws IOException {
            train.close();
            test.close();
            if (sample != null) {
                sample.close();
            }
            dataset.close();
        }
    }

    /**
     * @param evaluateOn by which images, whatever the recipe says
     * @param given takes precedence over the recipe's own directory
     */
    static Images images(Recipe recipe, EvaluateOn evaluateOn, Optional<Path> given, RandomStreams streams)
            throws IOException {
        return images(recipe, evaluateOn, given, streams, Share.ALL);
    }

    /** @param share of every batch, in training and evaluation, for one of several workers */
    static Images images(Recipe recipe, EvaluateOn evaluateOn, Optional<Path> given, RandomStreams streams, Share share)
            throws IOException {
        DataRecipe data = recipe.data();
        Dataset dataset = open(data, given, data.options());
        try {
            requireTheTasks(recipe, dataset);
            Pipeline pipeline = pipeline(recipe, dataset);
            SplitChoice choice = choice(data, evaluateOn, dataset);
            Splits splits = inColour(
                    recipe.model(), dataset.splits(pipeline.training(), pipeline.evaluation(), choice, streams));
            var training = LoaderOptions.training(data.batch(), pipeline.augmentation())
                    .withMixing(data.mix().augmentation())
                    .withThreads(data.loaderThreads())
                    .withShare(share);
            var evaluation = LoaderOptions.evaluation(data.evaluationBatch())
                    .withThreads(data.loaderThreads())
                    .withShare(share);
            return new Images(
                    dataset,
                    splits,
                    pipeline.augmentation(),
                    new Loader(splits.train(), training, streams),
                    new Loader(splits.evaluation(), evaluation, streams),
                    data.evaluationImages() == null
                            ? null
                            : new Loader(
                                    splits.evaluationSample(data.evaluationImages(), streams), evaluation, streams));
        } catch (IOException | RuntimeException e) {
            dataset.close();
            throw e;
        }
    }

    private static void requireTheTasks(Recipe recipe, Dataset dataset) throws IOException {
        if (dataset.hasSeveralLabels() != recipe.learns().hasSeveralLabels()) {
            throw new IOException(
                    "the images of %s have %s each, and the task is for images that have %s: choose another of the two"
                            .formatted(
                                    dataset.name(),
                                    dataset.hasSeveralLabels() ? "several labels" : "one class",
                                    dataset.hasSeveralLabels() ? "one class" : "several labels"));
        }
    }

    /** The recipe with the class weights that {@code balanced} means on these images: what determines them, so for a plan and not for a hash. */
    static Recipe settled(Recipe recipe, Images images) throws IOException {
        LossRecipe loss = recipe.loss();
        if (loss == null) {
            return recipe;
        }
        List<String> names = images.dataset().classNames();
        if (loss.weights() != null && loss.weights().size() != names.size()) {
            throw new IOException("loss.weights has %d numbers: it must have %d, one for each class of %s"
                    .formatted(
                            loss.weights().size(),
                            names.size(),
                            images.dataset().name()));
        }
        if (!loss.balanced()) {
            return recipe;
        }
        ImageSource train = images.splits().train();
        long[] counts = new long[names.size()];
        for (int image = 0; image < train.size(); image++) {
            for (int label : train.labels(image)) {
                counts[label]++;
            }
        }
        boolean yesOrNo = recipe.learns().hasSeveralLabels() || loss instanceof LossRecipe.BinaryCrossEntropy;
        List<Double> weights = new ArrayList<>();
        for (int label = 0; label < counts.length; label++) {
            long others = train.size() - counts[label];
            if (counts[label] == 0 || (yesOrNo && others == 0)) {
                throw new IOException("loss.balanced is true, and %s training image is of class %s: give loss.weights"
                        .formatted(counts[label] == 0 ? "no" : "every", names.get(label)));
            }
            weights.add(
                    yesOrNo
                            ? (double) others / counts[label]
                            : (double) train.size() / ((double) counts.length * counts[label]));
        }
        return Values.of(recipe).with("loss", loss.weighted(weights)).as(Recipe.class);
    }

    private static SplitChoice choice(DataRecipe data, EvaluateOn evaluateOn, Dataset dataset) throws IOException {
        int there = dataset.train().size();
        int validation = evaluateOn == EvaluateOn.TEST ? 0 : data.validationOf(there);
        if (evaluateOn == EvaluateOn.VALIDATION && (validation == 0 || validation >= there)) {
            throw new IOException("data.validation is %d: it must be 1 to %d, as %s has %d training images"
                    .formatted(validation, there - 1, dataset.name(), there));
        }
        SplitChoice choice = evaluateOn == EvaluateOn.TEST ? SplitChoice.test() : SplitChoice.validation(validation);
        if (data.images() == null) {
            return choice;
        }
        if (data.images() > there - validation) {
            throw new IOException("data.images is %d: it must be 1 to %d, as that many training images are there"
                    .formatted(data.images(), there - validation));
        }
        return choice.withTrainingImages(data.images());
    }

    /** Where a run's images were. Of those that come with Polder earlier versions noted a path that nobody read. */
    static Optional<Path> noted(Recipe recipe, RunInfo info) {
        return recipe.data().isBundled()
                ? Optional.empty()
                : Optional.ofNullable(info.data()).map(Path::of);
    }

    /** To learn what is in it: nothing is decoded or packed for that. */
    static Dataset unpacked(DataRecipe data, Optional<Path> given) throws IOException {
        return open(data, given, data.unpacked());
    }

    private static Dataset open(DataRecipe data, Optional<Path> given, OpenOptions options) throws IOException {
        Optional<Path> place = given.or(() -> Optional.ofNullable(data.dir()).map(Path::of));
        return data.dataset().open(place, options);
    }

    private static Pipeline pipeline(Recipe recipe, Dataset dataset) {
        Integer side = recipe.model().image();
        return recipe.data()
                .augment()
                .pipeline(dataset.natural(), side == null ? OptionalInt.empty() : OptionalInt.of(side));
    }

    /** What a single image goes through before the trained network sees it. */
    static Pipeline pipeline(Recipe recipe, RunInfo info) {
        return recipe.data()
                .augment()
                .pipeline(info.images().shape(), OptionalInt.of(info.images().height()));
    }

    /** Grey images become colour images where the network takes no others. */
    private static Splits inColour(ModelRecipe model, Splits splits) {
        int channels = splits.train().shape().channels();
        int wanted = model.name() == null ? channels : model.architecture().channelsFor(channels);
        if (wanted == channels) {
            return splits;
        }
        return new Splits(
                new GreyAsColour(splits.train()),
                new GreyAsColour(splits.evaluation()),
                splits.normalization().forChannels(wanted));
    }

    /**
     * The network with its first weights, before anything is trained. In the caller's scope.
     *
     * @param images as the network sees them, which training images are only after their augmentation
     * @param torchScript where the recipe's TorchScript file is now
     */
    static Network network(Recipe recipe, Path torchScript, ImageSource images, RandomStreams streams)
            throws IOException {
        ModelRecipe model = recipe.model();
        int channels = images.shape().channels();
        int side = images.shape().height();
        if (model.classes() != null && model.classes() != images.classes()) {
            throw new IOException("model.classes is " + model.classes() + ": it must be " + images.classes()
                    + ", as many as the data set has, or left out");
        }
        Network network = model.network(torchScript, channels, side, images.classes(), streams);
        if (network instanceof TorchScriptNetwork script) {
            script.requireFit(channels, side, images.shape().width(), images.classes());
        }
        return network;
    }

    /**
     * Puts the recipe's first weights into the network.
     *
     * @param told of names in a file that are somebody else's
     * @return whether the seed has drawn those of a TorchScript file anew
     */
    static boolean initialise(
            Network network, ModelRecipe model, Path torchScript, RandomStreams streams, Consumer<String> told)
            throws IOException {
        boolean redraws = network instanceof TorchScriptNetwork
                && (model.redraw() == null ? TorchScriptNetwork.isRedrawnByDefault(torchScript) : model.redraw());
        if (redraws) {
            ((TorchScriptNetwork) network).redraw(streams);
        }
        if (model.init() == null) {
            return redraws;
        }
        Path file = Path.of(model.init());
        Weights.otherNames(network, file)
                .ifPresent(names -> told.accept("the weights of " + file + " are " + names.whose()
                        + "'s, and are taken as\n  " + String.join("\n  ", names.lines())));
        if (network instanceof VisionTransformer transformer) {
            try (var scope = Scope.open()) {
                VisionTransformer stored = transformer.likeThatOf(file, streams);
                load(stored, file, model.resetHead());
                if (stored != transformer) {
                    transformer.takeWeightsOf(stored);
                }
            }
        } else {
            load(network, file, model.resetHead());
        }
        return redraws;
    }

    /** Takes what the recipe freezes out of what is trained: after its first weights are in it, before a trainer has it. */
    static void freeze(Network network, Recipe recipe) throws IOException {
        try (var scope = Scope.open()) {
            recipe.parameterGroups().freeze(network.parametersByName());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void load(Network network, Path file, boolean exceptHead) throws IOException {
        if (exceptHead) {
            Weights.loadExceptHead(network, file, Weights.headOf(network));
        } else {
            Weights.load(network, file);
        }
    }

    /** @param microBatch the recipe's own, or what was found for {@code auto} */
    static TrainingPlan plan(Recipe recipe, int microBatch, long stepsPerEpoch, RandomStreams streams) {
        long steps = recipe.totalSteps(stepsPerEpoch);
        OptimizerRecipe optimizer = recipe.optimizer();
        ParameterGroups groups = recipe.parameterGroups();
        // Of a run that began with more workers the share was smaller.
        int atOnce = recipe.syncBatchNorm() ? Integer.MAX_VALUE : microBatch;
        return new TrainingPlan(
                epochs(recipe, stepsPerEpoch),
                steps,
                recipe.evaluateEvery(),
                () -> recipe.scheme().scheme(stepsPerEpoch, steps, streams),
                recipe.learns(),
                new PassOptions(optimizer.l2(), optimizer.l2SkipsVectors(), atOnce, recipe.precision(), groups),
                () -> recipe.parameters() == null
                        ? optimizer.optimizer()
                        : new GroupedOptimizer(
                                optimizer.withoutDecoupledDecay().optimizer(), optimizer.decoupledDecay(), groups),
                recipe.learningRate().over(stepsPerEpoch, steps),
                optimizer.clip() == null ? ClipByGlobalNorm.NEVER : new ClipByGlobalNorm(optimizer.clip()),
                recipe.average() == null
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(recipe.average().decay()),
                recipe.onDivergence().normFactor(),
                recipe.earlyStopping() == null
                        ? OptionalInt.empty()
                        : OptionalInt.of(recipe.earlyStopping().patience()));
    }

    /** The last of them may be cut short. */
    static int epochs(Recipe recipe, long stepsPerEpoch) {
        return Math.toIntExact((recipe.totalSteps(stepsPerEpoch) - 1) / stepsPerEpoch + 1);
    }
}
