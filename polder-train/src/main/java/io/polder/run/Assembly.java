package io.polder.run;

import io.polder.data.Cifar;
import io.polder.data.Dataset;
import io.polder.data.Datasets;
import io.polder.data.GreyAsColour;
import io.polder.data.ImageSource;
import io.polder.data.KnownDataset;
import io.polder.data.Loader;
import io.polder.data.LoaderOptions;
import io.polder.data.OpenOptions;
import io.polder.data.Pipeline;
import io.polder.data.SplitChoice;
import io.polder.data.Splits;
import io.polder.data.augment.BatchAugmentation;
import io.polder.data.augment.CutMix;
import io.polder.data.augment.EitherOf;
import io.polder.data.augment.Mixup;
import io.polder.loss.PassOptions;
import io.polder.models.Architectures;
import io.polder.models.TorchScriptNetwork;
import io.polder.models.VisionTransformer;
import io.polder.nn.Network;
import io.polder.nn.Weights;
import io.polder.optim.AdamW;
import io.polder.optim.ClipByGlobalNorm;
import io.polder.optim.Optimizer;
import io.polder.optim.RmsProp;
import io.polder.optim.Sgd;
import io.polder.penalty.Coefficients;
import io.polder.penalty.GradientNormPenalty;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.HybridScheme;
import io.polder.penalty.Mix;
import io.polder.penalty.Perturbation;
import io.polder.recipe.BatchMixing;
import io.polder.recipe.DataRecipe;
import io.polder.recipe.DatasetName;
import io.polder.recipe.EvaluateOn;
import io.polder.recipe.GradientMix;
import io.polder.recipe.ModelRecipe;
import io.polder.recipe.OnBadImage;
import io.polder.recipe.OptimizerRecipe;
import io.polder.recipe.PerturbationNorm;
import io.polder.recipe.Recipe;
import io.polder.recipe.SchemeRecipe;
import io.polder.schedule.Schedule;
import io.polder.tensor.Precision;
import io.polder.tensor.RandomStreams;
import io.polder.train.TrainingData;
import io.polder.train.TrainingPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Makes of a recipe's words the objects that they name: each method is one part of the recipe. */
final class Assembly {
    private Assembly() {}

    /** The images of a run, open: closing it closes the loaders and the files behind them. */
    record Images(Dataset dataset, Splits splits, Loader train, Loader test) implements AutoCloseable {
        TrainingData forTraining() {
            return TrainingData.ofImages(train, test, splits.normalization());
        }

        @Override
        public void close() throws IOException {
            train.close();
            test.close();
            dataset.close();
        }
    }

    /** @param given takes precedence over the recipe's own directory */
    static Images images(Recipe recipe, Optional<Path> given, RandomStreams streams) throws IOException {
        return images(recipe, recipe.data().evaluateOn(), given, streams);
    }

