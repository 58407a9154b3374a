package io.polder.study.search;

import io.polder.config.ByName;
import io.polder.config.Field;
import io.polder.config.Names;
import io.polder.config.Yaml;
import java.util.List;
import java.util.Map;

/** What may stand in a study file, field by field; {@link StudyFile} makes a {@link Study} of it. */
record StudyForm(
        @Field(
                about = "What the study is called.",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}",
                patternInWords = "letters, digits, dots, hyphens and underscores, at most 100")
        String name,

        @Field(about = "What stands above its table; null: its name.", fallback = "null")
        String title,

        @Field(about = BASE + " This or variants.", fallback = "null")
        Yaml base,

        @Field(about = SET, fallback = "{}", pattern = PATH, patternInWords = PATHS)
        Map<String, Yaml> set,

        @Field(about = "What is compared.", fallback = "[standard, sam, gradient-norm-penalty]")
        List<Method> methods,

        @Field(about = "How hyper-parameters are chosen.", fallback = "none")
        Search search,

        @Field(about = "How many seeds each row of the table has.", fallback = "5", min = 1, max = MOST_SEEDS)
        int seeds,

        @Field(about = "Settings in which the methods are compared, each with its rows. This or base.", fallback = "[]")
        List<Setting> variants,

        @Field(about = "How often a trial is tried again that crashed.", fallback = "1", min = 0, max = 100)
        int retries,

        @Field(about = PAPER, fallback = "null") Yaml paper) {
    static final int MOST_SEEDS = 1000;
    static final int MOST_TRIALS = 100_000;

    static final String BASE = "The recipe: the name of a built-in one, a file beside this one, or a recipe.";
    static final String SET = "Fields of the recipe that are set otherwise, by their paths.";
    static final String PAPER = "Which published result stands beside: dataset/model/augmentation.";
    static final String PATH = "[A-Za-z][A-Za-z0-9]*(\\.[A-Za-z][A-Za-z0-9]*)*";
    static final String PATHS = "paths such as data.batch";

    /** A method; its name alone is short for it. */
    @ByName("method")
    record Method(
            @Field(about = "Which one.", names = MethodNames.class)
            String method,

            @Field(
                    about = "What tables call it, instead of its method and what it sets; null: nothing.",
                    fallback = "null",
                    pattern = "[^\\p{Cntrl}\\s][^\\p{Cntrl}]{0,79}",
                    patternInWords = "a text of one line, at most 80 characters")
            String title,

            @Field(about = SET, fallback = "{}", pattern = PATH, patternInWords = PATHS)
            Map<String, Yaml> set,

            @Field(
                    about = "Values by paths, each combination of which is a row of its own; without a search only.",
                    fallback = "{}",
                    pattern = PATH,
                    patternInWords = PATHS)
            Map<String, List<Yaml>> sweep) {}

    /** The names of methods. */
    static final class MethodNames implements Names {
        @Override
        public List<String> names() {
            return TrainingMethod.names();
        }
    }

    /** A search; its kind alone is short for it. What is null is left to {@link SearchSettings}. */
    @ByName("kind")
    record Search(
            @Field(about = "none, or how candidates are tried.")
            SearchSettings.Kind kind,

            @Field(about = "Over how many seeds a candidate is judged.", fallback = "null", min = 1, max = MOST_SEEDS)
            Integer seeds,

            @Field(
                    about =
                            "The first of them, for a choice by other seeds than those of the table; null: the recipe's.",
                    fallback = "null",
                    min = 0)
            Long firstSeed,

            @Field(
                    about = "What every method chooses: values by paths.",
                    fallback = "null",
                    pattern = PATH,
                    patternInWords = PATHS)
            Map<String, List<Yaml>> standard,

            @Field(about = "The radii; null: the paper's.", fallback = "null")
            List<Yaml> r,

            @Field(about = "The balances; null: the paper's.", fallback = "null")
            List<Yaml> alpha,

            @Field(about = "Of asha: the epochs of the first rung.", fallback = "null", min = 1, max = 1_000_000)
            Integer minEpochs,

            @Field(about = "Of asha: one in so many goes on.", fallback = "null", min = 2, max = 100)
            Integer eta,

            @Field(about = "Of asha: candidates drawn; 0: all.", fallback = "null", min = 0, max = MOST_TRIALS)
            Integer samples) {}

    /** A variant. Its name and the paper's result may be empty: of a study with a single one they are. */
    record Setting(
            @Field(about = "What it is called in the table.")
            Yaml name,

            @Field(about = BASE) Yaml base,

            @Field(about = SET, fallback = "{}", pattern = PATH, patternInWords = PATHS)
            Map<String, Yaml> set,

            @Field(about = PAPER, fallback = "null") Yaml paper) {}
}
