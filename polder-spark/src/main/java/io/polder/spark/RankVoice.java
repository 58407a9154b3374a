package io.polder.spark;

import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * How the driver hears what workers say on their nodes, line by line: over Spark's own connections, so that no port is opened for it and
 * what protects those protects this. A plug-in of Spark's, which makes one of each application.
 */
public final class RankVoice implements SparkPlugin {
    /** What a line is. */
    enum Kind {
        OUTPUT,
        ERRORS,
        /** The worker's command was wrong: it would be so again. */
        REFUSED
    }

    /** At the driver. */
    interface Listener {
        void hear(int rank, Kind kind, String line);
    }

    private static volatile Listener listener = (rank, kind, line) -> {};

    /** On a node; null elsewhere. */
    private static volatile PluginContext node;

    /** From now on all is heard by this one. */
    static void listen(Listener one) {
        listener = one;
    }

    /** Returns when the driver has heard it, or cannot be reached, which Spark notices by itself. */
    static void say(int rank, Kind kind, String line) {
        try {
            node.ask(new String[] {Integer.toString(rank), kind.name(), line});
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) { // as it is declared
            System.err.println("rank " + rank + ": " + line); // into what Spark keeps of its executor
        }
    }

    @Override
    public DriverPlugin driverPlugin() {
        return new DriverPlugin() {
            @Override
            public Map<String, String> init(SparkContext spark, PluginContext context) {
                return Map.of();
            }

            @Override
            public Object receive(Object message) {
                String[] words = (String[]) message;
                listener.hear(Integer.parseInt(words[0]), Kind.valueOf(words[1]), words[2]);
                return "";
            }
        };
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ExecutorPlugin() {
            @Override
            public void init(PluginContext context, Map<String, String> extra) {
                node = context;
            }
        };
    }
}
