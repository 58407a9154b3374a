package io.polder.study.search;

import io.polder.text.Nearest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** The YAML of a study file, with its lines, and the mistakes found in it so far. */
final class StudyYaml {
    private static final Pattern NUMBER =
            Pattern.compile("[-+]?([0-9]{1,40}(\\.[0-9]{0,40})?|\\.[0-9]{1,40})([eE][-+]?[0-9]{1,5})?");
    private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]{1,9}");
    private static final Pattern PATH = Pattern.compile("[A-Za-z][A-Za-z0-9]*(\\.[A-Za-z][A-Za-z0-9]*)*");
    private static final Pattern PLAIN_ANYWHERE = Pattern.compile("[A-Za-z0-9._+/~-]*");
    private static final int DEEPEST = 16;
    private static final int MOST_MISTAKES = 100;
    private static final int LONGEST_MISTAKE = 800;

    private record Mistake(int line, String text) {}

    private final String fileName;
    private final Set<Mistake> mistakes = new LinkedHashSet<>();

    StudyYaml(String fileName) {
        this.fileName = fileName;
    }

    Optional<MappingNode> parse(String text) {
        try {
            var settings = LoadSettings.builder().setLabel(fileName).build();
            Optional<Node> node = new Compose(settings).composeString(text);
            if (node.isPresent() && node.get() instanceof MappingNode mapping) {
                refuseReferences(mapping, 0);
                return isEmpty() ? Optional.of(mapping) : Optional.empty();
            }
            mistake(node.orElse(null), "is no study; it must be a group of fields, name and base among them");
        } catch (MarkedYamlEngineException e) {
            int line =
                    e.getProblemMark().or(e::getContextMark).map(Mark::getLine).orElse(0) + 1;
            add(line, "is no YAML: " + firstLine(e.getProblem()));
        } catch (YamlEngineException | StackOverflowError e) {
            add(1, "is no YAML: " + firstLine(e.getMessage()));
        }
        return Optional.empty();
    }

    /** A study is written out, so that it means what it says and no small file can grow into a large one. */
    private void refuseReferences(Node node, int depth) {
        if (depth > DEEPEST) {
            mistake(node, "is nested deeper than " + DEEPEST + " levels, which no study is");
        } else if (node.getAnchor().isPresent()) {
            mistake(node, "has an anchor (&); a study is written out, so that it means what it says");
        } else if (node instanceof MappingNode mapping) {
            for (NodeTuple entry : mapping.getValue()) {
                refuseReferences(entry.getKeyNode(), depth + 1);
                refuseReferences(entry.getValueNode(), depth + 1);
            }
        } else if (node instanceof SequenceNode sequence) {
            sequence.getValue().forEach(item -> refuseReferences(item, depth + 1));
        }
    }

    void mistake(Node node, String path, String sentence) {
        mistake(node, (path.isEmpty() ? "" : path + ": ") + sentence);
    }

    void mistake(Node node, String sentence) {
        add(node == null ? 1 : node.getStartMark().map(Mark::getLine).orElse(0) + 1, sentence);
    }

    void unknown(Node node, String path, String text, List<String> known) {
        String near = Nearest.to(text, known)
                .map(name -> "; did you mean " + name + "?")
                .orElse("");
        mistake(node, path, "is " + StudyWriter.quoted(text) + "; it must be " + either(known) + near);
    }

    private void add(int line, String sentence) {
        mistakes.add(new Mistake(line, fileName + ":" + line + ": " + shortened(sentence)));
    }

    /** What is quoted of a file may be as long as the file: what and where are at the beginning, what to do at the end. */
    private static String shortened(String sentence) {
        return sentence.length() <= LONGEST_MISTAKE
                ? sentence
                : sentence.substring(0, LONGEST_MISTAKE / 2) + "…"
                        + sentence.substring(sentence.length() - LONGEST_MISTAKE / 2);
    }

    boolean isEmpty() {
        return mistakes.isEmpty();
    }

    void throwIfAny() {
        if (!mistakes.isEmpty()) {
            List<String> told = new ArrayList<>(mistakes.stream()
                    .sorted(Comparator.comparingInt(Mistake::line))
                    .limit(MOST_MISTAKES)
                    .map(Mistake::text)
                    .toList());
            if (mistakes.size() > told.size()) {
                told.add(String.format(
                        Locale.ROOT, "%s: and %,d more mistakes", fileName, mistakes.size() - told.size()));
            }
            throw new StudyException(told);
        }
    }

    /** The entries of a mapping; those not known are mistakes. */
    Fields fields(MappingNode mapping, String path, List<String> known) {
        Map<String, Node> byName = new LinkedHashMap<>();
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                mistake(entry.getKeyNode(), path, "has a list or a mapping where the name of a field belongs");
            } else if (!known.contains(key.getValue())) {
                String near = Nearest.to(key.getValue(), known)
                        .map(name -> "; did you mean " + name + "?")
                        .orElse("; there are " + either(known));
                mistake(key, join(path, key.getValue()), "is no field of a study" + near);
            } else if (byName.put(key.getValue(), entry.getValueNode()) != null) {
                mistake(key, join(path, key.getValue()), "is there a second time");
            }
        }
        return new Fields(mapping, path, byName);
    }

    /** Fields of one mapping. A field that is wrong is noted and read as its default. */
    final class Fields {
        private final MappingNode mapping;
        private final String path;
        private final Map<String, Node> byName;

        private Fields(MappingNode mapping, String path, Map<String, Node> byName) {
            this.mapping = mapping;
            this.path = path;
            this.byName = byName;
        }

        boolean has(String name) {
            return byName.containsKey(name);
        }

        /** The mapping itself if the field is not there: mistakes then have a place all the same. */
        Node node(String name) {
            return byName.getOrDefault(name, mapping);
        }

        /**
         * @param fallback null: it must be there
         * @param pattern null: any text of one line
         */
        String text(String name, String fallback, Pattern pattern, String expected) {
            if (!has(name)) {
                if (fallback == null) {
                    mistake(mapping, join(path, name), "is missing; it must be " + expected);
                }
                return fallback;
            }
            boolean isText = node(name) instanceof ScalarNode scalar
                    && scalar.getValue().codePoints().noneMatch(Character::isISOControl)
                    && scalar.getValue().length() <= 1000
                    && (pattern == null
                            || scalar.getValue().isEmpty() && "".equals(fallback)
                            || pattern.matcher(scalar.getValue()).matches());
            if (!isText) {
                mistake(node(name), join(path, name), "must be " + expected);
                return fallback;
            }
            return ((ScalarNode) node(name)).getValue();
        }

        int whole(String name, int fallback, int least, int most) {
            if (!has(name)) {
                return fallback;
            }
            if (node(name) instanceof ScalarNode scalar
                    && WHOLE.matcher(scalar.getValue()).matches()) {
                int value = Integer.parseInt(scalar.getValue());
                if (value >= least && value <= most) {
                    return value;
                }
            }
            mistake(
                    node(name),
                    join(path, name),
                    "is " + shown(node(name)) + "; it must be a whole number from " + least + " to " + most);
            return fallback;
        }

        List<Node> list(String name) {
            if (node(name) instanceof SequenceNode sequence) {
                return sequence.getValue();
            }
            mistake(node(name), join(path, name), "must be a list");
            return List.of();
        }

        /** Numbers as they are written. */
        List<String> numbers(String name) {
            List<String> found = new ArrayList<>();
            for (Node item : list(name)) {
                if (item instanceof ScalarNode scalar
                        && NUMBER.matcher(scalar.getValue()).matches()) {
                    found.add(scalar.getValue());
                } else {
                    mistake(item, join(path, name), "has " + shown(item) + "; it must have numbers");
                }
            }
            return found;
        }

        /** Paths of a recipe with values in YAML. */
        Map<String, String> values(String name) {
            Map<String, String> found = new LinkedHashMap<>();
            paths(name).forEach((key, value) -> found.put(key, flow(value)));
            return found;
        }

        /** Paths of a recipe with lists of values in YAML. */
        Map<String, List<String>> lists(String name) {
            Map<String, List<String>> found = new LinkedHashMap<>();
            paths(name).forEach((key, value) -> {
                if (value instanceof SequenceNode sequence
                        && !sequence.getValue().isEmpty()) {
                    found.put(
                            key,
                            sequence.getValue().stream().map(StudyYaml::flow).toList());
                } else {
                    mistake(value, join(path, name) + "." + key, "must be a list of at least one value");
                }
            });
            return found;
        }

        private Map<String, Node> paths(String name) {
            Map<String, Node> found = new LinkedHashMap<>();
            if (!has(name)) {
                return found;
            }
            if (!(node(name) instanceof MappingNode its)) {
                mistake(
                        node(name),
                        join(path, name),
                        "must be paths of the recipe with values, such as { data.batch: 64 }");
                return found;
            }
            for (NodeTuple entry : its.getValue()) {
                if (!(entry.getKeyNode() instanceof ScalarNode key)
                        || !PATH.matcher(key.getValue()).matches()) {
                    mistake(
                            entry.getKeyNode(),
                            join(path, name),
                            "has " + shown(entry.getKeyNode()) + "; it must have paths such as data.batch");
                } else if (found.put(key.getValue(), entry.getValueNode()) != null) {
                    mistake(key, join(path, name) + "." + key.getValue(), "is there a second time");
                }
            }
            return found;
        }

        /** A group; a text by itself is short for one of its fields. */
        Optional<Fields> group(String name, String shorthand, List<String> known) {
            if (!has(name)) {
                return Optional.empty();
            }
            if (node(name) instanceof MappingNode its) {
                return Optional.of(fields(its, join(path, name), known));
            }
            if (node(name) instanceof ScalarNode) {
                return Optional.of(new Fields(mapping, join(path, name), Map.of(shorthand, node(name))));
            }
            mistake(node(name), join(path, name), "must be a group of fields (" + String.join(", ", known) + ")");
            return Optional.empty();
        }

        void refuse(List<String> names, String why) {
            names.stream()
                    .filter(this::has)
                    .forEach(name -> mistake(node(name), join(path, name), why + "; take it out"));
        }

        void refuseAllBut(String name, String why) {
            refuse(byName.keySet().stream().filter(other -> !other.equals(name)).toList(), why);
        }
    }

    /** As YAML on one line. */
    static String flow(Node node) {
        if (node instanceof ScalarNode scalar) {
            // Inside a list or a mapping a comma or a brace would end it.
            boolean isPlain = scalar.getScalarStyle() == ScalarStyle.PLAIN
                    && PLAIN_ANYWHERE.matcher(scalar.getValue()).matches();
            return isPlain ? scalar.getValue() : StudyWriter.quoted(scalar.getValue());
        } else if (node instanceof MappingNode mapping) {
            return mapping.getValue().stream()
                    .map(entry -> flow(entry.getKeyNode()) + ": " + flow(entry.getValueNode()))
                    .collect(Collectors.joining(", ", "{", "}"));
        } else {
            return ((SequenceNode) node)
                    .getValue().stream().map(StudyYaml::flow).collect(Collectors.joining(", ", "[", "]"));
        }
    }

    private static String shown(Node node) {
        String text = flow(node);
        return text.length() > 60 ? text.substring(0, 60) + "…" : text;
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static String either(List<String> names) {
        int last = names.size() - 1;
        return last == 0 ? names.get(0) : String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }

    private static String firstLine(String text) {
        return text == null ? "it cannot be read" : text.lines().findFirst().orElse("it cannot be read");
    }
}
