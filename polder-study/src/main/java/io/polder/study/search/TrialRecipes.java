package io.polder.study.search;

import io.polder.config.Values;
import io.polder.penalty.Mix;
import io.polder.penalty.Perturbation;
import io.polder.recipe.DataRecipe;
import io.polder.recipe.EvaluateOn;
import io.polder.recipe.ModelRecipe;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.recipe.ScheduledNumber;
import io.polder.recipe.SchemeRecipe;
import io.polder.study.trial.TrialIds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the recipes of a study's trials. Remembers them: a plan is made again after every trial. */
final class TrialRecipes {
    static final String R = "scheme.r";
    static final String ALPHA = "scheme.alpha";

    /** The paper's recommendation, for a base recipe that says nothing of them. */
    private static final SchemeRecipe.GradientNormPenalty PAPER = new SchemeRecipe.GradientNormPenalty(
            ScheduledNumber.of(0.05),
            ScheduledNumber.of(0.8),
            null,
            Mix.GRADIENT,
            Perturbation.L2,
            false,
            ScheduledNumber.of(1),
            null);

    private final TrialIds ids;
    private final Map<List<Object>, Trial> made = new HashMap<>();
    private final Map<List<Object>, Recipe> startingPoints = new HashMap<>();
    private final Map<List<Object>, Recipe> settledRecipes = new HashMap<>();

    TrialRecipes(TrialIds ids) {
        this.ids = ids;
    }

    /**
     * @param settings overrides by paths
     * @param epochs 0: as the base has it
     */
    Trial trial(
            Variant variant,
            TrainingMethod method,
            Map<String, String> settings,
            long seed,
            EvaluateOn judge,
            int epochs) {
        var stage = new Stage(variant, "", StudyMethod.plain(method), method, List.of(), epochs);
        return trial(stage, settings, seed, judge);
    }

    /** A stage's trial of one candidate. */
    Trial trial(Stage stage, Map<String, String> candidate, long seed, EvaluateOn judge) {
        List<Object> what =
                List.of(stage.variant().name(), stage.entry(), stage.trainedBy(), candidate, stage.epochs());
        return made.computeIfAbsent(List.of(what, seed, judge), key -> {
            // Overrides are read as YAML, which takes its time: once for all seeds.
            Recipe settled = settledRecipes.computeIfAbsent(what, same -> settled(stage, candidate));
            Recipe recipe = with(settled, settled.scheme(), settled.data().judgedBy(judge), seed);
            return new Trial(ids.of(recipe), label(stage, candidate), stage.trainedBy(), recipe);
        });
    }

    private Recipe settled(Stage stage, Map<String, String> candidate) {
        Recipe base = stage.variant().base();
        Recipe start = startingPoints.computeIfAbsent(
                List.of(stage.variant().name(), stage.entry(), stage.trainedBy()), key -> startingPoint(stage));
        List<String> overrides = overrides(candidate);
        if (stage.epochs() > 0) {
            overrides.addAll(shorter(base, stage.epochs()));
        }
        return withRedraw(RecipeReader.read(start.toYaml(), base.name(), overrides), ids);
    }

    /**
     * The base with an entry's settings, trained by another method where the stage says so. From the entry's own recipe, not from its
     * settings: so whatever they set is kept if the other method has it, and nothing else.
     */
    private static Recipe startingPoint(Stage stage) {
        Recipe base = stage.variant().base();
        Recipe entry = RecipeReader.read(
                trainedBy(stage.entry().method(), base).toYaml(),
                base.name(),
                overrides(stage.entry().settings()));
        boolean isPlugged = !(entry.scheme() instanceof SchemeRecipe.Standard)
                && !(entry.scheme() instanceof SchemeRecipe.TwoPasses);
        // The scheme of a plug-in, which an entry's settings name, is what they want to see.
        return isPlugged && stage.trainedBy() == stage.entry().method() ? entry : trainedBy(stage.trainedBy(), entry);
    }

    private static Recipe trainedBy(TrainingMethod method, Recipe recipe) {
        return with(recipe, scheme(recipe.scheme(), method), recipe.data(), recipe.seed());
    }

    private static List<String> overrides(Map<String, String> settings) {
        List<String> overrides = new ArrayList<>();
        settings.forEach((path, value) -> overrides.add(path + "=" + value));
        return overrides;
    }

