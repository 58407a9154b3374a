package io.polder.recipe;

import io.polder.config.Field;
import io.polder.config.Values;
import io.polder.sharpness.Measure;
import java.util.List;

/** What is measured of the network during the training, which it does not change; see {@code io.polder.sharpness}. */
public record ProbesRecipe(
        @Field(
                about = "After how many epochs; always after the last.",
                fallback = "1",
                min = 1,
                determinesResult = false)
        int every,

        @Field(
                about = "What; each costs the time of some, or of some hundred, passes over the samples.",
                fallback = "[\"gradient-norm\", \"eigenvalues\", \"trace\", \"sharpness\"]",
                determinesResult = false)
        List<Measure> measure,

        @Field(
                about = "On at most so many training images, without augmentation: the same ones each time.",
                fallback = "512",
                min = 1,
                determinesResult = false)
        long samples) {
    public ProbesRecipe {
        Values.checked(ProbesRecipe.class, every, measure, samples);
        measure = List.copyOf(measure);
    }
}
