package io.polder.spark;

import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Where the trials are kept that several nodes run, with all that a node needs to reach it.
 *
 * @param configuration of Hadoop, as the driver has it
 * @param millisecondsBetweenSaves how often a node looks whether its trial has saved something new
 */
record RemotePlace(URI uri, SerializableConfiguration configuration, long millisecondsBetweenSaves)
        implements Serializable {
    RemoteTrials open() throws IOException {
        return RemoteTrials.open(uri, configuration.value());
    }
}
