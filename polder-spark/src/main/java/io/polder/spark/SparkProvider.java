package io.polder.spark;

import io.polder.study.trial.ClusterOptions;
import io.polder.study.trial.TrialExecutor;
import io.polder.study.trial.TrialExecutorProvider;
import java.io.IOException;
import org.apache.spark.SparkConf;

/** {@code --executor spark} of a study. */
public final class SparkProvider implements TrialExecutorProvider {
    @Override
    public String name() {
        return "spark";
    }

    @Override
    public TrialExecutor open(ClusterOptions options) throws IOException {
        SparkConf configuration = Application.configuration(options.master(), options.threads());
        return SparkExecutor.open(configuration, options.store(), options.data());
    }
}
