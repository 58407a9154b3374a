package io.polder.study.search;

import io.polder.config.ConfigException;
import io.polder.config.Format;
import io.polder.config.Format.Contradiction;
import io.polder.config.Values;
import io.polder.config.Yaml;
import io.polder.files.Reason;
import io.polder.recipe.EvaluateOn;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.recipe.Recipes;
import io.polder.study.trial.TrialIds;
import io.polder.text.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Text to a {@link Study}. {@link StudyForm} has the fields; here is what they mean together. The values that a search shall try are
 * tried on the recipes first, so that none of them is found out to be wrong after a night of training.
 */
public final class StudyFile {
    private static final Pattern PAPER = Pattern.compile("[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+|");
    private static final Pattern OF_AN_OVERRIDE = Pattern.compile("-s: ([A-Za-z][A-Za-z0-9.]*): (.*)");
    private static final Pattern OF_A_LINE = Pattern.compile(":\\d+: ([A-Za-z][A-Za-z0-9.]*): (.*)");
    private static final String TOO_MANY = "; a study has at most " + StudyForm.MOST_TRIALS + " trials";
    private static final int LONGEST_FILE = 1 << 20;

    private final Path beside;
    private final Set<Contradiction> found = new LinkedHashSet<>();

    /** Whether nothing is missing because it was written wrongly. */
    private boolean isWhole = true;

    private Study study;

    private StudyFile(Path beside) {
        this.beside = beside;
    }

    /**
     * @param file a study file; base recipes that it names by a file are looked for beside it
     * @throws IOException if it cannot be read
     * @throws ConfigException if there is any mistake
     */
    public static Study read(Path file) throws IOException {
        var reader = new StudyFile(file.toAbsolutePath().getParent());
        try {
            reader.format().read(file, List.of());
        } catch (IOException e) {
            throw new IOException(file + " cannot be read (" + Reason.of(e) + "): name a file or a built-in study", e);
        }
        return reader.study;
    }

    /**
     * @param fileName where the text is from, for messages
     * @param beside where base recipes that are files are looked for
     * @throws ConfigException if there is any mistake
     */
    public static Study read(String text, String fileName, Path beside) {
        var reader = new StudyFile(beside);
        reader.format().read(text, fileName, List.of());
        return reader.study;
    }

    /**
     * The same study with fields of its recipes set otherwise, from a command line. What a method or the search sets comes after it.
     *
     * @param overrides as {@code path=value}
     * @throws ConfigException if a recipe does not take them, or a value that the search shall try does not go with them
     */
    public static Study with(Study study, List<String> overrides) {
        List<Variant> variants = study.variants().stream()
                .map(variant -> new Variant(
                        variant.name(),
                        variant.paper(),
                        RecipeReader.read(
                                variant.base().toYaml(), variant.base().name(), overrides)))
                .toList();
        var changed = new Study(
                study.name(), study.title(), variants, study.methods(), study.search(), study.seeds(), study.retries());
        return read(changed.toYaml(), study.name(), Path.of("."));
    }

    /** Its rules make the study, too: what is wrong with a recipe or a value is a mistake with a line like any other. */
    private Format<StudyForm> format() {
        return new Format<>("study", StudyForm.class, LONGEST_FILE, List.of(), file -> {
            make(file);
            return List.copyOf(found);
        });
    }

    private void make(Values file) {
        List<Variant> variants = variants(file);
        List<StudyMethod> methods = methods(file);
        SearchSettings search = search(file.at("search"));
        if (search.kind() != SearchSettings.Kind.NONE
                && methods.stream().anyMatch(method -> !method.sweep().isEmpty())) {
            refuse(
                    "methods",
                    "has a sweep beside a search: a search chooses a value where a sweep shows them all; take one out");
        }
        if (isWhole && found.isEmpty() && file.know("name", "title", "seeds", "retries")) {
            String name = file.get("name", String.class);
            String title = file.get("title", String.class);
            study = new Study(
                    name,
                    title == null ? name : title,
                    variants,
                    methods,
                    search,
                    file.get("seeds", Integer.class),
                    file.get("retries", Integer.class));
            tryValues();
        }
    }

    private List<Variant> variants(Values file) {
        if (!known(file, "base", "variants", "set", "paper")) {
            return List.of();
        }
        String paper = paper(file.get("paper", Yaml.class), "paper", "");
        Map<String, String> set = texts(file.get("set", Map.class));
        Yaml base = file.get("base", Yaml.class);
        List<Values> settings = items(file.get("variants", List.class));
        if ((base == null) == settings.isEmpty()) {
            refuse("", "must have either base or variants");
            return List.of();
        }
        List<Variant> variants = new ArrayList<>();
        if (base != null) {
            recipe(base, "base", set, path -> "set").ifPresent(recipe -> variants.add(new Variant("", paper, recipe)));
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < settings.size(); i++) {
            Values its = settings.get(i);
            String path = "variants[" + i + "]";
            if (!known(its, "name", "base", "set", "paper")) {
                continue;
            }
            String name = its.get("name", Yaml.class).scalar();
            if (name == null || name.codePoints().anyMatch(Character::isISOControl)) {
                refuse(path + ".name", "must be a text of one line");
            } else if (!names.add(name)) {
                refuse(path + ".name", "is " + Contradiction.quote(name) + " like another's; names must differ");
            }
            String itsPaper = paper(its.get("paper", Yaml.class), path + ".paper", paper);
            Map<String, String> own = texts(its.get("set", Map.class));
            Map<String, String> all = new LinkedHashMap<>(set);
            all.putAll(own);
            recipe(
                            its.get("base", Yaml.class),
                            path + ".base",
                            all,
                            field -> own.containsKey(field) ? path + ".set" : "set")
                    .filter(recipe -> name != null)
                    .ifPresent(recipe -> variants.add(new Variant(name, itsPaper, recipe)));
        }
        return variants;
    }

