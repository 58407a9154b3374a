package io.polder.run;

import io.polder.checkpoint.Checkpoint;
import io.polder.data.ImageShape;
import io.polder.data.ImageSource;
import io.polder.data.ImagesInMemory;
import io.polder.data.load.Loader;
import io.polder.data.load.LoaderOptions;
import io.polder.files.Reason;
import io.polder.image.Decoder;
import io.polder.image.Frame;
import io.polder.image.ImageHeader;
import io.polder.models.TorchScriptNetwork;
import io.polder.nn.Network;
import io.polder.nn.Weights;
import io.polder.recipe.EvaluateOn;
import io.polder.recipe.Recipe;
import io.polder.tensor.Device;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.Classification;
import io.polder.train.Evaluation;
import io.polder.train.ImageBatches;
import io.polder.train.Predictions;
import io.polder.train.Snapshot;
import io.polder.train.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The network of a run, with the weights of a checkpoint: the moving average of them, where the recipe has one. */
public final class TrainedNetwork implements AutoCloseable {
    private static final int LARGEST_PICTURE = 256 << 20;

    /** So many checkpoints may be deleted by a run that goes on between being found and being read. */
    private static final int MOST_TRIES = 100;

    /** A class, and how likely an image is of it. */
    public record Guess(String className, double probability) {}

    private final Recipe recipe;
    private final RunInfo info;
    private final long step;
    private final Scope scope;
    private final Network network;

    private TrainedNetwork(Recipe recipe, RunInfo info, long step, Scope scope, Network network) {
        this.recipe = recipe;
        this.info = info;
        this.step = step;
        this.scope = scope;
        this.network = network;
    }

