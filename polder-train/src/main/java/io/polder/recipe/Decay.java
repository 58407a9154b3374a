package io.polder.recipe;

import io.polder.config.Field;

/** What falls by a factor, again and again: a learning rate, or a number of a scheme. */
interface Decay {
    @Field(about = "What it is multiplied by.", above = 0, max = 1)
    double factor();

    @Field(about = "After how many epochs.", above = 0)
    double everyEpochs();
}
