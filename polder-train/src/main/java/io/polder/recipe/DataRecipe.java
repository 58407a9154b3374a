package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.data.LoaderOptions; // its constants alone, which the compiler copies

/** The images, what happens to them on their way to the network, and which of them the run is judged by. */
@ByName("name")
public record DataRecipe(
        @Field(about = "The data set, as ./polder datasets lists them.")
        DatasetName name,

        @Field(
                about = "Where it is: a directory or an archive; null: to be given with --data, or bundled.",
                fallback = "null",
                determinesResult = false)
        String dir,

        @Field(about = "The random changes to each training image.", fallback = "none")
        AugmentName augment,

        @Field(about = "How the images of a training batch are mixed.", fallback = "none")
        BatchMixing mix,

        @Field(about = "Training images in a step, over all replicas.", min = 1, max = 1 << 20)
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
        OnBadImage onBadImage,

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
                determinesResult = false)
        int loaderThreads,

        @Field(
                about = "Images in a step of evaluation; inference is fastest around 500.",
                fallback = "500",
                min = 1,
                max = 1 << 20)
        int evaluationBatch) {
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
                evaluationBatch);
    }
}
