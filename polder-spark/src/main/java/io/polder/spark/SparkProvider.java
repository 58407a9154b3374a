package io.polder.spark;

import io.polder.study.trial.ClusterOptions;
import io.polder.study.trial.TrialExecutor;
import io.polder.study.trial.TrialExecutorProvider;
import java.io.IOException;
import org.apache.spark.SparkConf;

/** {@code --executor spark}. What {@code spark-submit} or {@code -Dspark.…} say holds, unless options say otherwise. */
public final class SparkProvider implements TrialExecutorProvider {
    /** A resource of this module: warnings only, unlike Spark's own default. */
    private static final String QUIET = "io/polder/spark/log4j2.properties";

    @Override
    public String name() {
        return "spark";
    }

    @Override
    public TrialExecutor open(ClusterOptions options) throws IOException {
        boolean submitted = System.getProperty("SPARK_SUBMIT") != null;
        if (!submitted && System.getProperty("log4j2.configurationFile") == null) {
            System.setProperty("log4j2.configurationFile", QUIET);
        }
        var configuration = new SparkConf();
        if (!submitted) {
            // Its libraries come with a cluster's Spark, not with this one.
            configuration.setIfMissing("spark.ui.enabled", "false");
        }
        options.master().ifPresent(configuration::setMaster);
        options.threads().ifPresent(number -> configuration.set(SparkExecutor.TASK_CPUS, Integer.toString(number)));
        if (!configuration.contains("spark.master")) {
            throw new IOException("no Spark master is named: add --master, like spark://host:7077 or local[2]");
        }
        return SparkExecutor.open(configuration, options.store(), options.data());
    }
}
