package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Format;
import io.polder.config.Names;
import io.polder.config.Plugins;
import io.polder.config.Values;
import io.polder.config.Yaml;
import io.polder.data.BadImagePolicy;
import io.polder.data.KnownDataset;
import io.polder.data.OpenOptions;
import io.polder.data.load.LoaderOptions;
import io.polder.data.source.Datasets;
import io.polder.text.Nearest;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The images, what happens to them on their way to the network, and which of them the run is judged by.
 *
 * @param plugged null where the data set has no fields of its own
 */
@ByName("name")
public record DataRecipe(
        @Field(about = "The data set, as ./polder datasets lists them.", names = Known.class)
        String name,

        @Field(
                about = "Where it is: a directory or an archive; null: to be given with --data, or bundled.",
                fallback = "null",
                determinesResult = false)
        String dir,

        @Field(about = "The random changes to each training image.", fallback = "none")
        AugmentRecipe augment,

        @Field(about = "How the images of a training batch are mixed.", fallback = "none")
        BatchMixing mix,

        @Field(
                about = "Training images in a step, over all replicas.",
                min = 1,
                max = 1 << 20,
                alsoCalled = "batchSize")
        int batch,

        @Field(about = "The images that the run is judged by.", fallback = "test")
        EvaluateOn evaluateOn,

        @Field(
                about =
                        "How many training images are held out with evaluateOn: validation; 5000 is customary on CIFAR, and means a tenth where there are no more.",
                fallback = "" + DataRecipe.CUSTOMARY_VALIDATION,
                min = 0)
        int validation,

        @Field(
                about = "Trains on only so many images, the same share of each class; null: on all.",
                fallback = "null",
                min = 1)
        Integer images,

        @Field(
                about = "What becomes of an image that cannot be read; a training set is not thinned silently.",
                fallback = "fail")
        BadImagePolicy onBadImage,

        @Field(
                about =
                        "Decodes an image folder once, to this shorter side at most, into a file that is read instead; null: not.",
                fallback = "null",
                min = 1)
        Integer packedSide,

        @Field(
                about = "The directory for packed images and computed normalisations; null: the user's.",
                fallback = "null",
                determinesResult = false)
        String cache,

        @Field(
                about = "Threads that read and augment; the result does not depend on them.",
                fallback = "1",
                min = 1,
                max = LoaderOptions.MOST_THREADS,
                alsoCalled = {"workers", "numWorkers"},
                determinesResult = false)
        int loaderThreads,

        @Field(
                about = "Images in a step of evaluation; inference is fastest around 500.",
                fallback = "500",
                min = 1,
                max = 1 << 20)
        int evaluationBatch,

        @Field(
                about =
                        "At most so many images in an evaluation, the same ones each time, but all in the last of a run; null: always all.",
                fallback = "null",
                min = 1)
        Integer evaluationImages,

        @Field(about = "What the data set has of its own.", fallback = "null", beside = true)
        PluggedDataset plugged) {
    /** Those that come with Polder, and those of plug-ins. */
    static final class Known implements Names {
        @Override
        public List<String> names() {
            return Stream.concat(
                            Datasets.all().stream().map(KnownDataset::name),
                            Plugins.called(PluggedDataset.class).stream().map(Called::value))
                    .toList();
        }
    }

    /** The default cannot be left open: hashes have it. So this number has to serve for small sets, too. */
    public static final int CUSTOMARY_VALIDATION = 5000;

    public DataRecipe {
        Values.checked(
                DataRecipe.class,
                name,
                dir,
                augment,
                mix,
                batch,
                evaluateOn,
                validation,
                images,
                onBadImage,
                packedSide,
                cache,
                loaderThreads,
                evaluationBatch,
                evaluationImages,
                plugged);
        boolean ownPhotos = plugged instanceof PluggedDataset.Photos;
        if (ownPhotos != name.equals(Datasets.PHOTOS)) {
            throw new IllegalArgumentException(
                    name + (ownPhotos ? " has no such fields: leave them out" : " has fields of its own: give them"));
        }
    }

    /**
     * A data set and a pipeline by their names alone, with the defaults of their fields.
     *
     * @throws IllegalArgumentException if there is none of a name; the message offers the nearest ones
     */
    public static DataRecipe named(String name, String augment) {
        requireOneOf("data set", name, new Known().names());
        requireOneOf("augment", augment, new AugmentRecipe.Known().names());
        // A batch is what a recipe cannot do without.
        String text = "{name: %s, augment: %s, batch: 1}".formatted(Yaml.quoted(name), Yaml.quoted(augment));
        return new Format<>("data set", DataRecipe.class, 1 << 10, List.of(), values -> List.of())
                .read(text, name, List.of());
    }

    private static void requireOneOf(String what, String name, List<String> names) {
        if (!names.contains(name)) {
            throw Nearest.unknown(what, name, names);
        }
    }

    /** The same images, judged by others. */
    public DataRecipe judgedBy(EvaluateOn judge) {
        return Values.of(this).with("evaluateOn", judge).as(DataRecipe.class);
    }

    public KnownDataset dataset() {
        return plugged == null ? Datasets.named(name) : plugged.dataset();
    }

    /** How many of so many training images are held out with {@link EvaluateOn#VALIDATION}. */
    public int validationOf(int trainingImages) {
        if (validation == CUSTOMARY_VALIDATION && plugged instanceof PluggedDataset.Photos photos) {
            return Math.max(1, (int) Math.round(photos.validationShare() * trainingImages));
        }
        return validation == CUSTOMARY_VALIDATION && validation >= trainingImages
                ? Math.max(1, trainingImages / 10)
                : validation;
    }

    /** Whether pictures are seen as programs show them: turned as the camera noted, and on white. */
    public boolean isAsShown() {
        return plugged instanceof PluggedDataset.Photos;
    }

    /** Whether the images come with Polder, or with a plug-in, and have no directory. */
    public boolean isBundled() {
        return dataset().isBundled();
    }

    /** As a training opens it. */
    public OpenOptions options() {
        OpenOptions options = unpacked().withOnBadImage(onBadImage);
        return packedSide == null ? options : options.withPackedSide(packedSide);
    }

    /** To learn what is in it: nothing is decoded or packed for that. */
    public OpenOptions unpacked() {
        return cache == null ? OpenOptions.DEFAULT : OpenOptions.DEFAULT.withCache(Path.of(cache));
    }
}
