package io.polder.recipe;

import io.polder.config.ConfigException;
import io.polder.config.Format.Contradiction;
import io.polder.config.Values;
import io.polder.config.Yaml;
import io.polder.data.KnownDataset;
import io.polder.data.source.Datasets;
import io.polder.recipe.Recipe.Divergence.Action;
import io.polder.recipe.SchemeRecipe.GradientNormPenalty;
import io.polder.recipe.SchemeRecipe.Intermittent;
import io.polder.recipe.SchemeRecipe.TwoPasses;
import io.polder.recipe.SchemeRecipe.Warmup;
import java.util.ArrayList;
import java.util.List;

/** What no field can say by itself: which values contradict each other. Each rule judges only if it knows all that it needs. */
final class Rules {
    /** Of which a recipe has exactly one. An override of one takes the place of the other. */
    static final List<List<String>> ONE_OF = List.of(
            List.of("epochs", "steps"),
            List.of("model.name", "model.torchscript"),
            List.of("scheme.alpha", "scheme.lambda"));

    private final Values recipe;
    private final List<Contradiction> found = new ArrayList<>();

    private Rules(Values recipe) {
        this.recipe = recipe;
    }

    static List<Contradiction> broken(Values recipe) {
        Rules rules = new Rules(recipe);
        rules.oneOfEach();
        rules.model();
        rules.data();
        rules.task();
        rules.loss();
        rules.scheme();
        rules.cheaper();
        rules.optimizer();
        rules.parameters();
        rules.times();
        rules.replicas();
        rules.earlyStopping();
        return rules.found;
    }

    /** @throws ConfigException if any is broken */
    static void require(Values recipe) {
        List<Contradiction> broken = broken(recipe);
        if (!broken.isEmpty()) {
            throw new ConfigException(
                    broken.stream().map(c -> c.path() + ": " + c.sentence()).toList());
        }
    }

    private void oneOfEach() {
        for (List<String> pair : ONE_OF) {
            String one = pair.get(0);
            String other = pair.get(1);
            // A plug-in's scheme may have both.
            boolean isOurs = !one.startsWith("scheme.") || recipe.isA("scheme", TwoPasses.class);
            if (isOurs && recipe.know(one, other)) {
                boolean hasOne = has(one);
                refuse(hasOne && has(other), other, "contradicts " + one + "; exactly one of both must be given");
                refuse(!hasOne && !has(other), one, "is missing; it or " + other + " must be given");
            }
        }
    }

    private void model() {
        if (recipe.know("model.resetHead", "model.init")) {
            refuse(
                    is("model.resetHead") && !has("model.init"),
                    "model.resetHead",
                    "is true without model.init; there is a head to leave out only where weights are loaded");
        }
        if (recipe.know("model.redraw", "model.torchscript")) {
            refuse(
                    has("model.redraw") && !has("model.torchscript"),
                    "model.redraw",
                    "is given without model.torchscript; the seed always draws the weights of a network by name");
        }
        for (String field : List.of("model.dropPath", "model.dropout")) {
            if (recipe.know(field, "model.name") && has(field)) {
                String name = recipe.get("model.name", String.class);
                refuse(
                        name == null || !name.startsWith("vit-"),
                        field,
                        "only vision transformers (vit-…) have it, and the model is "
                                + (name == null ? "a TorchScript file" : name));
            }
        }
    }

    private void data() {
        if (recipe.know("data.evaluateOn", "data.validation")) {
            refuse(
                    recipe.get("data.evaluateOn", EvaluateOn.class) == EvaluateOn.VALIDATION
                            && number("data.validation") == 0,
                    "data.validation",
                    "is 0 with evaluateOn: validation; it must be at least 1 to have images to evaluate on");
        }
        if (recipe.know("data.images", "data.batch") && has("data.images")) {
            refuse(
                    number("data.images") < number("data.batch"),
                    "data.images",
                    "is less than data.batch, which is " + text("data.batch")
                            + "; an epoch must have at least one step");
        }
        if (recipe.know("data.mix", "data.batch")) {
            refuse(
                    !recipe.isA("data.mix", BatchMixing.None.class) && number("data.batch") < 2,
                    "data.mix",
                    "needs a data.batch of at least 2, as an image is mixed with another one");
        }
        if (recipe.know("data.name", "data.dir") && recipe.at("data.plugged") == null) {
            KnownDataset dataset = Datasets.named(recipe.get("data.name", String.class));
            refuse(
                    dataset.isBundled() && has("data.dir"),
                    "data.dir",
                    "is given, and " + dataset.name() + " comes with Polder; leave it out, or name another data set");
        }
    }