    /** What a TorchScript file says of its weights is written into the recipe, where the table finds it. */
    static Recipe withRedraw(Recipe recipe, TrialIds ids) {
        ModelRecipe model = recipe.model();
        boolean redraws =
                model.torchscript() != null && model.redraw() == null && ids.isRedrawnByDefault(model.torchscript());
        return redraws ? RecipeReader.read(recipe.toYaml(), recipe.name(), List.of("model.redraw=true")) : recipe;
    }

    /** A warm-up takes the same share of a shorter run. */
    private static List<String> shorter(Recipe base, int epochs) {
        List<String> overrides = new ArrayList<>(List.of("epochs=" + epochs));
        double warmup = base.learningRate().warmupEpochs();
        if (warmup > 0 && base.epochs() != null) {
            overrides.add("learningRate.warmupEpochs=" + warmup * epochs / base.epochs());
        }
        return overrides;
    }

    private static Recipe with(Recipe recipe, SchemeRecipe scheme, DataRecipe data, long seed) {
        return Values.of(recipe)
                .with("scheme", scheme)
                .with("data", data)
                .with("seed", seed)
                .as(Recipe.class);
    }

    /** A method's scheme. What the base says of two-pass schemes is kept. */
    private static SchemeRecipe scheme(SchemeRecipe base, TrainingMethod method) {
        if (method == TrainingMethod.STANDARD) {
            return new SchemeRecipe.Standard();
        }
        SchemeRecipe.TwoPasses two = base instanceof SchemeRecipe.TwoPasses given ? given : PAPER;
        if (method == TrainingMethod.SAM) {
            return new SchemeRecipe.Sam(
                    two.r(),
                    two.perturbation(),
                    two.syncPerturbation(),
                    two.probability(),
                    two.warmup(),
                    two.every(),
                    two.between(),
                    two.reuse(),
                    two.turned(),
                    two.ascentShare(),
                    two.perturbationExamples());
        }
        return two instanceof SchemeRecipe.GradientNormPenalty
                ? two
                : new SchemeRecipe.GradientNormPenalty(
                        two.r(),
                        PAPER.alpha(),
                        null,
                        two.mix(),
                        two.perturbation(),
                        two.syncPerturbation(),
                        two.probability(),
                        two.warmup(),
                        two.every(),
                        two.between(),
                        two.reuse(),
                        two.turned(),
                        two.ascentShare(),
                        two.perturbationExamples());
    }

    /** What the recipe has for r and α, and the settings it was made with. */
    static Map<String, String> shown(Trial trial, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        if (trial.recipe().scheme() instanceof SchemeRecipe.TwoPasses two) {
            if (two.r() instanceof ScheduledNumber.Constant r) {
                all.putIfAbsent(R, plain(r.base()));
            }
            if (trial.method() == TrainingMethod.PENALTY && two.alpha() instanceof ScheduledNumber.Constant alpha) {
                all.putIfAbsent(ALPHA, plain(alpha.base()));
            }
        }
        return all;
    }

    private static String plain(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e9
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static String label(Stage stage, Map<String, String> candidate) {
        StringBuilder text = new StringBuilder();
        if (!stage.variant().name().isEmpty()) {
            text.append(stage.variant().name()).append(", ");
        }
        StudyMethod entry = stage.entry();
        boolean isTitled = entry.isTitled() && stage.trainedBy() == entry.method();
        text.append(isTitled ? entry.title() : stage.trainedBy().label());
        Map<String, String> settings = new LinkedHashMap<>(entry.settingsOf(stage.trainedBy()));
        settings.putAll(candidate);
        if (isTitled) { // which says the rest
            settings.entrySet().removeAll(entry.settings().entrySet());
        }
        settings.forEach((path, value) ->
                text.append(", ").append(shortName(path)).append(" = ").append(value));
        int epochs = stage.epochs();
        if (epochs > 0) {
            text.append(", ").append(epochs).append(epochs == 1 ? " epoch" : " epochs");
        }
        return text.toString();
    }

    /** {@code r}, {@code α}, or the last name of the path. */
    static String shortName(String path) {
        return path.equals(ALPHA) ? "α" : path.substring(path.lastIndexOf('.') + 1);
    }
}
