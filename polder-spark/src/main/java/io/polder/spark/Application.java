package io.polder.spark;

import io.polder.config.Plugins;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.SerializableConfiguration;

/** An application of Spark's, as Polder has them. */
final class Application {
    static final String TASK_CPUS = "spark.task.cpus";

    /** How often a node looks for a new checkpoint to put into a store that is not on its disk. */
    static final String SAVE_INTERVAL = "spark.polder.saveInterval";

    /** Small networks save several times a second: they would do little else, and object stores are paid by the request. */
    private static final String DEFAULT_SAVE_INTERVAL = "10s";

    /** A resource of this module: errors only, unlike Spark's own default. */
    private static final String QUIET = "io/polder/spark/log4j2.properties";

    private Application() {}

    /** What {@code spark-submit} or {@code -Dspark.…} say holds, unless options say otherwise. */
    static SparkConf configuration(Optional<String> master, OptionalInt threads) throws IOException {
        boolean submitted = System.getProperty("SPARK_SUBMIT") != null;
        if (!submitted && System.getProperty("log4j2.configurationFile") == null) {
            System.setProperty("log4j2.configurationFile", QUIET);
        }
        var configuration = new SparkConf();
        if (!submitted) {
            // Its libraries come with a cluster's Spark, not with this one.
            configuration.setIfMissing("spark.ui.enabled", "false");
        }
        master.ifPresent(configuration::setMaster);
        threads.ifPresent(number -> configuration.set(TASK_CPUS, Integer.toString(number)));
        if (!configuration.contains("spark.master")) {
            throw new IOException("no Spark master is named: add --master, like spark://host:7077 or local[2]");
        }
        return configuration;
    }

    /**
     * With the jars that nodes need, those of plug-ins included.
     *
     * @param configuration at least the master
     */
    static JavaSparkContext open(SparkConf configuration, String name) throws IOException {
        SparkConf ours = configuration.clone();
        ours.setIfMissing("spark.app.name", name);
        // Two copies of a training would only wait for each other, and the first to give up would stop both.
        ours.set("spark.speculation", "false");
        if (!ours.contains("spark.jars")) {
            ours.setJars(JavaSparkContext.jarOfClass(Application.class));
        }
        JavaSparkContext spark;
        try {
            spark = new JavaSparkContext(ours);
        } catch (RuntimeException e) {
            throw new IOException(
                    "Spark cannot be reached at " + ours.get("spark.master", "(no master)") + " (" + e.getMessage()
                            + "): name a master with --master, like spark://host:7077 or local[2]",
                    e);
        }
        Plugins.jars().forEach(jar -> spark.addJar(jar.toString()));
        return spark;
    }

    static RemotePlace place(JavaSparkContext spark, URI uri) {
        return new RemotePlace(
                uri,
                new SerializableConfiguration(spark.hadoopConfiguration()),
                spark.getConf().getTimeAsMs(SAVE_INTERVAL, DEFAULT_SAVE_INTERVAL));
    }

    /**
     * Lets each node have the data with the first task that it runs.
     *
     * @return the name under which it gets it
     */
    static String handOut(JavaSparkContext spark, URI data) throws IOException {
        try {
            spark.addFile(data.toString(), true);
        } catch (Exception e) { // Scala throws checked ones undeclared
            throw new IOException(
                    data + " cannot be read (" + sentence(e)
                            + "): --data must name the images' directory or archive, where Spark reaches it",
                    e);
        }
        return new Path(data).getName();
    }

    static String sentence(Exception e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        return message.lines().findFirst().orElse("no reason was given");
    }
}
