package io.polder.study.search;

import io.polder.config.ConfigException;
import io.polder.files.Reason;
import io.polder.recipe.EvaluateOn;
import io.polder.recipe.Recipe;
import io.polder.recipe.RecipeReader;
import io.polder.recipe.Recipes;
import io.polder.study.trial.TrialIds;
import io.polder.text.Nearest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * Text to a {@link Study}. Goes on after a mistake, so that all of them are told at once; the values that a search shall try are tried on
 * the recipes first, so that none of them is found out to be wrong after a night of training.
 */
public final class StudyFile {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Pattern PAPER = Pattern.compile("[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+");
    private static final int DEFAULT_SEEDS = 5;
    private static final int MOST_SEEDS = 1000;
    private static final int MOST_RETRIES = 100;
    private static final int MOST_TRIALS = 100_000;
    private static final int LONGEST_FILE = 1 << 20;

    private final StudyYaml yaml;
    private final Path beside;

    private StudyFile(StudyYaml yaml, Path beside) {
        this.yaml = yaml;
        this.beside = beside;
    }

    /**
     * @param file a study file; base recipes that it names by a file are looked for beside it
     * @throws IOException if it cannot be read
     * @throws StudyException if there is any mistake
     */
    public static Study read(Path file) throws IOException {
        return read(textOf(file), file.toString(), file.toAbsolutePath().getParent());
    }

    /**
     * @param fileName where the text is from, for messages
     * @param beside where base recipes that are files are looked for
     * @throws StudyException if there is any mistake
     */
    public static Study read(String text, String fileName, Path beside) {
        var yaml = new StudyYaml(fileName);
        Optional<MappingNode> root = yaml.parse(text);
        Study study = root.map(node -> new StudyFile(yaml, beside).study(node)).orElse(null);
        yaml.throwIfAny();
        return study;
    }

    /**
     * The same study with fields of its recipes set otherwise, from a command line. What a method or the search sets comes after it.
     *
     * @param overrides as {@code path=value}
     * @throws ConfigException if a recipe does not take them
     * @throws StudyException if a value that the search shall try does not go with them
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

    private static String textOf(Path file) throws IOException {
        try (var stream = Files.newInputStream(file)) {
            byte[] bytes = stream.readNBytes(LONGEST_FILE + 1); // a device's size is 0, and it may have no end
            if (bytes.length > LONGEST_FILE) {
                throw new IOException("it is longer than " + LONGEST_FILE + " bytes, which no such file is");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (IOException e) {
            throw new IOException(file + " cannot be read (" + Reason.of(e) + "): name a file or a built-in study", e);
        }
    }

    private Study study(MappingNode root) {
        var fields = yaml.fields(
                root,
                "",
                List.of("name", "title", "base", "set", "methods", "search", "seeds", "variants", "retries", "paper"));
        String name = fields.text("name", null, NAME, "letters, digits, dots, hyphens and underscores, at most 100");
        String title = fields.text("title", name == null ? "" : name, null, "a text of one line");
        List<Variant> variants = variants(root, fields);
        List<StudyMethod> methods = methods(fields);
        SearchSettings search = search(fields);
        int seeds = fields.whole("seeds", DEFAULT_SEEDS, 1, MOST_SEEDS);
        int retries = fields.whole("retries", 1, 0, MOST_RETRIES);
        if (search.kind() != SearchSettings.Kind.NONE
                && methods.stream().anyMatch(method -> !method.sweep().isEmpty())) {
            yaml.mistake(
                    fields.node("methods"),
                    "methods",
                    "has a sweep beside a search: a search chooses a value where a sweep shows them all; take one out");
        }
        if (!yaml.isEmpty() || variants.isEmpty()) {
            return null;
        }
        var study = new Study(name, title, variants, methods, search, seeds, retries);
        tryValues(study, fields);
        return yaml.isEmpty() ? study : null;
    }

    private List<Variant> variants(MappingNode root, StudyYaml.Fields fields) {
        String paper = fields.text("paper", "", PAPER, "dataset/model/augmentation, such as cifar10/WRN-28-10/basic");
        Map<String, String> set = fields.values("set");
        if (fields.has("base") == fields.has("variants")) {
            yaml.mistake(root, "", "must have either base or variants");
            return List.of();
        }
        List<Variant> found = new ArrayList<>();
        if (fields.has("base")) {
            recipe(fields.node("base"), "base", fields.node("set"), set)
                    .ifPresent(base -> found.add(new Variant("", paper, base)));
            return found;
        }
        Set<String> names = new HashSet<>();
        int i = 0;
        for (Node node : fields.list("variants")) {
            String path = "variants[" + i++ + "]";
            if (!(node instanceof MappingNode mapping)) {
                yaml.mistake(node, path, "must be a group of fields (name, base, set, paper)");
                continue;
            }
            var variant = yaml.fields(mapping, path, List.of("name", "base", "set", "paper"));
            String name = variant.text("name", null, null, "a text of one line");
            if (name != null && !names.add(name)) {
                yaml.mistake(
                        node, path + ".name", "is " + StudyWriter.quoted(name) + " like another's; names must differ");
            }
            String its =
                    variant.text("paper", paper, PAPER, "dataset/model/augmentation, such as cifar10/WRN-28-10/basic");
            Map<String, String> all = new LinkedHashMap<>(set);
            all.putAll(variant.values("set"));
            if (!variant.has("base")) {
                yaml.mistake(node, path, "has no base; it must name a recipe");
            } else if (name != null) {
                recipe(variant.node("base"), path + ".base", node, all)
                        .ifPresent(base -> found.add(new Variant(name, its == null ? "" : its, base)));
            }
        }
        if (found.isEmpty() && yaml.isEmpty()) {
            yaml.mistake(root, "variants", "is empty; there must be at least one");
        }
        return found;
    }

    /** A built-in recipe by name, a file beside this one, or a recipe written out. */
    private Optional<Recipe> recipe(Node node, String path, Node setNode, Map<String, String> set) {
        String text;
        String source;
        if (node instanceof MappingNode mapping) {
            text = StudyYaml.flow(mapping);
            source = "";
        } else if (node instanceof ScalarNode scalar && !scalar.getValue().isBlank()) {
            source = scalar.getValue();
            Optional<String> found = textOf(source, node, path);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            text = found.get();
        } else {
            yaml.mistake(node, path, "must be the name of a built-in recipe, a file beside this one, or a recipe");
            return Optional.empty();
        }
        List<String> overrides = new ArrayList<>();
        set.forEach((field, value) -> overrides.add(field + "=" + value));
        try {
            return Optional.of(RecipeReader.read(text, source, overrides));
        } catch (ConfigException e) {
            for (String mistake : e.mistakes()) {
                if (mistake.startsWith("-s: ")) {
                    yaml.mistake(setNode == null ? node : setNode, "set." + mistake.substring("-s: ".length()));
                } else if (source.isEmpty()) {
                    // Of a recipe that is written out here the path says where: its lines are not those of a file.
                    yaml.mistake(node, path + "." + mistake.substring(mistake.indexOf(": ") + 2));
                } else {
                    yaml.mistake(node, path + ": " + mistake);
                }
            }
            return Optional.empty();
        }
    }

