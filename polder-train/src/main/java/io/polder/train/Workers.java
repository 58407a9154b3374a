package io.polder.train;

import io.polder.distributed.ProcessGroup;
import io.polder.loss.NetworkPass;
import io.polder.nn.Network;
import io.polder.nn.Pass;
import io.polder.nn.SavedBuffers;
import io.polder.nn.SharedBatch;
import io.polder.penalty.LossPass;
import io.polder.penalty.NonFiniteStepException;
import io.polder.penalty.RelayedPass;
import io.polder.penalty.StepGradient;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Those who train one network together, as the loop of one of them sees them. Each has the whole network and a share of every batch. One
 * who is {@linkplain #alone() alone} asks nobody, and goes the way it always went, bit for bit.
 *
 * <p>A step of several is the scheme's on each share, then two exchanges: a few numbers of each (its loss, whether it is finite, whether
 * somebody wants to stop), upon which all decide alike, and one all-reduce of the gradient, weighted by the shares (F9). What
 * follows, the norm, clipping and the optimizer, sees the average (F7) and is the same on all. With {@code syncPerturbation} g1 is averaged
 * too, in one more all-reduce.
 *
 * <p>With {@code syncBatchNorm} batch norm exchanges its sums within the passes. So before each pass all say which it is: one that met
 * what is not finite, or is done, must not leave the others waiting there.
 */
public final class Workers {
    /** Bytes of gradient that each worker gave to be averaged in a step. */
    static final String SENT = "sentBytes";

    /** How long a worker waited in a step, for others and for the network. */
    public static final String WAITED = "waitSeconds";

    /** Room for what a scheme tells of a step; no scheme has nearly as many figures. */
    private static final int MOST_FIGURES = 16;

    // What each tells the others of a step.
    private static final int EXAMPLES = 0;
    private static final int NOT_FINITE = 1;
    private static final int WISHES_TO_STOP = 2;
    private static final int LOSS = 3;
    private static final int REFERENCE_NORM = 4;
    private static final int WHICH_FIGURES = 5;
    private static final int FIGURES = 6;

    /** null: alone */
    private final ProcessGroup group;

    private final boolean syncPerturbation;

    /** null: each has its own batch statistics */
    private final SharedPasses shared;

    private boolean wish;
    private boolean agreed;

    private Workers(ProcessGroup group, boolean syncPerturbation, SharedPasses shared) {
        this.group = group;
        this.syncPerturbation = syncPerturbation;
        this.shared = shared;
    }

    public static Workers alone() {
        return new Workers(null, false, null);
    }

    /**
     * @param group stays the caller's to close
     * @param syncPerturbation whether g1 is averaged too
     * @param syncBatchNorm whether batch norm has the statistics of the whole batch
     */
    public static Workers of(ProcessGroup group, boolean syncPerturbation, boolean syncBatchNorm) {
        return group.size() == 1
                ? alone()
                : new Workers(group, syncPerturbation, syncBatchNorm ? new SharedPasses(group) : null);
    }

    /** What batch norm asks for the sums of all; null: nobody, it has its own. */
    SharedBatch sharedBatch() {
        return shared;
    }

    int rank() {
        return isAlone() ? 0 : group.rank();
    }

    int size() {
        return isAlone() ? 1 : group.size();
    }

    private boolean isAlone() {
        return group == null;
    }

    /** Whether the training ends before the next step. Of several one's wish is told with a step, and is everybody's after it. */
    boolean stop(BooleanSupplier wish) {
        this.wish = wish.getAsBoolean();
        return isAlone() ? this.wish : agreed;
    }

    /** Likewise, at once. */
    boolean stopNow(BooleanSupplier wish) {
        this.wish = wish.getAsBoolean();
        if (isAlone()) {
            return this.wish;
        }
        double[][] wishes = group.allGather("the evaluation", this.wish ? 1 : 0);
        return Arrays.stream(wishes).anyMatch(each -> each[0] == 1);
    }

    /** One of them may do something alone now, which takes its time: measures the network, saves it. */
    void bePatient() {
        if (!isAlone()) {
            group.bePatient();
        }
    }

