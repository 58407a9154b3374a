package io.polder.run;

import io.polder.data.load.Share;
import io.polder.distributed.LostWorkerException;
import io.polder.distributed.ProcessGroup;
import io.polder.distributed.Rendezvous;
import io.polder.recipe.Recipe;
import io.polder.recipe.SchemeRecipe;
import io.polder.tensor.Engine;
import io.polder.train.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The workers of a run, as one of them sees them: what they tell each other besides numbers. One alone tells nobody anything. */
final class Team {
    private static final String RECIPE = "the exchange of the recipe";
    private static final String CHECKPOINT = "the exchange of a checkpoint";

    /** null: alone */
    private final ProcessGroup group;

    private Team(ProcessGroup group) {
        this.group = group;
    }

    /** Rank 0's part of a run. */
    interface Leading {
        RunInfo lead(Team team) throws IOException;
    }

    /** Another rank's. */
    interface Following {
        void follow(Team team) throws IOException;
    }

    /** Does rank 0's part, with the workers that the settings tell of, or with threads for the recipe's replicas. */
    static RunInfo lead(Recipe recipe, RunSettings settings, Leading part) throws IOException {
        if (settings.rendezvous().isPresent()) {
            return lead(settings.rendezvous().get(), part);
        }
        if (recipe.replicas() == 1) {
            return part.lead(new Team(null));
        }
        int size = recipe.replicas();
        Path meeting = Files.createTempDirectory("polder-replicas");
        Path file = meeting.resolve("rendezvous");
        List<Thread> others = new ArrayList<>();
        try {
            for (int rank = 1; rank < size; rank++) {
                var place = Rendezvous.inFile(rank, size, file, Rendezvous.DEFAULT_TIMEOUT);
                var replica = new Thread(() -> followQuietly(place, settings), "polder-replica-" + rank);
                replica.setDaemon(true);
                replica.start();
                others.add(replica);
            }
            return lead(Rendezvous.inFile(0, size, file, Rendezvous.DEFAULT_TIMEOUT), part);
        } finally {
            others.forEach(Team::awaitEnd);
            Files.deleteIfExists(file);
            Files.deleteIfExists(meeting);
        }
    }

    private static RunInfo lead(Rendezvous place, Leading part) throws IOException {
        try (var group = ProcessGroup.join(place)) {
            try {
                return part.lead(new Team(group));
            } catch (IOException | RuntimeException | Error e) {
                tell(group, e);
                throw e;
            }
        }
    }

    /** What goes wrong is told to rank 0, which ends the run with it. */
    private static void followQuietly(Rendezvous place, RunSettings settings) {
        try {
            follow(place, team -> new Follower(Optional.empty(), settings, new RunObserver() {}).run(team));
        } catch (IOException | RuntimeException | Error e) {
            // Rank 0 knows.
        }
    }

    static void follow(Rendezvous place, Following part) throws IOException {
        try (var group = ProcessGroup.join(place)) {
            try {
                part.follow(new Team(group));
            } catch (IOException | RuntimeException | Error e) {
                tell(group, e);
                throw e;
            }
        }
    }