    private Optional<String> textOf(String source, Node node, String path) {
        if (Recipes.names().contains(source)) {
            return Optional.of(Recipes.text(source));
        }
        try {
            Path file = beside.resolve(source);
            if (Files.isRegularFile(file)) {
                return Optional.of(textOf(file));
            }
            String near = Nearest.to(source, Recipes.names())
                    .map(name -> "; did you mean " + name + "?")
                    .orElse("");
            yaml.mistake(
                    node,
                    path,
                    "is " + StudyWriter.quoted(source)
                            + ", which is neither a built-in recipe nor a file beside this one" + near);
        } catch (IOException | IllegalArgumentException e) {
            yaml.mistake(node, path, "is " + StudyWriter.quoted(source) + ", which cannot be read: " + e.getMessage());
        }
        return Optional.empty();
    }

    private List<StudyMethod> methods(StudyYaml.Fields fields) {
        List<StudyMethod> found = new ArrayList<>();
        if (!fields.has("methods")) {
            for (TrainingMethod method : TrainingMethod.values()) {
                found.add(StudyMethod.plain(method));
            }
            return found;
        }
        int i = 0;
        for (Node node : fields.list("methods")) {
            String path = "methods[" + i++ + "]";
            if (node instanceof ScalarNode scalar) {
                method(scalar.getValue(), node, path).ifPresent(method -> found.add(StudyMethod.plain(method)));
            } else if (node instanceof MappingNode mapping) {
                var its = yaml.fields(mapping, path, List.of("method", "set", "sweep"));
                String name = its.text("method", null, null, "the name of a method");
                Map<String, String> set = its.values("set");
                Map<String, List<String>> sweep = its.lists("sweep");
                if (name != null) {
                    method(name, node, path + ".method")
                            .ifPresent(method -> found.add(new StudyMethod(method, set, sweep)));
                }
            } else {
                yaml.mistake(node, path, "must be the name of a method, or a group of fields (method, set, sweep)");
            }
        }
        if (found.isEmpty() && yaml.isEmpty()) {
            yaml.mistake(fields.node("methods"), "methods", "is empty; there must be at least one");
        }
        return found;
    }

    private Optional<TrainingMethod> method(String text, Node node, String path) {
        Optional<TrainingMethod> method = TrainingMethod.of(text);
        if (method.isEmpty()) {
            yaml.unknown(node, path, text, TrainingMethod.names());
        }
        return method;
    }

