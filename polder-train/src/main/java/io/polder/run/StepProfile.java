package io.polder.run;

import io.polder.nn.Pass;
import io.polder.penalty.GradientScheme;
import io.polder.penalty.LossPass;
import io.polder.penalty.StepGradient;
import io.polder.recipe.Recipe;
import io.polder.tensor.Device;
import io.polder.tensor.FlatParameters;
import io.polder.tensor.FlatVector;
import io.polder.train.Batches;
import io.polder.train.StepMetrics;
import io.polder.train.TimedNetwork;
import io.polder.train.Trainer;
import io.polder.train.TrainingData;
import io.polder.train.TrainingListener;
import io.polder.train.TrainingPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Where the time of a recipe's steps and epochs goes, by the clock, on the CPU: a device that computes while others wait would be timed where it is
 * waited for.
 *
 * @param steps the seconds of each part, step by step; those that warm up are left out
 * @param stepsPerEpoch of the recipe
 * @param evaluation seconds of one, of all images, by the time of some batches
 * @param evaluateEvery so many epochs have one
 */
public record StepProfile(List<Map<Part, Double>> steps, long stepsPerEpoch, double evaluation, int evaluateEvery) {
    /** So many batches are evaluated: enough for a mean, and not an hour of ImageNet. */
    private static final int EVALUATED = 5;

    /** What a step consists of. */
    public enum Part {
        LOADER("waiting for the loader"),
        TENSORS("images to tensors"),
        FORWARD("forward"),
        BACKWARD("backward, loss and figures"),
        FLAT("perturbation, mixing, clipping, optimizer");

        private final String label;

