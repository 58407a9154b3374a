package io.polder.spark;

import io.polder.cli.ClusterRun;
import io.polder.cli.ClusterWorkers;
import java.io.IOException;
import org.apache.spark.SparkConf;

/** {@code --executor spark} of a training. */
public final class SparkWorkers implements ClusterWorkers {
    @Override
    public String name() {
        return "spark";
    }

    @Override
    public int train(ClusterRun run) throws IOException {
        return train(run, Application.configuration(run.master(), run.threads()));
    }

    static int train(ClusterRun run, SparkConf configuration) throws IOException {
        try (var stage = BarrierStage.open(configuration, run)) {
            return stage.train();
        }
    }
}