    /** Of the data sets by name one has images with several labels; what a plug-in's have is seen when they are opened. */
    private void task() {
        if (recipe.know("task", "data.name") && recipe.at("data.plugged") == null) {
            String data = recipe.get("data.name", String.class);
            boolean labelled = data.equals("labelled-folder");
            refuse(
                    recipe.isA("task", TaskRecipe.MultiLabel.class) && !labelled,
                    "task",
                    "is multi-label, and the images of " + data
                            + " have one class each; leave it out, or name a data set such as labelled-folder");
            refuse(
                    !has("task") && labelled,
                    "data.name",
                    "is " + data + ", whose images have several labels each; say task: multi-label");
        }
    }

    private void loss() {
        if (!recipe.know("loss", "task") || !has("loss")) {
            return;
        }
        boolean severalLabels = recipe.isA("task", TaskRecipe.MultiLabel.class);
        refuse(
                has("task") && !severalLabels && !recipe.isA("task", TaskRecipe.Classification.class),
                "loss",
                "is given with a task of a plug-in, which has a loss of its own; leave it out");
        refuse(
                severalLabels && recipe.isA("loss", LossRecipe.CrossEntropy.class),
                "loss",
                "is cross-entropy, by which an image is of one class, and the task is multi-label; say binary-cross-entropy or focal");
        if (recipe.know("loss.weights", "loss.balanced")) {
            refuse(
                    has("loss.weights") && is("loss.balanced"),
                    "loss.weights",
                    "contradicts loss.balanced; give one of both");
        }
    }

    private void scheme() {
        if (!recipe.isA("scheme", TwoPasses.class) || !recipe.know("scheme.r")) {
            return;
        }
        ScheduledNumber r = scheduled("scheme.r");
        if (!recipe.isA("scheme", GradientNormPenalty.class)) {
            refuse(
                    r.isAlways(0),
                    "scheme.r",
                    "is 0, which perturbs nothing; SAM needs an r above 0 (scheme: standard is training without it)");
            return;
        }
        for (String balance : List.of("scheme.alpha", "scheme.lambda")) {
            if (recipe.know(balance) && has(balance)) {
                refuse(
                        r.isAlways(0) && !scheduled(balance).isAlways(0),
                        "scheme.r",
                        "is 0, which perturbs nothing, and " + balance
                                + " is not; it must be above 0 (scheme: standard is training without the penalty)");
            }
        }
        if (recipe.know("scheme.lambda") && has("scheme.lambda")) {
            boolean vanishes = !r.isAlways(r.from()) && (r.from() == 0 || r.to() == 0);
            refuse(
                    vanishes,
                    "scheme.lambda",
                    "is given with an r that starts or ends at 0, where α = λ/r has no bound; give alpha instead");
            refuse(
                    recipe.know("scheme.warmup.of")
                            && recipe.get("scheme.warmup.of", Warmup.Quantity.class) == Warmup.Quantity.R,
                    "scheme.lambda",
                    "is given with a warm-up of r, during which α = λ/r has no bound; give alpha instead, or warm lambda up");
        }
    }

    /** What makes a scheme of two passes cheaper. */
    private void cheaper() {
        if (!recipe.isA("scheme", Intermittent.class) || !recipe.know("scheme.every", "scheme.probability")) {
            return;
        }
        boolean always =
                !has("scheme.probability") || scheduled("scheme.probability").isAlways(1);
        refuse(has("scheme.every") && !always, "scheme.every", "contradicts scheme.probability; give one of both");
        if (!recipe.know("scheme.between", "scheme.turned")) {
            return;
        }
        boolean reuses = has("scheme.between")
                && recipe.get("scheme.between", SchemeRecipe.Between.class).reuses();
        boolean atEachStep = !has("scheme.every") && always;
        refuse(
                reuses && atEachStep && !has("scheme.turned"),
                "scheme.between",
                "reuses, but no step is without a second gradient; give every, probability or turned");
        for (String field : List.of("scheme.reuse", "scheme.turned")) {
            refuse(
                    recipe.know(field) && has(field) && !reuses,
                    field,
                    "is given, but nothing is reused; say scheme.between: reuse");
        }
        for (String part : List.of("scheme.ascentShare", "scheme.perturbationExamples")) {
            refuse(
                    recipe.know(part) && has(part) && reuses,
                    part,
                    "is given with reuse between, which needs both gradients to be of the whole batch; give one of both");
        }
        refuse(
                recipe.know("scheme.ascentShare", "scheme.perturbationExamples")
                        && has("scheme.ascentShare")
                        && has("scheme.perturbationExamples"),
                "scheme.ascentShare",
                "contradicts scheme.perturbationExamples; give one of both");
    }

    private void optimizer() {
        if (recipe.isA("optimizer", OptimizerRecipe.Sgd.class)
                && recipe.know("optimizer.nesterov", "optimizer.momentum")) {
            refuse(
                    is("optimizer.nesterov") && number("optimizer.momentum") == 0,
                    "optimizer.nesterov",
                    "is true with a momentum of 0; it is a form of momentum, which must be above 0");
        }
        if (recipe.isA("optimizer", OptimizerRecipe.AdamW.class)
                && recipe.know("optimizer.weightDecay", "optimizer.l2")) {
            refuse(
                    number("optimizer.weightDecay") > 0 && number("optimizer.l2") > 0,
                    "optimizer.l2",
                    "is given with weightDecay; weights decay in the loss or apart from it, not both");
        }
    }