    private String paper(Yaml text, String path, String fallback) {
        if (text == null) {
            return fallback;
        }
        if (text.scalar() == null || !PAPER.matcher(text.scalar()).matches()) {
            refuse(path, "must be dataset/model/augmentation, such as cifar10/WRN-28-10/basic");
            return fallback;
        }
        return text.scalar();
    }

    /**
     * A built-in recipe by name, a file beside this one, or a recipe written out.
     *
     * @param setter where a field of the recipe was set, by its path
     */
    private Optional<Recipe> recipe(Yaml base, String path, Map<String, String> set, UnaryOperator<String> setter) {
        List<String> overrides = new ArrayList<>();
        set.forEach((field, value) -> overrides.add(field + "=" + value));
        String source = base.scalar();
        try {
            if (source == null && base.text().startsWith("{")) {
                return Optional.of(RecipeReader.read(base.text(), "", overrides));
            } else if (source == null || source.isBlank()) {
                refuse(path, "must be the name of a built-in recipe, a file beside this one, or a recipe");
            } else if (Recipes.names().contains(source)) {
                return Optional.of(Recipes.read(source, overrides));
            } else if (Files.isRegularFile(beside.resolve(source))) {
                return Optional.of(RecipeReader.read(beside.resolve(source), overrides, name -> {}));
            } else {
                refuse(
                        path,
                        "is " + Contradiction.quote(source)
                                + ", which is neither a built-in recipe nor a file beside this one"
                                + Nearest.to(source, Recipes.names())
                                        .map(name -> "; did you mean " + name + "?")
                                        .orElse(""));
            }
        } catch (ConfigException e) {
            e.mistakes().forEach(mistake -> refuseOf(mistake, path, setter));
        } catch (InvalidPathException e) {
            refuse(path, "is " + Contradiction.quote(source) + ", which is no name of a file: " + e.getReason());
        } catch (IOException e) {
            refuse(path, "is " + Contradiction.quote(source) + ", which cannot be read: " + Reason.of(e));
        }
        return Optional.empty();
    }

    /** A mistake of a recipe, told where the study has it: of one that is written out here the path says where. */
    private void refuseOf(String mistake, String path, UnaryOperator<String> setter) {
        var override = OF_AN_OVERRIDE.matcher(mistake);
        var line = OF_A_LINE.matcher(mistake);
        if (override.matches()) {
            refuse(setter.apply(override.group(1)) + "." + override.group(1), override.group(2));
        } else if (line.matches()) {
            refuse(path + "." + line.group(1), line.group(2));
        } else {
            refuse(path, mistake);
        }
    }

    private List<StudyMethod> methods(Values file) {
        List<StudyMethod> methods = new ArrayList<>();
        if (!known(file, "methods")) {
            return methods;
        }
        for (Values its : items(file.get("methods", List.class))) {
            if (known(its, "method", "title", "set", "sweep")) {
                String title = its.get("title", String.class);
                methods.add(new StudyMethod(
                        TrainingMethod.of(its.get("method", String.class)).orElseThrow(),
                        title == null ? "" : title,
                        texts(its.get("set", Map.class)),
                        lists(its.get("sweep", Map.class), "methods")));
            }
        }
        if (methods.isEmpty() && isWhole) {
            refuse("methods", "is empty; there must be at least one");
        }
        return methods;
    }

    private SearchSettings search(Values its) {
        if (its == null) {
            isWhole = false;
            return SearchSettings.NONE;
        }
        List<String> r = numbers(its, "r", SearchSettings.PAPER_R);
        List<String> alpha = numbers(its, "alpha", SearchSettings.PAPER_ALPHA);
        if (!known(its, "kind", "seeds", "firstSeed", "standard", "r", "alpha", "minEpochs", "eta", "samples")) {
            return SearchSettings.NONE;
        }
        SearchSettings.Kind kind = its.get("kind", SearchSettings.Kind.class);
        if (kind == SearchSettings.Kind.NONE) {
            refuseAny(
                    its,
                    List.of("seeds", "firstSeed", "standard", "r", "alpha", "minEpochs", "eta", "samples"),
                    "means nothing without a search; take it out");
            return SearchSettings.NONE;
        }
        if (kind != SearchSettings.Kind.ASHA) {
            refuseAny(its, List.of("minEpochs", "eta", "samples"), "belongs to kind: asha; take it out");
        }
        Map<?, ?> standard = its.get("standard", Map.class);
        return new SearchSettings(
                kind,
                whole(its, "seeds", 1),
                Optional.ofNullable(its.get("firstSeed", Long.class)),
                standard == null ? Map.of() : lists(standard, "search.standard"),
                r,
                alpha,
                whole(its, "minEpochs", 1),
                whole(its, "eta", SearchSettings.DEFAULT_ETA),
                whole(its, "samples", 0));
    }