        Part(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public StepProfile {
        steps = List.copyOf(steps);
    }

    /**
     * Trains the recipe from its first weights, and evaluates some batches. Nothing is written.
     *
     * @param warmUp steps that are not counted
     * @param steps that are
     * @param stop looked at before each step
     * @param watcher is told how many of all are done
     */
    public static StepProfile measure(
            Recipe recipe, RunSettings settings, int warmUp, int steps, BooleanSupplier stop, IntConsumer watcher)
            throws IOException {
        if (warmUp < 0 || steps < 1) {
            throw new IllegalArgumentException(
                    "warm-up is " + warmUp + " and steps " + steps + ": they must be at least 0 and 1");
        }
        try (var rehearsal = new Rehearsal(recipe, settings)) {
            var clock = new Clock(watcher);
            TrainingPlan plan = rehearsal.plan();
            TrainingData data = rehearsal.images().forTraining();
            try (var trainer = new Trainer(
                    new TimedNetwork(rehearsal.network(), clock::forward),
                    clock.timing(plan.endless(plan.learningRate())),
                    new TrainingData(clock.timing(data.train()), data.test()),
                    settings.device(),
                    rehearsal.streams(),
                    List.of(clock))) {
                trainer.run(() -> clock.steps.size() == warmUp + steps || stop.getAsBoolean());
                int done = clock.steps.size();
                double evaluation = done < warmUp + steps ? Double.NaN : evaluation(trainer, data.test());
                return new StepProfile(
                        clock.steps.subList(Math.min(warmUp, done), done),
                        data.train().perEpoch(),
                        evaluation,
                        recipe.evaluateEvery());
            }
        }
    }

    /** Of all batches, by the time of the first of them; the very first is left out where there are more. */
    private static double evaluation(Trainer trainer, Batches test) {
        List<Long> marks = new ArrayList<>(); // before each batch
        trainer.evaluate(() -> {
            marks.add(System.nanoTime());
            return marks.size() > EVALUATED;
        });
        if (marks.size() <= EVALUATED) {
            marks.add(System.nanoTime());
        }
        int batches = marks.size() - 1;
        int first = batches > 1 ? 1 : 0;
        return (marks.get(batches) - marks.get(first)) * 1e-9 / (batches - first) * test.perEpoch();
    }

    /** The mean of a part over the steps, in seconds; NaN where there are none. */
    public double mean(Part part) {
        return steps.stream().mapToDouble(step -> step.get(part)).average().orElse(Double.NaN);
    }

    /** Of a whole step. */
    public double step() {
        double sum = 0;
        for (Part part : Part.values()) {
            sum += mean(part);
        }
        return sum;
    }

    /** Of an epoch's share of evaluations. */
    public double evaluationOfEpoch() {
        return evaluation / evaluateEvery;
    }

    public double epoch() {
        return stepsPerEpoch * step() + evaluationOfEpoch();
    }

    /** Adds up, and hands out what it times. */
    private static final class Clock implements TrainingListener {
        private final List<Map<Part, Double>> steps = new ArrayList<>();
        private final Map<Part, Double> now = new EnumMap<>(Part.class);
        private final IntConsumer watcher;
        private long began = System.nanoTime();
        private double passes;

        Clock(IntConsumer watcher) {
            this.watcher = watcher;
        }

        <T> T timed(Part part, Supplier<T> work) {
            long start = System.nanoTime();
            try {
                return work.get();
            } finally {
                now.merge(part, (System.nanoTime() - start) * 1e-9, Double::sum);
            }
        }

        void forward(double seconds) {
            now.merge(Part.FORWARD, seconds, Double::sum);
        }

        /** A pass forward and backward. */
        double pass(DoubleSupplier work) {
            long start = System.nanoTime();
            try {
                return work.getAsDouble();
            } finally {
                passes += (System.nanoTime() - start) * 1e-9;
            }
        }

        @Override
        public void onStep(StepMetrics metrics) {
            long end = System.nanoTime();
            Map<Part, Double> step = new EnumMap<>(Part.class);
            double others = 0;
            for (Part part : List.of(Part.LOADER, Part.TENSORS, Part.FORWARD)) {
                step.put(part, now.getOrDefault(part, 0.0));
                others += step.get(part);
            }
            step.put(Part.BACKWARD, Math.max(0, passes - step.get(Part.FORWARD)));
            step.put(Part.FLAT, Math.max(0, (end - began) * 1e-9 - others - step.get(Part.BACKWARD)));
            steps.add(step);
            watcher.accept(steps.size());
            now.clear();
            passes = 0;
            began = System.nanoTime();
        }

        TrainingPlan timing(TrainingPlan plan) {
            return plan.withScheme(() -> new TimedScheme(plan.scheme().get(), this));
        }

        Batches timing(Batches batches) {
            return new TimedBatches(batches, this);
        }
    }

    private record TimedBatches(Batches batches, Clock clock) implements Batches {
        @Override
        public int perEpoch() {
            return batches.perEpoch();
        }

        @Override
        public Epoch epoch(int epoch, int first) {
            Epoch served = clock.timed(Part.LOADER, () -> batches.epoch(epoch, first));
            return new Epoch() {
                @Override
                public boolean hasNext() {
                    return served.hasNext();
                }

                @Override
                public Batch next() {
                    Batch batch = clock.timed(Part.LOADER, served::next);
                    return new Batch() {
                        @Override
                        public int size() {
                            return batch.size();
                        }

                        @Override
                        public Examples on(Device device) {
                            return clock.timed(Part.TENSORS, () -> batch.on(device));
                        }
                    };
                }

                @Override
                public void close() {
                    served.close();
                }
            };
        }
    }

    private record TimedScheme(GradientScheme scheme, Clock clock) implements GradientScheme {
        @Override
        public StepGradient computeGradient(LossPass pass, FlatParameters parameters, long step) {
            return scheme.computeGradient(new TimedPass(pass, clock), parameters, step);
        }

        @Override
        public Map<String, FlatVector> memory(FlatParameters parameters) {
            return scheme.memory(parameters);
        }

        @Override
        public void close() {
            scheme.close();
        }
    }

    private record TimedPass(LossPass pass, Clock clock) implements LossPass {
        @Override
        public double compute(Pass kind) {
            return clock.pass(() -> pass.compute(kind));
        }

        @Override
        public double compute(Pass kind, double[] losses) {
            return clock.pass(() -> pass.compute(kind, losses));
        }

        @Override
        public double[] losses(Pass kind) {
            double[][] losses = new double[1][];
            clock.pass(() -> {
                losses[0] = pass.losses(kind);
                return 0;
            });
            return losses[0];
        }

        @Override
        public void computeProduct(FlatVector direction, FlatVector product) {
            clock.pass(() -> {
                pass.computeProduct(direction, product);
                return 0;
            });
        }

        @Override
        public void takeBack() {
            pass.takeBack();
        }

        @Override
        public long examples() {
            return pass.examples();
        }

        @Override
        public LossPass part(long first, long count) {
            return new TimedPass(pass.part(first, count), clock);
        }

        @Override
        public LossPass only(long... examples) {
            return new TimedPass(pass.only(examples), clock);
        }
    }
}
