package io.polder.run;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.polder.data.augment.Augmentation;
import io.polder.data.augment.BatchAugmentation;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.files.CheckedJson;
import io.polder.files.Sha256;
import io.polder.files.WholeFile;
import io.polder.nn.Network;
import io.polder.recipe.OptimizerRecipe;
import io.polder.recipe.Recipe;
import io.polder.sharpness.BatchStatistics;
import io.polder.sharpness.Effort;
import io.polder.sharpness.FixedLoss;
import io.polder.sharpness.Measure;
import io.polder.sharpness.Reading;
import io.polder.tensor.Device;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Numbers;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.ImageBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The network of a run, or of one of its checkpoints, with training images to measure it on. What was measured is kept in the run's
 * directory {@code sharpness}, by what the weights are and how it was measured: asking again costs nothing, so that long work that was
 * stopped goes on where it was. To be used and closed by the thread that opened it.
 */
public final class MeasuredNetwork implements AutoCloseable {
    /**
     * On what is measured, and which loss.
     *
     * @param data where the images are; empty for where they were in training
     * @param samples at most so many training images, without augmentation, chosen by the seed
     * @param batch images at a time; empty for the batch of the training. It matters to the batch gradient, and with batch statistics
     * @param l2 whether the L2 term of the recipe is a part of the loss
     * @param seed of the choice of images
     * @param inDoublePrecision whether the weights are made double, which they were not in training
     */
    public record Settings(
            Optional<Path> data,
            long samples,
            Optional<Integer> batch,
            BatchStatistics statistics,
            boolean l2,
            long seed,
            boolean inDoublePrecision) {
        public Settings doubled() {
            return new Settings(data, samples, batch, statistics, l2, seed, true);
        }
    }

    /** To be changed when what a measure means is, so that what was kept is measured anew. */
    private static final String FORMAT = "polder sharpness 1";