    /**
     * One step's gradient, in the gradient buffer, and what it came to: of all examples of all workers.
     *
     * @param ofTask the figures that {@code compute} tells
     * @param compute the same of this worker's share, by a pass over it
     * @throws NonFiniteStepException if it is this worker's numbers that are not finite
     * @throws DivergedException if they are another's
     */
    StepOutcome combine(
            Batches.Batch batch,
            NetworkPass pass,
            FlatParameters parameters,
            long step,
            List<Figure> ofTask,
            Function<LossPass, StepOutcome> compute) {
        if (isAlone()) {
            return compute.apply(pass);
        }
        double waited = group.secondsWaited();
        long sent = group.bytes();
        double weight = (double) batch.size() / batch.whole();
        StepOutcome own = null;
        NonFiniteStepException failure = null;
        try {
            if (syncPerturbation) {
                own = compute.apply(new RelayedPass(pass, kind -> synchronised(kind, pass, parameters, weight, step)));
            } else if (batch.size() > 0) {
                own = compute.apply(
                        shared == null ? pass : new RelayedPass(pass, kind -> shared.compute(kind, pass, step)));
            }
            if (shared != null) {
                shared.end(pass, step);
            }
        } catch (NonFiniteStepException e) {
            failure = e;
            if (shared != null) {
                shared.fail(step);
            }
        } catch (SharedPasses.FailedElsewhere e) {
            pass.takeBack(); // and all are told who it was
        }
        double[][] all = group.allGather("step " + step, told(batch.size(), ofTask, own, failure != null));
        agreed = Arrays.stream(all).anyMatch(each -> each[WISHES_TO_STOP] == 1);
        requireFinite(all, failure, pass, step);

        if (batch.size() > 0) {
            parameters.gradient().scale(weight);
        } else {
            parameters.gradient().setZero();
        }
        group.allReduce("the averaging of gradients in step " + step, parameters.gradient());
        double norm = parameters.gradient().norm();
        if (!Double.isFinite(norm)) {
            pass.takeBack();
            throw new DivergedException(step, "the norm of the workers' mean gradient is " + norm, step);
        }
        return mean(all, ofTask, own, norm, group.bytes() - sent, group.secondsWaited() - waited);
    }

    /** Averages g1 before the scheme sees it, so that all perturb alike. Without examples there is nothing to compute, only to take part in. */
    private double synchronised(Pass kind, NetworkPass pass, FlatParameters parameters, double weight, long step) {
        double loss = 0;
        if (weight > 0 || shared != null) {
            loss = computed(kind, pass, step);
        }
        if (weight == 0) {
            parameters.gradient().setZero();
        }
        if (kind == Pass.REFERENCE) {
            parameters.gradient().scale(weight);
            group.allReduce("the averaging of first gradients in step " + step, parameters.gradient());
        }
        return loss;
    }

    private double computed(Pass kind, NetworkPass pass, long step) {
        return shared == null ? pass.compute(kind) : shared.compute(kind, pass, step);
    }

    private double[] told(int examples, List<Figure> ofTask, StepOutcome own, boolean notFinite) {
        double[] told = new double[FIGURES + ofTask.size() + MOST_FIGURES];
        told[EXAMPLES] = examples;
        told[NOT_FINITE] = notFinite ? 1 : 0;
        told[WISHES_TO_STOP] = wish ? 1 : 0;
        if (own != null && examples > 0) {
            told[LOSS] = own.gradient().loss();
            told[REFERENCE_NORM] = own.gradient().referenceNorm();
            int next = FIGURES;
            for (Figure figure : ofTask) {
                told[next++] = own.figures().get(figure.name());
            }
            List<String> names = ofScheme(own);
            told[WHICH_FIGURES] = names.hashCode();
            for (String name : names) {
                told[next++] = own.gradient().figures().get(name);
            }
        }
        return told;
    }

    private static List<String> ofScheme(StepOutcome own) {
        List<String> names = own.gradient().figures().keySet().stream().sorted().toList();
        if (names.size() > MOST_FIGURES) {
            throw new IllegalArgumentException("the scheme has " + names.size() + " figures: it may have "
                    + MOST_FIGURES + " with several workers");
        }
        return names;
    }

    private static void requireFinite(double[][] all, NonFiniteStepException failure, NetworkPass pass, long step) {
        if (failure != null) {
            throw failure; // which took its pass back already
        }
        for (int rank = 0; rank < all.length; rank++) {
            if (all[rank][NOT_FINITE] == 1) {
                pass.takeBack();
                throw new DivergedException(step, "the loss or a gradient of rank " + rank + " is not finite", step);
            }
        }
    }