    /** As {@link #open(Path, RunDirectory.Which, Consumer)}, on a device to compute on. */
    public static TrainedNetwork open(Path path, RunDirectory.Which which, Device device, Consumer<String> complaints)
            throws IOException {
        TrainedNetwork opened = open(path, which, complaints);
        try {
            opened.network.moveTo(device);
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /**
     * Where weights are read to, which is enough to write them elsewhere. To be closed by the thread that opened it. All of it is in memory then: a run that goes on may delete the checkpoint.
     *
     * @param complaints is told of damaged checkpoints, which are passed over
     */
    public static TrainedNetwork open(Path path, RunDirectory.Which which, Consumer<String> complaints)
            throws IOException {
        var directory = new RunDirectory(path);
        return open(directory, told -> directory.checkpoint(which, told), complaints);
    }

    /** Chooses a checkpoint among those that are there. */
    interface Choice {
        /** @param complaints is told of damaged ones */
        Checkpoint checkpoint(Consumer<String> complaints) throws IOException;
    }

    static TrainedNetwork open(RunDirectory directory, Choice choice, Consumer<String> complaints) throws IOException {
        Recipe recipe = directory.recipe();
        RunInfo info = directory.info();
        Scope scope = Scope.open();
        try {
            Network network = recipe.model()
                    .network(
                            directory.torchScriptFile(),
                            info.images().channels(),
                            info.images().height(),
                            info.images().classes(),
                            new RandomStreams(recipe.seed()));
            long step = load(network, recipe, choice, complaints);
            return new TrainedNetwork(recipe, info, step, scope, network);
        } catch (IOException | RuntimeException e) {
            scope.close();
            throw e;
        }
    }

    /** Looks again where the run has deleted what was found: an open file stays readable, but one that is gone cannot be opened. */
    private static long load(Network network, Recipe recipe, Choice choice, Consumer<String> complaints)
            throws IOException {
        Set<String> said = new HashSet<>();
        for (int tries = 1; ; tries++) {
            Checkpoint checkpoint = choice.checkpoint(sentence -> {
                if (said.add(sentence)) {
                    complaints.accept(sentence);
                }
            });
            try {
                Weights.load(network, weights(recipe, checkpoint));
                return checkpoint.step();
            } catch (IOException e) {
                if (tries == MOST_TRIES || Files.exists(checkpoint.directory())) {
                    throw e;
                }
            }
        }
    }

    private static Path weights(Recipe recipe, Checkpoint checkpoint) {
        var snapshot = new Snapshot(checkpoint.directory());
        return recipe.average() == null ? snapshot.weights() : snapshot.average();
    }

    public RunInfo info() {
        return info;
    }

    Recipe recipe() {
        return recipe;
    }

    Network network() {
        return network;
    }

    /** So many steps had the network been trained. */
    public long step() {
        return step;
    }

    /** @param data where the images are; empty for where they were in training */
    public Evaluation evaluate(Optional<Path> data, Optional<EvaluateOn> on) throws IOException {
        return examine(data, on, 0).evaluation();
    }

    /**
     * @param data where the images are; empty for where they were in training
     * @param mostWrong of how many images that were taken for a wrong class the pixels are wanted, at most
     */
    public Examination examine(Optional<Path> data, Optional<EvaluateOn> on, int mostWrong) throws IOException {
        Optional<Path> place = data.or(() -> Assembly.noted(recipe, info));
        try (var images = Assembly.images(
                recipe, on.orElse(recipe.data().evaluateOn()), place, new RandomStreams(recipe.seed()))) {
            if (!info.fits(images)) {
                throw new IOException(
                        "the network was trained on images of %s and %d classes, and these are of %s and %d, or their classes have other names: give images like those"
                                .formatted(
                                        text(info.images().shape()),
                                        info.images().classes(),
                                        text(images.splits().evaluation().shape()),
                                        images.dataset().classNames().size()));
            }
            return examine(images, mostWrong);
        }
    }

    private Examination examine(Assembly.Images images, int mostWrong) throws IOException {
        Task task = recipe.learns();
        var batches = new ImageBatches(images.test(), info.images().normalization());
        ImageSource source = images.splits().evaluation();
        if (!(task instanceof Classification)) { // another may have no classes, or several for an image
            Evaluation evaluation = Evaluation.of(network, task, batches, device());
            return new Examination(evaluation, Optional.empty(), List.of(), source.shape());
        }
        List<Predictions.Guess> guesses = new ArrayList<>();
        Evaluation evaluation = Evaluation.of(
                network, task, batches, device(), probabilities -> guesses.add(Predictions.Guess.of(probabilities)));
        int[] labels = IntStream.range(0, source.size()).map(source::label).toArray();
        var predictions = new Predictions(labels, guesses);
        List<Examination.Wrong> wrong = new ArrayList<>();
        for (int image : predictions.mostConfidentlyWrong(mostWrong)) {
            byte[] pixels = new byte[source.shape().bytes()];
            source.read(image, pixels);
            wrong.add(new Examination.Wrong(
                    source.name(image),
                    info.images().classNames().get(labels[image]),
                    info.images().classNames().get(predictions.guess(image)),
                    predictions.confidence(image),
                    pixels));
        }
        return new Examination(evaluation, Optional.of(predictions), wrong, source.shape());
    }

    private Device device() {
        try (var here = Scope.open()) {
            return Device.of(network.parametersByName().values().iterator().next());
        }
    }

    private static String text(ImageShape shape) {
        return shape.channels() + " x " + shape.height() + " x " + shape.width();
    }

    /** Whether it names all labels of a picture, rather than one class. */
    public boolean hasSeveralLabels() {
        return recipe.learns().hasSeveralLabels();
    }

    /**
     * The likeliest classes of each picture file, the likeliest first.
     *
     * @throws IOException in one sentence, of the first picture that cannot be read
     */
    public List<List<Guess>> predict(List<Path> pictures, int most) throws IOException {
        List<List<Guess>> guesses = new ArrayList<>();
        for (Prediction prediction : predictEach(pictures, most)) {
            if (prediction.fault().isPresent()) {
                throw prediction.fault().get();
            }
            guesses.add(prediction.guesses());
        }
        return guesses;
    }

    /**
     * What a picture is taken for.
     *
     * @param guesses the likeliest first; none where it cannot be read
     * @param fault why it cannot be read, in one sentence
     */
    public record Prediction(Path picture, List<Guess> guesses, Optional<IOException> fault) {}

    /** As {@link #predict}, but goes on after a picture that cannot be read. */
    public List<Prediction> predictEach(List<Path> pictures, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("most is " + most + ": it must be at least 1");
        }
        List<Prediction> predictions = new ArrayList<>();
        int batch = recipe.data().evaluationBatch();
        for (int first = 0; first < pictures.size(); first += batch) {
            predictions.addAll(predictBatch(pictures.subList(first, Math.min(first + batch, pictures.size())), most));
        }
        return predictions;
    }

    private List<Prediction> predictBatch(List<Path> pictures, int most) {
        List<byte[]> read = new ArrayList<>();
        List<Optional<IOException>> faults = new ArrayList<>();
        for (Path picture : pictures) {
            try {
                read.add(read(picture));
                faults.add(Optional.empty());
            } catch (IOException e) {
                faults.add(Optional.of(e));
            }
        }
        var guesses = read.isEmpty()
                ? Collections.<List<Guess>>emptyIterator()
                : guesses(read, most).iterator();
        return IntStream.range(0, pictures.size())
                .mapToObj(i -> new Prediction(
                        pictures.get(i), faults.get(i).isEmpty() ? guesses.next() : List.of(), faults.get(i)))
                .toList();
    }

    private List<List<Guess>> guesses(List<byte[]> pictures, int most) {
        ImageShape shape = info.images().shape();
        byte[] pixels = new byte[Math.multiplyExact(shape.bytes(), pictures.size())];
        for (int i = 0; i < pictures.size(); i++) {
            System.arraycopy(pictures.get(i), 0, pixels, i * shape.bytes(), shape.bytes());
        }
        var images = new ImagesInMemory(shape, info.images().classes(), pixels, new int[pictures.size()]);
        var options = LoaderOptions.evaluation(recipe.data().evaluationBatch());
        try (var loader = new Loader(images, options, new RandomStreams(0))) {
            var batches = new ImageBatches(loader, info.images().normalization());
            return Evaluation.probabilities(network, recipe.learns(), batches, device()).stream()
                    .map(each -> likeliest(each, most))
                    .toList();
        }
    }

    /** As the network saw pictures in evaluation. */
    private byte[] read(Path picture) throws IOException {
        ImageShape shape = info.images().shape();
        byte[] file;
        try (var stream = Files.newInputStream(picture)) {
            file = stream.readNBytes(LARGEST_PICTURE + 1);
        } catch (IOException e) {
            throw new IOException(picture + " cannot be read (" + Reason.of(e) + "): give the file of a picture", e);
        }
        if (file.length > LARGEST_PICTURE) {
            throw new IOException(picture + " has more than " + LARGEST_PICTURE + " bytes: give a smaller picture");
        }
        ImageHeader header = recipe.data().isAsShown()
                ? ImageHeader.asShown(picture.toString(), file, file.length)
                : ImageHeader.of(picture.toString(), file, file.length);
        Frame frame = Assembly.pipeline(recipe, info)
                .evaluation()
                .frame(header.height(), header.width(), new SplittableRandom(0));
        byte[] rgb = new byte[3 * shape.height() * shape.width()];
        Decoder.decode(picture.toString(), file, file.length, header, frame, rgb);
        return shape.channels() == 1 ? grey(rgb) : rgb;
    }

    /** By the weights that JPEG and every library give the three colours. */
    private static byte[] grey(byte[] rgb) {
        byte[] grey = new byte[rgb.length / 3];
        for (int i = 0; i < grey.length; i++) {
            grey[i] = (byte) Math.round(
                    0.299 * (rgb[3 * i] & 255) + 0.587 * (rgb[3 * i + 1] & 255) + 0.114 * (rgb[3 * i + 2] & 255));
        }
        return grey;
    }

    private List<Guess> likeliest(double[] probabilities, int most) {
        return IntStream.range(0, probabilities.length)
                .boxed()
                .sorted(Comparator.comparingDouble(label -> -probabilities[label]))
                .limit(most)
                .map(label -> new Guess(info.images().classNames().get(label), probabilities[label]))
                .toList();
    }

    /** As {@link #export(Path, boolean)}, for images that are normalised already. */
    public void export(Path file) throws IOException {
        export(file, false);
    }

    /**
     * Writes the weights alone, as {@code .safetensors}, or the whole network as TorchScript, as {@code .ts} or {@code .pt}.
     *
     * @param withNormalization whether a TorchScript file takes pixels between 0 and 1 and normalises them itself, as in training
     * @throws IOException if the name says no format, the network cannot be had in it, or the file cannot be written
     */
    public void export(Path file, boolean withNormalization) throws IOException {
        String name = file.toString();
        boolean asScript = name.endsWith(".ts") || name.endsWith(".pt");
        if (!asScript && !name.endsWith(".safetensors")) {
            throw new IOException(file + " has a name that says no format: end it in .safetensors for the weights alone"
                    + ", or in .ts for the whole network as TorchScript");
        }
        if (withNormalization && (!asScript || network instanceof TorchScriptNetwork)) {
            throw new IOException(
                    file + " cannot have the normalisation in it: only a network of Polder's own can, as .ts");
        }
        if (!asScript) {
            Weights.save(network, file);
            return;
        }
        Map<String, String> beside = Map.of(
                ExportedNetwork.NAME,
                ExportedNetwork.of(recipe.model().name(), step, info.images(), hasSeveralLabels(), withNormalization)
                        .json());
        try (var here = Scope.open()) {
            script(withNormalization).save(file, beside);
        }
    }

    /** In the caller's scope. */
    private TorchScriptNetwork script(boolean withNormalization) throws IOException {
        if (network instanceof TorchScriptNetwork script) {
            return script;
        }
        var normalization = info.images().normalization();
        return withNormalization
                ? TorchScriptNetwork.normalizing(network, normalization.mean(), normalization.deviation())
                : TorchScriptNetwork.of(network);
    }

    @Override
    public void close() {
        scope.close();
    }
}
