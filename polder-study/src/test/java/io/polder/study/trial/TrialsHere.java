package io.polder.study.trial;

import io.polder.recipe.RecipeReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs trials one after another in this process, for laws that are not about processes: a trial's own would take it a second to start. */
public final class TrialsHere implements TrialExecutor {
    private final TrialTraining training;

    private TrialsHere(TrialTraining training) {
        this.training = training;
    }

    /** That train. */
    public static TrialsHere real() {
        return new TrialsHere(new RunTraining(sentence -> {}));
    }

    /** That do arithmetic; those that shall crash or be killed would take this process with them. */
    public static TrialsHere stubs() {
        return new TrialsHere(new StubTrial());
    }

    @Override
    public CompletableFuture<TrialEnd> submit(TrialTask task, Runnable onStart) {
        onStart.run();
        return CompletableFuture.completedFuture(end(task));
    }

    private TrialEnd end(TrialTask task) {
        List<String> notes = new ArrayList<>();
        var arguments = TrialMain.Arguments.of(TrialMain.arguments(task).toArray(String[]::new));
        try {
            int code = new TrialMain(training, notes::add)
                    .bringToItsEnd(RecipeReader.read(task.recipe(), "trial", List.of()), arguments);
            return code == TrialMain.FINISHED
                    ? new TrialEnd(TrialEnd.Kind.FINISHED, String.join("; ", notes))
                    : new TrialEnd(TrialEnd.Kind.CRASHED, "it ended with code " + code);
        } catch (IOException e) {
            return new TrialEnd(TrialEnd.Kind.REFUSED, e.getMessage());
        }
    }

    @Override
    public String describe() {
        return "one after another";
    }

    @Override
    public int sideBySide() {
        return 1;
    }

    @Override
    public int threads() {
        return 1;
    }

    @Override
    public void close() {}
}
