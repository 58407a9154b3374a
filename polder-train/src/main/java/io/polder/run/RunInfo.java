package io.polder.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.polder.data.ImageShape;
import io.polder.data.Normalization;
import io.polder.data.Splits;
import io.polder.files.CheckedJson;
import io.polder.files.Machine;
import io.polder.files.Reason;
import io.polder.files.WholeFile;
import io.polder.nn.Network;
import io.polder.recipe.Recipe;
import io.polder.tensor.Engine;
import io.polder.train.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The {@code run.json} of a run: what it is, what it runs on, and how far it came. With the weights it is enough to use the network
 * elsewhere: it has the class names, the size of the images and their normalisation. What a run is resumed by is in it, so it has a checksum.
 *
 * <p>The file is flat, whatever is nested here: its fields are those of the records in their order.
 *
 * @param recipeHash of the recipe as it was given
 * @param data where the images are; null for those that come with Polder
 * @param contents what the images are ({@link io.polder.data.Dataset#contents}); null in a run that began before this was recorded
 * @param microBatch images that go through the network at once: the recipe's, or what was found to fit the memory
 * @param files the SHA-256 of what the recipe names: first weights, a TorchScript file
 * @param task its {@link Figures#inFile()}
 * @param continues the run that this one goes on from with more epochs; null where it has a beginning of its own
 * @param stoppedEarly when and why the run ended before its time; null where it did not
 * @param result as of the last epoch; null before the first
 */
public record RunInfo(
        String name,
        Status status,
        String recipeHash,
        long seed,
        String started,
        @JsonUnwrapped Platform platform,
        String data,
        String contents,
        long parameters,
        @JsonUnwrapped Images images,
        @JsonUnwrapped Length length,
        int microBatch,
        Map<String, String> files,
        @JsonInclude(JsonInclude.Include.NON_NULL) Figures task,
        @JsonInclude(JsonInclude.Include.NON_NULL) Continued continues,
        @JsonInclude(JsonInclude.Include.NON_NULL) String stoppedEarly,
        RunResult result) {
    /**
     * A run that was continued.
     *
     * @param run where it was
     * @param epochs of its recipe
     * @param step from which on the training is the other run's
     */
    public record Continued(String run, String recipeHash, int epochs, long step) {}

    /**
     * What it runs on, and by which command.
     *
     * @param version of Polder
     * @param gitRevision of Polder's own source
     * @param threads of the engine: the same number gives the same bits
     */
    public record Platform(
            String version,
            String gitRevision,
            String engine,
            String java,
            String processor,
            int cores,
            int threads,
            String device,
            String command) {
        static Platform of(RunSettings settings) {
            return new Platform(
                    settings.version(),
                    settings.gitRevision(),
                    engineNow(),
                    System.getProperty("java.vm.name") + " " + Runtime.version(),
                    new Machine().processor(),
                    Runtime.getRuntime().availableProcessors(),
                    settings.threads(),
                    settings.device().toString(),
                    settings.command());
        }
    }

    /**
     * What it trains on and is judged by.
     *
     * @param mean of each channel, between 0 and 1
     */
    public record Images(
            int trainImages,
            int testImages,
            String evaluatedOn,
            int classes,
            List<String> classNames,
            int channels,
            int height,
            int width,
            float[] mean,
            float[] deviation) {
        static Images of(Recipe recipe, Assembly.Images images) {
            Splits splits = images.splits();
            ImageShape shape = splits.evaluation().shape();
            return new Images(
                    splits.train().size(),
                    splits.evaluation().size(),
                    recipe.data().evaluateOn().text(),
                    splits.train().classes(),
                    images.dataset().classNames(),
                    shape.channels(),
                    shape.height(),
                    shape.width(),
                    splits.normalization().mean(),
                    splits.normalization().deviation());
        }

        @JsonIgnore
        public Normalization normalization() {
            return new Normalization(mean, deviation);
        }

        @JsonIgnore
        public ImageShape shape() {
            return new ImageShape(channels, height, width);
        }
    }

    /**
     * How long it is.
     *
     * @param epochs that the recipe asks for; the last may be cut short where it counts steps
     */
    public record Length(int epochs, long stepsPerEpoch, long steps) {
        /** So many steps are done after the evaluation of that epoch; epochs count from 1. */
        long stepsAfter(int epoch) {
            return Math.min(epoch * stepsPerEpoch, steps);
        }
    }

    /** In lower case in the file. */
    public enum Status {
        running,
        done,
        stopped,
        diverged,
        failed
    }

    /** Of a file without a checksum, as older versions wrote it. */
    private static final String FIRST_FIELD = "name";

    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    static RunInfo of(
            Recipe recipe,
            RunSettings settings,
            Optional<Path> data,
            Assembly.Images images,
            Network network,
            int microBatch)
            throws IOException {
        long stepsPerEpoch = images.train().batchesPerEpoch();
        return new RunInfo(
                recipe.name(),
                Status.running,
                recipe.hash(),
                recipe.seed(),
                now(),
                Platform.of(settings),
                text(data),
                images.dataset().contents(),
                network.parameterCount(),
                Images.of(recipe, images),
                new Length(Assembly.epochs(recipe, stepsPerEpoch), stepsPerEpoch, recipe.totalSteps(stepsPerEpoch)),
                microBatch,
                Contents.ofFiles(recipe.model()),
                recipe.learns().figures().inFile(),
                null,
                null,
                null);
    }

    /** Of a run that goes on from another's newest checkpoint. */
    static RunInfo of(EarlierRun earlier, RunSettings settings, Optional<Path> data, String contents) {
        RunInfo before = earlier.info();
        long stepsPerEpoch = before.length().stepsPerEpoch();
        Recipe recipe = earlier.recipe();
        return new RunInfo(
                recipe.name(),
                Status.running,
                recipe.hash(),
                recipe.seed(),
                now(),
                Platform.of(settings),
                text(data),
                contents,
                before.parameters(),
                before.images(),
                new Length(Assembly.epochs(recipe, stepsPerEpoch), stepsPerEpoch, recipe.totalSteps(stepsPerEpoch)),
                before.microBatch(),
                before.files(),
                before.task(),
                earlier.continued(),
                null,
                before.result());
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String text(Optional<Path> place) {
        return place.map(path -> path.toAbsolutePath().normalize().toString()).orElse(null);
    }

    /** What this process computes with. */
    public static String engineNow() {
        return "libtorch " + Engine.version();
    }

    /** Its images are here from now on, and known by what they are. */
    RunInfo at(Optional<Path> place, String contents) {
        return with(text(place), contents, microBatch, status, stoppedEarly, result);
    }

    RunInfo with(Status status, RunResult result) {
        return with(data, contents, microBatch, status, stoppedEarly, result);
    }

    RunInfo withMicroBatch(int images) {
        return with(data, contents, images, status, stoppedEarly, result);
    }

    /** @param why null: it did not */
    RunInfo withStoppedEarly(String why) {
        return with(data, contents, microBatch, status, why, result);
    }

    private RunInfo with(
            String data, String contents, int microBatch, Status status, String stoppedEarly, RunResult result) {
        return new RunInfo(
                name,
                status,
                recipeHash,
                seed,
                started,
                platform,
                data,
                contents,
                parameters,
                images,
                length,
                microBatch,
                files,
                task,
                continues,
                stoppedEarly,
                result);
    }

    static RunInfo read(Path file) throws IOException {
        byte[] json;
        try {
            json = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new IOException(
                    file + " cannot be read (" + Reason.of(e) + "): check what it is, and its permissions", e);
        }
        RunInfo info;
        try {
            CheckedJson.verify(json, FIRST_FIELD);
            info = JSON.readValue(json, RunInfo.class);
        } catch (IOException e) {
            throw damaged(file, e);
        }
        if (info == null || !info.hasWhatEveryRunHas()) {
            throw damaged(file, null);
        }
        return info;
    }

    private static IOException damaged(Path file, IOException e) {
        return new DamagedRunException(file + " is damaged", "put back the one that ./polder train wrote", e);
    }

    private boolean hasWhatEveryRunHas() {
        return Stream.of(name, status, recipeHash, platform, images, length, files)
                        .allMatch(Objects::nonNull)
                && Stream.of(
                                platform.device(),
                                images.evaluatedOn(),
                                images.classNames(),
                                images.mean(),
                                images.deviation())
                        .allMatch(Objects::nonNull)
                && LongStream.of(
                                platform.threads(),
                                images.channels(),
                                images.height(),
                                images.width(),
                                length.epochs(),
                                length.stepsPerEpoch(),
                                length.steps(),
                                microBatch)
                        .allMatch(number -> number >= 1)
                && images.classNames().size() == images.classes()
                && images.mean().length == images.channels()
                && images.deviation().length == images.channels();
    }

    /** @throws IOException if a run on these images would not be this one */
    void requireSame(Assembly.Images found, Optional<Path> place) throws IOException {
        Splits splits = found.splits();
        boolean same = (contents == null || contents.equals(found.dataset().contents()))
                && images.trainImages() == splits.train().size()
                && images.testImages() == splits.evaluation().size()
                && Arrays.equals(images.mean(), splits.normalization().mean())
                && Arrays.equals(images.deviation(), splits.normalization().deviation());
        if (!same || !fits(found)) {
            throw new IOException("the images"
                    + place.map(path -> " in " + path).orElse("")
                    + " are not those that the run began with (%d to train on, %d for %s, of %d classes): say where they are with --data"
                            .formatted(
                                    images.trainImages(), images.testImages(), images.evaluatedOn(), images.classes()));
        }
    }

    /** Whether the trained network can say anything of such images. */
    boolean fits(Assembly.Images found) {
        return images.classNames().equals(found.dataset().classNames())
                && images.shape().equals(found.splits().evaluation().shape());
    }

    /**
     * @param file as the recipe has it
     * @param place where it is now
     * @throws IOException if it is another one by now
     */
    void requireSame(String file, Path place) throws IOException {
        if (!Contents.ofFile(place).equals(files.get(file))) {
            throw new IOException(place + " is not the file that the run began with: put that one back");
        }
    }

    void write(Path file) throws IOException {
        WholeFile.write(file, CheckedJson.with(JSON.writeValueAsString(this)) + "\n");
    }

    /** What there is to tell of the run. */
    @JsonIgnore
    public Figures figures() {
        return Figures.ofFile(task);
    }
}
