package io.polder.study.trial;

import io.polder.recipe.Recipe;
import io.polder.recipe.SchemeRecipe;
import io.polder.run.RunSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A program that runs trials like {@link TrialMain}, claims, signals, outcomes and all, but with arithmetic in the place of training. What
 * it does is told by the file {@code behaviour} in the store, one word for each method: {@code diverge}, {@code crash}, {@code refuse},
 * {@code crash-once}, {@code kill}; {@code search=refuse} for all trials of a search; {@code crowd=kill}, which kills a trial that is not
 * alone, as a system without memory does; and {@code pace=N}, the milliseconds an epoch takes.
 */
public final class StubTrial implements TrialTraining {
    /** By signal 9. */
    private static final int KILLED = 137;

    public static void main(String[] arguments) {
        TrialMain.run(arguments, new StubTrial());
    }

    @Override
    public Ending train(Recipe recipe, Path directory, RunSettings settings, BooleanSupplier stop) throws IOException {
        Path behaviour = directory.getParent().resolveSibling("behaviour");
        String words = Files.exists(behaviour) ? Files.readString(behaviour) : "";
        String method = recipe.scheme() instanceof SchemeRecipe.Standard
                ? "standard"
                : recipe.scheme() instanceof SchemeRecipe.Sam ? "sam" : "penalty";
        boolean isFinal = recipe.data().evaluateOn().text().equals("test");
        Path checkpoint = directory.resolve("checkpoint");
        Path alive = Files.writeString(directory.resolve("alive"), "");
        int done = Files.exists(checkpoint) ? Integer.parseInt(Files.readString(checkpoint)) : 0;
        for (int epoch = done + 1; epoch <= recipe.epochs(); epoch++) {
            if (stop.getAsBoolean()) {
                return new Ending.Stopped();
            }
            pause(words);
            if (isFinal && words.contains(method + "=diverge")) {
                return new Ending.Diverged("the training diverged at step 3");
            } else if (isFinal && words.contains(method + "=refuse")) {
                throw new IOException("the images are not there: name their directory with --data");
            } else if (isFinal && words.contains(method + "=crash-once")) {
                if (!Files.exists(directory.resolve("crashed"))) {
                    Files.createFile(directory.resolve("crashed"));
                    crash();
                }
            } else if (isFinal && words.contains(method + "=crash")) {
                crash();
            } else if (isFinal && words.contains(method + "=kill")) {
                Runtime.getRuntime().halt(KILLED);
            } else if (!isFinal && words.contains("search=refuse")) {
                throw new IOException("the images are not there: name their directory with --data");
            } else if (words.contains("crowd=kill") && isCrowd(directory)) {
                Files.delete(alive);
                Runtime.getRuntime().halt(KILLED);
            }
            double error = 0.1 + ((Integer.parseUnsignedInt(recipe.hash().substring(0, 7), 16)) % 1000) / 2000.0;
            Files.writeString(
                    directory.resolve("metrics.jsonl"),
                    String.format(
                            "{\"kind\":\"epoch\",\"epoch\":%d,\"step\":%d,\"steps\":10,\"loss\":1.0,\"error\":0.5,\"gradientNorm\":1.0,"
                                    + "\"parameterNorm\":2.0,\"learningRate\":0.1,\"imagesPerSecond\":100.0,\"seconds\":1.0,"
                                    + "\"testLoss\":1.5,\"testError\":%s,\"testTop5Error\":0.01,\"testImages\":100,\"time\":1.0}%n",
                            epoch, epoch * 10, error),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            Files.writeString(checkpoint, Integer.toString(epoch));
        }
        Files.delete(alive);
        return new Ending.Done(recipe.epochs());
    }

    /** The first trial waits for a second, or they might miss each other; afterwards nobody waits. */
    private static boolean isCrowd(Path directory) throws IOException {
        Path met = directory.getParent().resolveSibling("met");
        for (int i = 0; i < 1000 && !Files.exists(met) && !isAnotherAlive(directory); i++) {
            LockSupport.parkNanos(10_000_000);
        }
        boolean crowd = isAnotherAlive(directory);
        if (crowd) {
            Files.writeString(met, "");
        }
        return crowd;
    }

    private static boolean isAnotherAlive(Path directory) throws IOException {
        try (Stream<Path> others = Files.list(directory.getParent())) {
            return others.anyMatch(other -> !other.equals(directory) && Files.exists(other.resolve("alive")));
        }
    }

    private static void pause(String words) {
        int at = words.indexOf("pace=");
        try {
            Thread.sleep(at < 0 ? 0 : Long.parseLong(words.substring(at + 5).split("\\s")[0]));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As the engine does: no exception, no farewell. */
    private static void crash() {
        Runtime.getRuntime().halt(134);
    }

    /** The command that starts this program. */
    public static TrialCommand command() {
        return TrialCommand.of(StubTrial.class, System.getProperty("java.class.path"), List.of());
    }
}
