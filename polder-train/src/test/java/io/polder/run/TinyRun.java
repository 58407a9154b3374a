package io.polder.run;

import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.tensor.Device;
import io.polder.train.EpochMetrics;
import io.polder.train.Progress;
import io.polder.train.StepMetrics;
import io.polder.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A run of a second: two epochs of 8 steps on images that come with Polder. */
final class TinyRun {
    static final String RECIPE = """
            name: tiny
            seed: 4
            epochs: 2
            model: { name: resnet-small }
            data: { name: fashion-mnist-2000, augment: none, batch: 8, images: 64, evaluateOn: validation, validation: 40 }
            scheme: { name: standard }
            optimizer: { name: sgd }
            learningRate: { schedule: constant, base: 0.01 }
            checkpoint: { everySteps: 3 }
            """;

    static final RunSettings SETTINGS = settings(1, Optional.empty());

    private TinyRun() {}

    static RunSettings settings(int threads, Optional<Path> data) {
        return new RunSettings(threads, Device.CPU, data, Optional.empty(), "test", "none", "./polder train tiny");
    }

    static Recipe recipe(String... overrides) {
        return RecipeReader.read(RECIPE, "tiny.yaml", List.of(overrides));
    }

    /** Of the newest checkpoint. */
    static Path weights(Path run) throws IOException {
        return new RunDirectory(run)
                .checkpoint(RunDirectory.Which.NEWEST, System.err::println)
                .directory()
                .resolve("weights.safetensors");
    }

    /** Something that a test does between two steps. */
    interface Action {
        void run() throws Exception;
    }

    /** Remembers what it was told, and may do something on the way. */
    static final class Observer implements RunObserver, TrainingListener {
        final List<String> warnings = new CopyOnWriteArrayList<>();
        final List<Long> steps = new CopyOnWriteArrayList<>();
        private volatile int most = Integer.MAX_VALUE;
        private long when = -1;
        private Action action;
        private boolean atEpoch;

        Observer stoppingAfter(int steps) {
            most = steps;
            return this;
        }

        /** @param step so many steps are done then */
        Observer after(long step, Action action) {
            when = step;
            this.action = action;
            return this;
        }

        /** After its evaluation, before it is saved. */
        Observer afterEpoch(int epoch, Action action) {
            atEpoch = true;
            return after(epoch, action);
        }

        Observer stoppingAfterEpoch(int epoch) {
            return afterEpoch(epoch, () -> most = 0);
        }

        @Override
        public List<TrainingListener> listeners(RunInfo info, Progress from) {
            return List.of(this);
        }

        @Override
        public void onStep(StepMetrics metrics) {
            steps.add(metrics.step());
            perform(!atEpoch && metrics.step() + 1 == when);
        }

        @Override
        public void onEpoch(EpochMetrics metrics) {
            perform(atEpoch && metrics.epoch() == when);
        }

        private void perform(boolean now) {
            if (now) {
                try {
                    action.run();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        @Override
        public void warn(String sentence) {
            warnings.add(sentence);
        }

        @Override
        public boolean stopRequested() {
            return steps.size() >= most;
        }
    }
}