    private void refuseAny(Values its, List<String> fields, String why) {
        fields.stream()
                .filter(field -> its.get(field, Object.class) != null)
                .forEach(field -> refuse("search." + field, why));
    }

    private static int whole(Values its, String field, int fallback) {
        Integer given = its.get(field, Integer.class);
        return given == null ? fallback : given;
    }

    /** Numbers as they are written, for they name the rows of tables. */
    private List<String> numbers(Values its, String field, List<String> fallback) {
        List<?> given = its.know(field) ? its.get(field, List.class) : null;
        if (given == null) {
            return fallback;
        }
        List<String> numbers = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            Yaml each = (Yaml) given.get(i);
            if (!each.isNumber()) {
                refuse(
                        "search." + field + "[" + i + "]",
                        "is " + Contradiction.quote(each.text()) + "; it must be a number");
            }
            numbers.add(each.text());
        }
        return numbers;
    }

    private static List<Values> items(List<?> list) {
        return list.stream().map(Values.class::cast).toList();
    }

    /** Values in YAML, by paths. */
    private static Map<String, String> texts(Map<?, ?> values) {
        Map<String, String> texts = new LinkedHashMap<>();
        values.forEach((path, value) -> texts.put((String) path, ((Yaml) value).text()));
        return texts;
    }

    private Map<String, List<String>> lists(Map<?, ?> values, String where) {
        Map<String, List<String>> lists = new LinkedHashMap<>();
        values.forEach((path, value) -> {
            List<String> texts =
                    ((List<?>) value).stream().map(each -> ((Yaml) each).text()).toList();
            if (texts.isEmpty()) {
                refuse(where, path + " must be a list of at least one value");
            }
            lists.put((String) path, texts);
        });
        return lists;
    }

    /** Makes a recipe with each value that a stage or a row may have, to see whether it is one. */
    private void tryValues() {
        SearchSettings search = study.search();
        for (Variant variant : study.variants()) {
            if (search.kind() == SearchSettings.Kind.ASHA && variant.base().epochs() == null) {
                refuse("search.kind", "is asha, but the base recipe counts steps; it must have epochs");
                return;
            }
            search.standard()
                    .forEach((path, values) -> values.forEach(value ->
                            tryValue(variant, TrainingMethod.STANDARD, Map.of(path, value), "search.standard")));
            search.r()
                    .forEach(value -> tryValue(variant, TrainingMethod.SAM, Map.of(TrialRecipes.R, value), "search.r"));
            search.alpha()
                    .forEach(value -> tryValue(
                            variant, TrainingMethod.PENALTY, Map.of(TrialRecipes.ALPHA, value), "search.alpha"));
            for (StudyMethod method : study.methods()) {
                long rows = combinations(method.sweep());
                if (rows * study.seeds() > StudyForm.MOST_TRIALS) {
                    refuse("methods", "has a sweep of " + rows + " rows" + TOO_MANY);
                    return;
                }
                method.rows().forEach(settings -> tryValue(variant, method.method(), settings, "methods"));
            }
            if (!found.isEmpty()) {
                return; // the same values would be wrong in the other variants
            }
        }
        long grid = combinations(search.standard())
                * Math.max(1, search.r().size())
                * Math.max(1, search.alpha().size());
        if (search.kind() != SearchSettings.Kind.GREEDY && grid * search.seeds() > StudyForm.MOST_TRIALS) {
            refuse("search", "has a grid of " + grid + " combinations" + TOO_MANY);
        }
    }

    private static long combinations(Map<String, List<String>> values) {
        return values.values().stream().mapToLong(List::size).reduce(1, Math::multiplyExact);
    }

    private void tryValue(Variant variant, TrainingMethod method, Map<String, String> settings, String path) {
        try {
            for (EvaluateOn judge : EvaluateOn.values()) { // a search chooses by the one, the table has the other
                new TrialRecipes(TrialIds.asFound(Map.of()))
                        .trial(variant, method, settings, variant.base().seed(), judge, 0);
            }
        } catch (ConfigException e) {
            for (String mistake : e.mistakes()) {
                refuse(path, mistake.startsWith("-s: ") ? mistake.substring("-s: ".length()) : mistake);
            }
        }
    }

    private boolean known(Values values, String... fields) {
        boolean known = values.know(fields);
        isWhole &= known;
        return known;
    }

    private void refuse(String path, String sentence) {
        found.add(new Contradiction(path, sentence));
    }
}
