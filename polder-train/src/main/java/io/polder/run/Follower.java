package io.polder.run;

import io.polder.nn.Network;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.tensor.RandomStreams;
import io.polder.tensor.Scope;
import io.polder.train.DivergedException;
import io.polder.train.EpochMetrics;
import io.polder.train.StepMetrics;
import io.polder.train.Trainer;
import io.polder.train.TrainingListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A worker that is not rank 0: it trains on its share and leaves nothing behind. What it needs of the run it hears from rank 0, so it need
 * not see the run's directory: the recipe, a TorchScript file, the state to go on from. The images it opens itself.
 */
public final class Follower {
    private final Optional<Recipe> own;
    private final RunSettings settings;
    private final RunObserver observer;
    private Trainer trainer;

    /** @param own the recipe that it was started with, which must be rank 0's; empty: whatever that is */
    Follower(Optional<Recipe> own, RunSettings settings, RunObserver observer) {
        this.own = own;
        this.settings = settings;
        this.observer = observer;
    }

    /**
     * Takes part in a run to its end.
     *
     * @param settings with a rendezvous, at a rank above 0
     */
    public static void run(Optional<Recipe> own, RunSettings settings, RunObserver observer) throws IOException {
        Team.follow(settings.rendezvous().orElseThrow(), team -> new Follower(own, settings, observer).run(team));
    }

    void run(Team team) throws IOException {
        String text = team.hear();
        if (text.isEmpty()) {
            return;
        }
        Recipe recipe = RecipeReader.read(text, "the recipe of rank 0", List.of());
        team.compare(own.orElse(recipe).hash(), settings);
        team.setThreads(settings);
        var streams = new RandomStreams(recipe.seed());
        Optional<Path> data = settings.data()
                .or(() -> own.map(mine -> mine.data().dir()).map(Path::of))
                .or(() -> Optional.ofNullable(recipe.data().dir()).map(Path::of));
        try (var scope = Scope.open();
                var images = Assembly.images(recipe, recipe.data().evaluateOn(), data, streams, team.share())) {
            team.compareImages(images.dataset().contents());
            Network network = network(recipe, team, images, streams);
            Assembly.freeze(network, recipe);
            int microBatch = Integer.parseInt(team.share(""));
            long stepsPerEpoch = images.train().batchesPerEpoch();
            var plan = Assembly.plan(Assembly.settled(recipe, images), microBatch, stepsPerEpoch, streams);
            var moments = new SaveMoments(recipe.checkpoint(), Assembly.epochs(recipe, stepsPerEpoch));
            try (var trainer = new Trainer(
                    network,
                    plan,
                    images.forTraining(),
                    settings.device(),
                    streams,
                    List.of(new TakingPart(moments)),
                    team.workers(recipe))) {
                this.trainer = trainer;
                team.receive(state -> {
                    trainer.resumeFrom(state);
                    return true;
                });
                trainToAnEnd(recipe.onDivergence(), team);
            }
        }
    }

    private static Network network(Recipe recipe, Team team, Assembly.Images images, RandomStreams streams)
            throws IOException {
        if (recipe.model().torchscript() == null) {
            return Assembly.network(recipe, null, images.splits().evaluation(), streams);
        }
        Path script = Files.createTempFile("polder-worker", ".pt");
        try {
            team.share(script);
            return Assembly.network(recipe, script, images.splits().evaluation(), streams);
        } finally {
            Files.delete(script);
        }
    }

    private void trainToAnEnd(Recipe.Divergence rule, Team team) throws IOException {
        while (true) {
            try {
                trainer.run(observer::stopRequested);
                takePartInSaving();
                return;
            } catch (DivergedException e) {
                if (rule.endsAfter(trainer.progress().restarts())
                        || !team.receive(state -> trainer.restartFrom(state, rule.learningRateFactor()))) {
                    throw e;
                }
            }
        }
    }

    private void takePartInSaving() {
        trainer.gather().close();
    }

    /** Whenever rank 0 saves the run. */
    private final class TakingPart implements TrainingListener {
        private final SaveMoments moments;

        TakingPart(SaveMoments moments) {
            this.moments = moments;
        }

        @Override
        public void onStep(StepMetrics metrics) {
            if (moments.after(metrics)) {
                takePartInSaving();
            }
        }

        @Override
        public void onEpoch(EpochMetrics metrics) {
            if (moments.after(metrics, trainer.progress())) {
                takePartInSaving();
            }
        }
    }
}