    private void parameters() {
        if (!recipe.know("parameters") || !has("parameters")) {
            return;
        }
        List<?> groups = recipe.get("parameters", List.class);
        for (int i = 0; i < groups.size(); i++) {
            Values group = (Values) groups.get(i);
            String path = "parameters[" + i + "]";
            if (group.know("learningRateFactor", "decayFactor", "frozen")) {
                boolean decays = group.get("decayFactor", Double.class) != null;
                refuse(
                        !decays
                                && group.get("learningRateFactor", Double.class) == null
                                && group.get("frozen", Boolean.class) == null,
                        path,
                        "says nothing of its parameters; give learningRateFactor, decayFactor or frozen");
                refuse(
                        decays && isWithoutDecay(),
                        path + ".decayFactor",
                        "is given, and nothing decays; give optimizer.l2, or with adamw weightDecay");
            }
        }
    }

    /** Of a plug-in's optimizer nothing is known. */
    private boolean isWithoutDecay() {
        return recipe.know("optimizer.l2")
                && number("optimizer.l2") == 0
                && !(recipe.know("optimizer.weightDecay") && number("optimizer.weightDecay") > 0);
    }

    /** Nothing may take longer than the run. Of a run in steps only the run itself will know how many epochs it has. */
    private void times() {
        if (!recipe.know("epochs") || !has("epochs")) {
            return;
        }
        double epochs = number("epochs");
        for (String path : List.of("learningRate.warmupEpochs", "scheme.warmup.epochs", "earlyStopping.patience")) {
            if (recipe.know(path) && recipe.get(path, Object.class) instanceof Number time) {
                notLonger(path, time.doubleValue(), epochs);
            }
        }
        for (String path : List.of("scheme.r", "scheme.alpha", "scheme.lambda", "scheme.probability", "scheme.reuse")) {
            if (recipe.know(path)
                    && recipe.get(path, Object.class) instanceof ScheduledNumber number
                    && number.epochs() != null) {
                notLonger(path, number.epochs(), epochs);
            }
        }
    }

    private void notLonger(String path, double time, double epochs) {
        refuse(
                time > epochs,
                path,
                "takes " + Yaml.number(time) + " epochs, longer than the run of " + (long) epochs
                        + "; it must end with the run or before");
    }

    private void replicas() {
        if (recipe.know("replicas", "data.batch")) {
            int replicas = recipe.get("replicas", Integer.class);
            int batch = recipe.get("data.batch", Integer.class);
            refuse(
                    batch % replicas != 0,
                    "replicas",
                    "is " + replicas + " and data.batch is " + batch
                            + "; the batch must be a multiple of the replicas");
            if (recipe.know("microBatch") && has("microBatch")) {
                refuse(
                        number("microBatch") > batch / replicas,
                        "microBatch",
                        "is " + text("microBatch") + "; it must be at most the batch of a replica, "
                                + batch / replicas);
            }
        }
        if (recipe.know("syncBatchNorm", "microBatch")) {
            refuse(
                    is("syncBatchNorm") && has("microBatch"),
                    "syncBatchNorm",
                    "is true and there is a microBatch; statistics of the whole batch need all of it at once");
        }
        if (recipe.know("onDivergence.action", "checkpoint.everyEpochs", "checkpoint.everySteps")) {
            refuse(
                    recipe.get("onDivergence.action", Action.class) == Action.RESTORE
                            && !has("checkpoint.everyEpochs")
                            && !has("checkpoint.everySteps"),
                    "onDivergence.action",
                    "is restore without checkpoints to go back to; give checkpoint.everyEpochs or checkpoint.everySteps");
        }
    }

    private void earlyStopping() {
        if (recipe.know("earlyStopping", "data.evaluateOn") && has("earlyStopping")) {
            refuse(
                    recipe.get("data.evaluateOn", EvaluateOn.class) == EvaluateOn.TEST,
                    "earlyStopping",
                    "is given with evaluateOn: test; a run that ends when the test images like it best is chosen by them,"
                            + " so it needs data.evaluateOn: validation");
        }
    }

    private void refuse(boolean broken, String path, String sentence) {
        if (broken) {
            found.add(new Contradiction(path, sentence));
        }
    }

    private boolean has(String path) {
        return recipe.get(path, Object.class) != null;
    }

    private boolean is(String path) {
        return recipe.get(path, Boolean.class);
    }

    private double number(String path) {
        return recipe.get(path, Number.class).doubleValue();
    }

    private ScheduledNumber scheduled(String path) {
        return recipe.get(path, ScheduledNumber.class);
    }

    private String text(String path) {
        return String.valueOf(recipe.get(path, Object.class));
    }
}
