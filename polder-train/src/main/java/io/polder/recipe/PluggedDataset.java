package io.polder.recipe;

import io.polder.config.ByName;
import io.polder.data.KnownDataset;

/** A data set of a plug-in: a record that is called by a {@code data.name}, with fields that stand beside those of all data. */
@ByName("name")
public interface PluggedDataset {
    /** Where it is looked for, and how it is opened. */
    KnownDataset dataset();
}