    /** Means over examples. */
    private StepOutcome mean(
            double[][] all, List<Figure> ofTask, StepOutcome own, double norm, long sent, double waited) {
        Map<String, Double> tasks = new LinkedHashMap<>();
        int next = FIGURES;
        for (Figure figure : ofTask) {
            tasks.put(figure.name(), mean(all, next++));
        }
        Map<String, Double> schemes = new LinkedHashMap<>(Map.of(SENT, (double) sent, WAITED, waited));
        if (own != null) {
            List<String> names = ofScheme(own);
            // One that looks at its own gradient may tell other things on other workers.
            double[][] alike = Arrays.stream(all)
                    .filter(each -> each[WHICH_FIGURES] == names.hashCode())
                    .toArray(double[][]::new);
            for (String name : names) {
                schemes.put(name, mean(alike, next++));
            }
        }
        var gradient = new StepGradient(mean(all, LOSS), mean(all, REFERENCE_NORM), norm, Map.copyOf(schemes));
        return new StepOutcome(gradient, tasks);
    }

    private static double mean(double[][] all, int what) {
        double sum = 0;
        double examples = 0;
        for (double[] each : all) {
            sum += each[EXAMPLES] * each[what];
            examples += each[EXAMPLES];
        }
        return sum / examples;
    }

    /**
     * The rows of all, one worker's after the other's. In the caller's scope.
     *
     * @param own null for none
     */
    Tensor rows(Tensor own) {
        return isAlone() ? own : group.allGatherRows("the evaluation", own);
    }

    /** What rank 0 found, where processors of several kinds might round otherwise. */
    Map<String, Double> asRankZero(Map<String, Double> figures) {
        if (isAlone()) {
            return figures;
        }
        double[] found = group.allGather(
                        "the evaluation",
                        figures.values().stream()
                                .mapToDouble(Double::doubleValue)
                                .toArray())[0];
        Map<String, Double> same = new LinkedHashMap<>();
        figures.keySet().forEach(name -> same.put(name, found[same.size()]));
        return same;
    }

    /** Lets the mean of the workers' running statistics stand in the network, until it is closed. */
    MeanStatistics meanStatistics(Network network) {
        return new MeanStatistics(network);
    }

    /** Puts a worker's own statistics back, bit for bit. */
    final class MeanStatistics implements AutoCloseable {
        private final Scope scope = Scope.withoutGradient();
        private final SavedBuffers own;

        private MeanStatistics(Network network) {
            if (isAlone()) {
                own = null;
                return;
            }
            own = new SavedBuffers(network);
            Map<String, Tensor> statistics = network.statisticsByName();
            statistics.values().removeIf(buffer -> !buffer.is_floating_point());
            if (statistics.isEmpty()) {
                return;
            }
            var flat = new TensorVector();
            statistics
                    .values()
                    .forEach(buffer -> flat.push_back(buffer.flatten().to(torch.ScalarType.Double)));
            Tensor sum = torch.cat(flat, 0);
            group.allReduce("the averaging of running statistics", sum);
            sum.div_(new Scalar((double) group.size()));
            long from = 0;
            for (Tensor buffer : statistics.values()) {
                buffer.data().copy_(sum.narrow(0, from, buffer.numel()).view(buffer.shape()));
                from += buffer.numel();
            }
        }

        @Override
        public void close() {
            if (own != null) {
                own.putBack();
            }
            scope.close();
        }
    }

    /**
     * What each worker has for itself, by rank; on rank 0, the others get nothing. In the caller's scope.
     *
     * @param own by name, the same names on every worker
     */
    List<Map<String, Tensor>> gather(Map<String, Tensor> own) {
        if (isAlone() || own.isEmpty()) {
            return List.of();
        }
        String doing = "the saving of a checkpoint";
        if (rank() > 0) {
            own.values().forEach(tensor -> group.send(doing, tensor));
            return List.of();
        }
        List<Map<String, Tensor>> all = new ArrayList<>(List.of(own));
        for (int rank = 1; rank < size(); rank++) {
            Map<String, Tensor> received = new LinkedHashMap<>();
            for (var entry : own.entrySet()) {
                received.put(entry.getKey(), group.receive(doing, rank, entry.getValue()));
            }
            all.add(received);
        }
        return all;
    }
}
