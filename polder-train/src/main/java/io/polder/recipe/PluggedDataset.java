package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.config.Called;
import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.data.KnownDataset;
import io.polder.data.source.Datasets;

/** A data set that has fields of its own: a record that is called by a {@code data.name}, with fields beside it. Plug-ins add to it. */
@ByName(value = "name", known = PluggedDataset.Photos.class)
public interface PluggedDataset {
    /** Where it is looked for, and how it is opened. */
    KnownDataset dataset();

    /** Somebody's own pictures, which nobody has divided. */
    @Called(value = Datasets.PHOTOS, about = "Your own pictures, a folder for each class.")
    record Photos(
            @Field(
                    about =
                            "The share of each class that is held back for the test, unless there are folders train and test.",
                    fallback = "" + Datasets.USUAL_TEST_SHARE,
                    above = 0,
                    below = 1)
            double testShare,

            @Field(
                    about =
                            "The share of the others that is held out with evaluateOn: validation; a data.validation that is given is a number instead.",
                    fallback = "0.15",
                    above = 0,
                    below = 1)
            double validationShare,

            @Field(
                    about = "Which pictures are held back for the test; runs with several seeds share them.",
                    fallback = "0")
            long splitSeed)
            implements PluggedDataset {
        public Photos {
            Values.checked(Photos.class, testShare, validationShare, splitSeed);
        }

        @Override
        public KnownDataset dataset() {
            return Datasets.photos(testShare, splitSeed);
        }
    }
}
