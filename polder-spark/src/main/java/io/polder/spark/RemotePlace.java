package io.polder.spark;

import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Where the trials are kept that several nodes run, or one run is, with all that a node needs to reach it.
 *
 * @param configuration of Hadoop, as the driver has it
 * @param millisecondsBetweenSaves how often a node looks whether its trial has saved something new
 */
record RemotePlace(URI uri, SerializableConfiguration configuration, long millisecondsBetweenSaves)
        implements Serializable {
    RemoteTrials open() throws IOException {
        return RemoteTrials.open(uri, configuration.value());
    }

    /** Where the place is that of one run. */
    RemoteTrials openAbove() throws IOException {
        return RemoteTrials.above(uri, configuration.value());
    }

    /** The run's name there. */
    String name() {
        return new Path(uri).getName();
    }
}
