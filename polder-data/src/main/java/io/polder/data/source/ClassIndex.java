package io.polder.data.source;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.CharConversionException;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which folder is which class: by the order of their names, or as a file says that lies beside them. */
final class ClassIndex {
    private static final int MOST_BYTES = 1 << 20;

    private final List<String> names;
    private final Map<String, Integer> labels;
    private final String advice;

    private ClassIndex(List<String> folders, List<String> names, String advice) {
        this.names = List.copyOf(names);
        this.labels = new HashMap<>();
        for (int label = 0; label < folders.size(); label++) {
            labels.put(folders.get(label), label);
        }
        this.advice = advice;
    }

    static ClassIndex ofFolders(List<String> folders) {
        return new ClassIndex(folders, folders, "train has no folder of that name");
    }

    /** {@code {"0": ["n01440764", "tench"], "1": …}}, in whatever order, every number from 0 on once. */
    static ClassIndex read(FileTree tree, String name) throws IOException {
        var file = new FileBytes();
        tree.read(name, file);
        ObjectMapper mapper = new ObjectMapper()
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        boolean sound = file.length() <= MOST_BYTES;
        TreeMap<Integer, JsonNode> classes = new TreeMap<>();
        try {
            JsonNode json = sound ? mapper.readTree(file.bytes(), 0, file.length()) : mapper.missingNode();
            sound = json.isObject();
            for (var field : json.properties()) {
                JsonNode pair = field.getValue();
                sound &= field.getKey().matches("[0-9]{1,6}")
                        && pair.size() == 2
                        && pair.path(0).isTextual()
                        && pair.path(1).isTextual()
                        && classes.put(Integer.parseInt(field.getKey()), pair) == null;
            }
        } catch (JsonProcessingException | CharConversionException e) { // the latter of what looks like UTF-32
            sound = false;
        }
        List<String> folders = texts(classes, 0);
        sound &= !classes.isEmpty() && classes.lastKey() == classes.size() - 1;
        if (!sound || folders.stream().distinct().count() < folders.size()) {
            throw new IOException(
                    tree.display(name)
                            + " is no class index: it must be {\"0\": [\"folder\", \"name\"], …} with every number once; mend or remove it");
        }
        return new ClassIndex(folders, texts(classes, 1), tree.display(name) + " does not have it");
    }

    private static List<String> texts(TreeMap<Integer, JsonNode> classes, int position) {
        return classes.values().stream()
                .map(pair -> pair.get(position).textValue())
                .toList();
    }

    List<String> names() {
        return names;
    }

    Optional<Integer> label(String folder) {
        return Optional.ofNullable(labels.get(folder));
    }

    /** Why a folder may be no class. */
    String advice() {
        return advice;
    }
}
