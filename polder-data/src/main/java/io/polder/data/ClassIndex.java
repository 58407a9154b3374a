package io.polder.data;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.CharConversionException;
import java.io.IOException;
import java.util.ArrayList;
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
        if (file.length() > MOST_BYTES) {
            throw fault(tree, name);
        }
        TreeMap<Integer, String[]> classes = new TreeMap<>();
        try (JsonParser json = new JsonFactory().createParser(file.bytes(), 0, file.length())) {
            require(json.nextToken() == JsonToken.START_OBJECT, tree, name);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                require(json.currentName().matches("[0-9]{1,6}"), tree, name);
                int label = Integer.parseInt(json.currentName());
                require(json.nextToken() == JsonToken.START_ARRAY, tree, name);
                require(json.nextToken() == JsonToken.VALUE_STRING, tree, name);
                String folder = json.getText();
                require(json.nextToken() == JsonToken.VALUE_STRING, tree, name);
                require(classes.put(label, new String[] {folder, json.getText()}) == null, tree, name);
                require(json.nextToken() == JsonToken.END_ARRAY, tree, name);
            }
            require(json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null, tree, name);
        } catch (JsonProcessingException | CharConversionException e) { // the latter of what looks like UTF-32
            throw fault(tree, name);
        }
        require(!classes.isEmpty() && classes.lastKey() == classes.size() - 1, tree, name);
        List<String> folders = new ArrayList<>();
        List<String> names = new ArrayList<>();
        classes.values().forEach(pair -> {
            folders.add(pair[0]);
            names.add(pair[1]);
        });
        require(folders.stream().distinct().count() == folders.size(), tree, name);
        return new ClassIndex(folders, names, tree.display(name) + " does not have it");
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

    private static void require(boolean held, FileTree tree, String name) throws IOException {
        if (!held) {
            throw fault(tree, name);
        }
    }

    private static IOException fault(FileTree tree, String name) {
        return new IOException(
                tree.display(name)
                        + " is no class index: it must be {\"0\": [\"folder\", \"name\"], …} with every number once; mend or remove it");
    }
}