    private SearchSettings search(StudyYaml.Fields fields) {
        Optional<StudyYaml.Fields> group = fields.group(
                "search", "kind", List.of("kind", "seeds", "standard", "r", "alpha", "minEpochs", "eta", "samples"));
        if (group.isEmpty()) {
            return SearchSettings.NONE;
        }
        StudyYaml.Fields its = group.get();
        SearchSettings.Kind kind = SearchSettings.Kind.NONE;
        String text = its.text("kind", null, null, "the kind of search");
        List<String> kinds = new ArrayList<>();
        for (SearchSettings.Kind known : SearchSettings.Kind.values()) {
            kinds.add(known.text());
            if (known.text().equals(text)) {
                kind = known;
            }
        }
        boolean isKnown = kinds.contains(text);
        if (!isKnown) {
            kind = SearchSettings.Kind.GREEDY; // the other fields are looked at all the same
            if (text != null) {
                yaml.unknown(its.node("kind"), "search.kind", text, kinds);
            }
        }
        if (kind == SearchSettings.Kind.NONE) {
            its.refuseAllBut("kind", "means nothing without a search");
            return SearchSettings.NONE;
        }
        if (isKnown && kind != SearchSettings.Kind.ASHA) {
            its.refuse(List.of("minEpochs", "eta", "samples"), "belongs to kind: asha");
        }
        return new SearchSettings(
                kind,
                its.whole("seeds", 1, 1, MOST_SEEDS),
                its.lists("standard"),
                its.has("r") ? its.numbers("r") : SearchSettings.PAPER_R,
                its.has("alpha") ? its.numbers("alpha") : SearchSettings.PAPER_ALPHA,
                its.whole("minEpochs", 1, 1, 1_000_000),
                its.whole("eta", SearchSettings.DEFAULT_ETA, 2, 100),
                its.whole("samples", 0, 0, MOST_TRIALS));
    }

    /** Makes a recipe with each value that a stage or a row may have, to see whether it is one. */
    private void tryValues(Study study, StudyYaml.Fields fields) {
        SearchSettings search = study.search();
        Node searchNode = fields.node("search");
        Node methodsNode = fields.node("methods");
        for (Variant variant : study.variants()) {
            if (search.kind() == SearchSettings.Kind.ASHA && variant.base().epochs() == null) {
                yaml.mistake(
                        searchNode, "search.kind", "is asha, but the base recipe counts steps; it must have epochs");
                return;
            }
            search.standard()
                    .forEach((path, values) -> values.forEach(value -> tryValue(
                            variant, TrainingMethod.STANDARD, Map.of(path, value), searchNode, "search.standard")));
            search.r()
                    .forEach(value -> tryValue(
                            variant, TrainingMethod.SAM, Map.of(TrialRecipes.R, value), searchNode, "search.r"));
            search.alpha()
                    .forEach(value -> tryValue(
                            variant,
                            TrainingMethod.PENALTY,
                            Map.of(TrialRecipes.ALPHA, value),
                            searchNode,
                            "search.alpha"));
            for (StudyMethod method : study.methods()) {
                long rows =
                        method.sweep().values().stream().mapToLong(List::size).reduce(1, Math::multiplyExact);
                if (rows * study.seeds() > MOST_TRIALS) {
                    yaml.mistake(
                            methodsNode,
                            "methods",
                            "has a sweep of " + rows + " rows; a study has at most " + MOST_TRIALS + " trials");
                    return;
                }
                method.rows().forEach(settings -> tryValue(variant, method.method(), settings, methodsNode, "methods"));
            }
            if (!yaml.isEmpty()) {
                return; // the same values would be wrong in the other variants
            }
        }
        long grid = search.standard().values().stream().mapToLong(List::size).reduce(1, Math::multiplyExact)
                * Math.max(1, search.r().size())
                * Math.max(1, search.alpha().size());
        if (search.kind() != SearchSettings.Kind.GREEDY && grid * search.seeds() > MOST_TRIALS) {
            yaml.mistake(
                    searchNode,
                    "search",
                    "has a grid of " + grid + " combinations; a study has at most " + MOST_TRIALS + " trials");
        }
    }

    private void tryValue(
            Variant variant, TrainingMethod method, Map<String, String> settings, Node node, String path) {
        try {
            new TrialRecipes(TrialIds.asFound(Map.of()))
                    .trial(variant, method, settings, variant.base().seed(), EvaluateOn.VALIDATION, 0);
        } catch (ConfigException e) {
            for (String mistake : e.mistakes()) {
                yaml.mistake(
                        node,
                        path + ": " + (mistake.startsWith("-s: ") ? mistake.substring("-s: ".length()) : mistake));
            }
        }
    }
}