    private static void tell(ProcessGroup group, Throwable e) {
        if (!(e instanceof LostWorkerException)) {
            group.fail(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private static void awaitEnd(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isAlone() {
        return group == null;
    }

    int rank() {
        return isAlone() ? 0 : group.rank();
    }

    int size() {
        return isAlone() ? 1 : group.size();
    }

    Share share() {
        return new Share(rank(), size());
    }

    /** Gives the engine this worker's part of the threads. */
    void setThreads(RunSettings settings) {
        Engine.setThreads(Math.max(1, settings.threads() / (isAlone() ? 1 : group.localSize())));
    }

    Workers workers(Recipe recipe) {
        return isAlone() ? Workers.alone() : Workers.of(group, syncsPerturbation(recipe), recipe.syncBatchNorm());
    }

    private static boolean syncsPerturbation(Recipe recipe) {
        return recipe.scheme() instanceof SchemeRecipe.TwoPasses two && two.syncPerturbation();
    }

    /**
     * @param workers how many there are to be
     * @throws IllegalArgumentException if several cannot train this recipe so
     */
    static void requireSupported(Recipe recipe, RunSettings settings, int workers) {
        if (workers == 1) {
            return;
        }
        if (!settings.device().isCpu()) {
            throw new IllegalArgumentException("the device is " + settings.device() + " and there are " + workers
                    + " workers: this version trains with several on the CPU only");
        }
        requireWholeBatches(recipe);
        if (recipe.scheme() instanceof SchemeRecipe.TwoPasses two
                && two.syncPerturbation()
                && (two.ascentShare() != null || two.perturbationExamples() != null)) {
            throw new IllegalArgumentException(
                    "scheme.syncPerturbation is true and the first gradient is that of a part"
                            + " of the batch only: leave out ascentShare and perturbationExamples, or syncPerturbation");
        }
    }

    /** Batch norm asks all workers in every pass: so all make the same passes, each over the whole of its share. */
    private static void requireWholeBatches(Recipe recipe) {
        if (!recipe.syncBatchNorm()) {
            return;
        }
        SchemeRecipe scheme = recipe.scheme();
        if (scheme instanceof SchemeRecipe.Esam
                || scheme instanceof SchemeRecipe.ExactPenalty
                || (scheme instanceof SchemeRecipe.TwoPasses two
                        && (two.ascentShare() != null || two.perturbationExamples() != null))) {
            throw new IllegalArgumentException("syncBatchNorm is true and the scheme " + scheme.called()
                    + " looks at a part of the batch, or at second derivatives: set syncBatchNorm to false, or leave out"
                    + " ascentShare and perturbationExamples, or take another scheme");
        }
        boolean agree = scheme instanceof SchemeRecipe.TwoPasses two && two.syncPerturbation();
        if (scheme instanceof SchemeRecipe.Reusing reusing && reusing.turned() != null && !agree) {
            throw new IllegalArgumentException(
                    "syncBatchNorm is true and scheme.turned lets each worker decide by its own"
                            + " gradient how many passes it makes: set scheme.syncPerturbation to true");
        }
        if (recipe.model().torchscript() != null) {
            throw new IllegalArgumentException(
                    "syncBatchNorm is true and the network is a TorchScript file, whose batch norm"
                            + " asks nobody: set syncBatchNorm to false, or use an architecture by name");
        }
    }

    /** Rank 0 says what is trained. */
    void tell(Recipe recipe, RunSettings settings) throws IOException {
        if (!isAlone()) {
            group.broadcast(RECIPE, recipe.toYaml());
            compare(recipe.hash(), settings);
        }
    }

    /** Rank 0 says that there is nothing to do. */
    void tellOfNothing() {
        if (!isAlone()) {
            group.broadcast(RECIPE, "");
        }
    }

    /** What rank 0 says is trained: the text of its recipe, or nothing where there is nothing to do. */
    String hear() {
        return group.broadcast(RECIPE, "");
    }

    void compare(String recipeHash, RunSettings settings) throws IOException {
        group.requireSame("recipe", recipeHash);
        group.requireSame("version of Polder", settings.version());
        group.requireSame("engine", RunInfo.engineNow());
    }

    void compareImages(String contents) throws IOException {
        if (!isAlone()) {
            group.requireSame("set of images", contents);
        }
    }

    /** A file of rank 0, which the others get at a path of their own. */
    void share(Path file) throws IOException {
        if (!isAlone()) {
            group.broadcast("the exchange of " + file.getFileName(), file);
        }
    }

    /** What rank 0 has decided. */
    String share(String decision) {
        return isAlone() ? decision : group.broadcast(CHECKPOINT, decision);
    }

    /** Gives the others the state that rank 0 goes on from; empty: there is none. */
    void send(Optional<Path> checkpoint) throws IOException {
        if (isAlone()) {
            return;
        }
        List<Path> files = List.of();
        if (checkpoint.isPresent()) {
            try (Stream<Path> listed = Files.list(checkpoint.get())) {
                files = listed.sorted().toList();
            }
        }
        group.broadcast(
                CHECKPOINT,
                String.join(
                        "\n",
                        files.stream()
                                .map(file -> file.getFileName().toString())
                                .toList()));
        for (Path file : files) {
            group.broadcast(CHECKPOINT, file);
        }
    }

    /** Goes on from a state. */
    interface Resuming {
        boolean from(Path directory) throws IOException;
    }

    /** Takes what rank 0 sends, and lets it be used while it is there. @return false where there was nothing to receive */
    boolean receive(Resuming use) throws IOException {
        List<String> names = group.broadcast(CHECKPOINT, "").lines().toList();
        Path directory = Files.createTempDirectory("polder-worker");
        try {
            for (String name : names) {
                group.broadcast(CHECKPOINT, directory.resolve(Path.of(name).getFileName()));
            }
            return !names.isEmpty() && use.from(directory);
        } finally {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }
}
