package io.polder.bench;

import java.util.Locale;

/**
 * How many workers would scale, by the model of docs/distributed.md: prints for 8, 64 and 512 of them how long a step takes with one
 * all-reduce and with two, and which part of it is computing.
 *
 * <p>Arguments: microseconds of a hop, Gbit/s of a worker's link, then for each network its name, its parameters and the seconds that
 * a worker computes in a step.
 */
final class WorkersModel {
    private static final int[] WORKERS = {8, 64, 512};

    /**
     * Links of all workers to one switch.
     *
     * @param hop what a message takes whatever its length, in seconds: there and back, as Gloo asks before it sends, and what both ends do
     * @param bandwidth of a link each way, in bytes a second
     */
    record Links(double hop, double bandwidth) {
        /** In a ring: each part of the gradient goes round twice, once to be added up and once to be told. */
        double allReduce(double bytes, int workers) {
            return 2 * (workers - 1) * (hop + bytes / workers / bandwidth);
        }

        /** Of a few numbers, likewise in a ring. */
        double allGather(int workers) {
            return (workers - 1) * hop;
        }

        double step(double computing, double bytes, int workers, int allReduces) {
            return computing + allGather(workers) + allReduces * allReduce(bytes, workers);
        }
    }

    private WorkersModel() {}

    public static void main(String[] arguments) {
        var links = new Links(Double.parseDouble(arguments[0]) * 1e-6, Double.parseDouble(arguments[1]) * 1e9 / 8);
        var table = new Table("", "workers", "all-reduce, s", "step, s", "computing", "step of two, s", "computing");
        for (int i = 2; i + 2 < arguments.length; i += 3) {
            double bytes = Float.BYTES * Double.parseDouble(arguments[i + 1]);
            double computing = Double.parseDouble(arguments[i + 2]);
            for (int workers : WORKERS) {
                double one = links.step(computing, bytes, workers, 1);
                double two = links.step(computing, bytes, workers, 2);
                table.add(
                        arguments[i],
                        Integer.toString(workers),
                        seconds(links.allReduce(bytes, workers)),
                        seconds(one),
                        percent(computing / one),
                        seconds(two),
                        percent(computing / two));
            }
        }
        System.out.print(table);
    }

    private static String seconds(double time) {
        return String.format(Locale.ROOT, "%.3f", time);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