    /** To be judged by other images than the recipe says. */
    static Images images(Recipe recipe, EvaluateOn evaluateOn, Optional<Path> given, RandomStreams streams)
            throws IOException {
        DataRecipe data = recipe.data();
        Dataset dataset = dataset(data, given, options(data));
        try {
            requireTheTasks(recipe, dataset);
            Pipeline pipeline = pipeline(recipe, dataset);
            Splits splits =
                    inColour(recipe.model(), dataset.splits(pipeline, choice(data, evaluateOn, dataset), streams));
            var training = LoaderOptions.training(data.batch(), splits.augmentation())
                    .withMixing(mixing(data.mix()))
                    .withThreads(data.loaderThreads());
            var evaluation = LoaderOptions.evaluation(data.evaluationBatch()).withThreads(data.loaderThreads());
            return new Images(
                    dataset,
                    splits,
                    new Loader(splits.train(), training, streams),
                    new Loader(splits.evaluation(), evaluation, streams));
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

    private static SplitChoice choice(DataRecipe data, EvaluateOn evaluateOn, Dataset dataset) throws IOException {
        int there = dataset.train().size();
        int validation = evaluateOn == EvaluateOn.TEST ? 0 : data.validation();
        if (validation == DataRecipe.CUSTOMARY_VALIDATION && validation >= there) {
            validation = Math.max(1, there / 10);
        }
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
        return known(recipe.data()).isBundled()
                ? Optional.empty()
                : Optional.ofNullable(info.data()).map(Path::of);
    }

    /** To learn what is in it: nothing is decoded or packed for that. */
    static Dataset unpacked(DataRecipe data, Optional<Path> given) throws IOException {
        return dataset(data, given, withCache(data, OpenOptions.DEFAULT.withLabels(labels(data))));
    }

    private static OpenOptions options(DataRecipe data) {
        OpenOptions options = OpenOptions.DEFAULT
                .withOnBadImage(
                        data.onBadImage() == OnBadImage.FAIL
                                ? io.polder.data.OnBadImage.FAIL
                                : io.polder.data.OnBadImage.SKIP)
                .withLabels(labels(data));
        return withCache(data, data.packedSide() == null ? options : options.withPackedSide(data.packedSide()));
    }

    private static OpenOptions withCache(DataRecipe data, OpenOptions options) {
        return data.cache() == null ? options : options.withCache(Path.of(data.cache()));
    }

    private static Cifar.Labels labels(DataRecipe data) {
        return data.name() == DatasetName.CIFAR100_COARSE ? Cifar.Labels.COARSE : Cifar.Labels.FINE;
    }

    private static Dataset dataset(DataRecipe data, Optional<Path> given, OpenOptions options) throws IOException {
        Optional<Path> place = given.or(() -> Optional.ofNullable(data.dir()).map(Path::of));
        return known(data).open(place, options);
    }

    /** The data set that the recipe names. */
    static KnownDataset known(DataRecipe data) {
        return Datasets.named(
                data.name() == DatasetName.CIFAR100_COARSE
                        ? "cifar100"
                        : data.name().text());
    }

    private static Pipeline pipeline(Recipe recipe, Dataset dataset) {
        Integer side = recipe.model().image();
        return Pipeline.named(
                recipe.data().augment().text(),
                dataset.natural(),
                side == null ? OptionalInt.empty() : OptionalInt.of(side));
    }

    /** What a single image goes through before the trained network sees it. */
    static Pipeline pipeline(Recipe recipe, RunInfo info) {
        return Pipeline.named(recipe.data().augment().text(), info.shape(), OptionalInt.of(info.height()));
    }

    /** Grey images become colour images where the network takes no others. */
    private static Splits inColour(ModelRecipe model, Splits splits) {
        int channels = splits.train().shape().channels();
        if (model.name() == null || Architectures.named(model.name()).channelsFor(channels) == channels) {
            return splits;
        }
        return new Splits(
                new GreyAsColour(splits.train()),
                splits.augmentation(),
                new GreyAsColour(splits.evaluation()),
                splits.normalization()
                        .forChannels(Architectures.named(model.name()).channelsFor(channels)));
    }

    private static BatchAugmentation mixing(BatchMixing mix) {
        if (mix instanceof BatchMixing.CutMix cutMix) {
            return new CutMix(cutMix.alpha()).withProbability(cutMix.probability());
        } else if (mix instanceof BatchMixing.Mixup mixup) {
            return new Mixup(mixup.alpha()).withProbability(mixup.probability());
        } else if (mix instanceof BatchMixing.CutMixOrMixup either) {
            double half = either.probability() / 2;
            return new EitherOf(new CutMix(either.cutmixAlpha()), half, new Mixup(either.mixupAlpha()), half);
        }
        return BatchAugmentation.NONE;
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
        Network network = network(model, torchScript, channels, side, images.classes(), streams);
        if (network instanceof TorchScriptNetwork script) {
            script.requireFit(channels, side, images.shape().width(), images.classes());
        }
        return network;
    }

    static Network network(
            ModelRecipe model, Path torchScript, int channels, int side, int classes, RandomStreams streams)
            throws IOException {
        if (model.torchscript() != null) {
            return TorchScriptNetwork.load(torchScript);
        }
        if (model.dropout() == null && model.dropPath() == null) {
            return Architectures.named(model.name()).build(channels, side, classes, streams);
        }
        var settings = Architectures.transformer(model.name(), side, classes);
        if (model.dropout() != null) {
            settings = settings.withDropout(model.dropout());
        }
        if (model.dropPath() != null) {
            settings = settings.withDropPath(model.dropPath());
        }
        return new VisionTransformer(settings, streams);
    }

    /**
     * Puts the recipe's first weights into the network.
     *
     * @return whether the seed has drawn those of a TorchScript file anew
     */
    static boolean initialise(Network network, ModelRecipe model, Path torchScript, RandomStreams streams)
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
        if (model.resetHead()) {
            Weights.loadExceptHead(network, file, Weights.headOf(network));
        } else {
            Weights.load(network, file);
        }
        return redraws;
    }

    /** @param microBatch the recipe's own, or what was found for {@code auto} */
    static TrainingPlan plan(Recipe recipe, int microBatch, long stepsPerEpoch, RandomStreams streams) {
        long steps = recipe.totalSteps(stepsPerEpoch);
        OptimizerRecipe optimizer = recipe.optimizer();
        return new TrainingPlan(
                epochs(recipe, stepsPerEpoch),
                steps,
                recipe.evaluateEvery(),
                () -> scheme(recipe.scheme(), stepsPerEpoch, steps, streams),
                recipe.learns(),
                new PassOptions(optimizer.l2(), optimizer.l2SkipsVectors(), microBatch, precision(recipe)),
                () -> optimizer(optimizer),
                recipe.learningRate().over(stepsPerEpoch, steps),
                optimizer.clip() == null ? ClipByGlobalNorm.NEVER : new ClipByGlobalNorm(optimizer.clip()),
                recipe.average() == null
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(recipe.average().decay()),
                recipe.onDivergence().normFactor());
    }

    /** The last of them may be cut short. */
    static int epochs(Recipe recipe, long stepsPerEpoch) {
        return Math.toIntExact((recipe.totalSteps(stepsPerEpoch) - 1) / stepsPerEpoch + 1);
    }

    static Precision precision(Recipe recipe) {
        return recipe.precision() == io.polder.recipe.Precision.BF16 ? Precision.BF16 : Precision.FLOAT32;
    }

    private static GradientScheme scheme(SchemeRecipe recipe, long stepsPerEpoch, long steps, RandomStreams streams) {
        if (!(recipe instanceof SchemeRecipe.TwoPasses two)) {
            return GradientScheme.standard();
        }
        Schedule r = two.r().over(stepsPerEpoch, steps);
        Coefficients coefficients = two.lambda() == null
                ? new Coefficients(r, two.alpha().over(stepsPerEpoch, steps))
                : Coefficients.ofLambda(r, two.lambda().over(stepsPerEpoch, steps));
        if (two.warmup() != null) {
            long warmup = two.warmup().steps(stepsPerEpoch);
            coefficients = switch (two.warmup().of()) {
                case R -> coefficients.warmUpRadius(warmup);
                case LAMBDA -> coefficients.warmUpLambda(warmup);
                case ZERO -> coefficients.offFor(warmup);
            };
        }
        var penalty = new GradientNormPenalty(
                coefficients,
                two.perturbation() == PerturbationNorm.L2 ? Perturbation.l2() : Perturbation.adaptive(),
                two.mix() == GradientMix.GRADIENT ? Mix.GRADIENT : Mix.DIRECTION);
        return two.probability().isAlways(1)
                ? penalty
                : new HybridScheme(penalty, two.probability().over(stepsPerEpoch, steps), streams);
    }

    private static Optimizer optimizer(OptimizerRecipe recipe) {
        if (recipe instanceof OptimizerRecipe.Sgd sgd) {
            return new Sgd(sgd.momentum(), sgd.nesterov());
        } else if (recipe instanceof OptimizerRecipe.AdamW adam) {
            return new AdamW(new AdamW.Settings(adam.beta1(), adam.beta2(), adam.epsilon(), adam.weightDecay()));
        }
        var rmsProp = (OptimizerRecipe.RmsProp) recipe;
        return new RmsProp(rmsProp.decay(), rmsProp.epsilon(), rmsProp.momentum());
    }
}