    private static final Pattern CHECKPOINT = Pattern.compile("step-(\\d+)-save-\\d+");
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES); // the checksum

    private final RunDirectory directory;
    private final TrainedNetwork trained;
    private final Assembly.Images images;
    private final Loader loader;
    private final FlatParameters parameters;
    private final FixedLoss loss;
    private final String key;
    private final Consumer<String> complaints;

    private MeasuredNetwork(
            RunDirectory directory,
            TrainedNetwork trained,
            Settings settings,
            Device device,
            FixedLoss.Watcher watcher,
            Consumer<String> complaints)
            throws IOException {
        this.directory = directory;
        this.trained = trained;
        this.complaints = complaints;
        Recipe recipe = trained.recipe();
        Optional<Path> place = settings.data().or(() -> Assembly.noted(recipe, trained.info()));
        images = Assembly.images(recipe, recipe.data().evaluateOn(), place, new RandomStreams(recipe.seed()));
        try {
            trained.info().requireSame(images, place);
            Network network = trained.network();
            FixedLoss.Settings measured = lossOf(recipe.optimizer(), settings);
            key = FORMAT + "\n" + contents(network) + "\n" + images.dataset().contents() + "\n" + measured + " batch "
                    + batch(recipe, settings) + " seed " + settings.seed() + " double " + settings.inDoublePrecision();
            loader = loader(images, batch(recipe, settings), settings.seed());
            if (settings.inDoublePrecision()) {
                network.inDoublePrecision();
            }
            parameters = FlatParameters.of(network.moveTo(device).parametersByName());
            loss = new FixedLoss(
                    network,
                    parameters,
                    Assembly.settled(recipe, images).learns().loss(),
                    new ImageBatches(loader, trained.info().images().normalization()),
                    device,
                    measured,
                    new RandomStreams(settings.seed()),
                    watcher);
        } catch (IOException | RuntimeException e) {
            images.close();
            throw e;
        }
    }

    /**
     * @param path of a run, or of one of the directories in its {@code checkpoints}
     * @param which of a run's checkpoints
     * @param watcher is told of each batch, and may throw to stop
     * @param complaints is told of damaged checkpoints, which are passed over, and of what cannot be kept
     */
    public static MeasuredNetwork open(
            Path path,
            RunDirectory.Which which,
            Settings settings,
            Device device,
            FixedLoss.Watcher watcher,
            Consumer<String> complaints)
            throws IOException {
        Path whole = path.toAbsolutePath().normalize();
        Matcher name = CHECKPOINT.matcher(String.valueOf(whole.getFileName()));
        boolean isCheckpoint = name.matches() && Files.exists(whole) && whole.getNameCount() > 2;
        var directory = new RunDirectory(isCheckpoint ? whole.getParent().getParent() : path);
        TrainedNetwork.Choice choice = told -> isCheckpoint
                ? directory
                        .store(1)
                        .of(Long.parseLong(name.group(1)))
                        .orElseThrow(() -> new IOException(path + " is damaged: measure another checkpoint"))
                : directory.checkpoint(which, told);
        TrainedNetwork trained = TrainedNetwork.open(directory, choice, complaints);
        try {
            return new MeasuredNetwork(directory, trained, settings, device, watcher, complaints);
        } catch (IOException | RuntimeException e) {
            trained.close();
            throw e;
        }
    }

    private static FixedLoss.Settings lossOf(OptimizerRecipe optimizer, Settings settings) {
        return new FixedLoss.Settings(
                settings.samples(),
                settings.statistics(),
                settings.l2() ? optimizer.l2() : 0,
                settings.l2() && optimizer.l2SkipsVectors());
    }

    private static int batch(Recipe recipe, Settings settings) {
        return settings.batch().orElse(recipe.data().batch());
    }

    /** In an order that the seed draws, as neighbours in a file tend to be alike; as they are, where the network takes them so. */
    static Loader loader(Assembly.Images images, int batch, long seed) {
        var splits = images.splits();
        boolean fit = splits.train().shape().equals(splits.evaluation().shape());
        Augmentation augmentation = fit ? Augmentation.NONE : images.augmentation();
        var options = LoaderOptions.training(batch, augmentation).withMixing(BatchAugmentation.NONE);
        return new Loader(splits.train(), options, new RandomStreams(seed));
    }

    /** Of the weights and the running statistics. */
    private static String contents(Network network) {
        MessageDigest digest = Sha256.digest();
        try (var scope = Scope.withoutGradient()) {
            var state = network.parametersByName();
            state.putAll(network.buffersByName());
            state.values().forEach(tensor -> {
                double[] numbers = Numbers.of(tensor);
                ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(numbers.length, Double.BYTES));
                bytes.asDoubleBuffer().put(numbers);
                digest.update(bytes.array());
            });
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    public RunInfo info() {
        return trained.info();
    }

    public Recipe recipe() {
        return trained.recipe();
    }

    /** So many steps had the network been trained. */
    public long step() {
        return trained.step();
    }

    /** How many images there are to measure on. */
    public long samples(Settings settings) {
        return Math.min(settings.samples(), images.splits().train().size());
    }

    public FixedLoss loss() {
        return loss;
    }

    /** What was kept of the measure, if it was measured before in the same way. */
    public Optional<Reading> kept(Measure measure, Effort effort) {
        Path file = file(measure, effort);
        try {
            if (!Files.exists(file)) {
                return Optional.empty();
            }
            byte[] json = Files.readAllBytes(file);
            CheckedJson.verify(json, "figures");
            return Optional.of(JSON.readValue(json, Reading.class));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty(); // damaged: it is measured again and written over
        }
    }

    /** What was kept, or else what is measured now and then kept. */
    public Reading read(Measure measure, Effort effort) {
        Optional<Reading> kept = kept(measure, effort);
        if (kept.isPresent()) {
            return kept.get();
        }
        Reading reading = measure.read(loss, effort);
        try {
            WholeFile.write(file(measure, effort), CheckedJson.with(JSON.writeValueAsString(reading)) + "\n");
        } catch (IOException e) {
            complaints.accept(e.getMessage()); // a full disk, or another's run: the figures are good all the same
        }
        return reading;
    }

    private Path file(Measure measure, Effort effort) {
        String name = Sha256.of(key + "\n" + effort).substring(0, 16);
        return outputDirectory().resolve(measure.text() + "-" + name + ".json");
    }

    /** Where what was measured is kept. */
    public Path outputDirectory() {
        return directory.path().resolve("sharpness");
    }

    @Override
    public void close() throws IOException {
        loss.close();
        parameters.close();
        loader.close();
        trained.close();
        images.close();
    }
}
