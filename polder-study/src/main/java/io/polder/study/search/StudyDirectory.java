package io.polder.study.search;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.polder.config.ConfigException;
import io.polder.files.CheckedJson;
import io.polder.files.Sha256;
import io.polder.files.WholeFile;
import io.polder.study.results.StudyResult;
import io.polder.study.trial.TrialIds;
import io.polder.study.trial.TrialStore;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where a study lives: {@code study.yaml}, with its recipes written out, {@code study.json}, which says where the store is, what the
 * data was and which study it is, with a checksum, and the reports. The trials themselves are in the store, by default in the same directory.
 */
public final class StudyDirectory {
    private static final String STUDY = "study.yaml";
    private static final String FACTS = "study.json";
    private static final String STORE = "store";
    private static final String CONTENTS = "contents";
    private static final String STUDY_SHA256 = "studySha256";
    private static final String AGAIN = " start the study again, finished trials are kept";
    /** In an order of its own, so that the same study is the same bytes. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private final Path path;
    private final Study study;
    private final TrialStore store;
    private final TrialIds ids;

    private StudyDirectory(Path path, Study study, TrialStore store, TrialIds ids) {
        this.path = path;
        this.study = study;
        this.store = store;
        this.ids = ids;
    }

    /**
     * Prepares a directory for a study, or for going on with it. A study that was there and has changed since is replaced.
     *
     * @param data where the images are; empty: where the recipes say, or bundled. They are looked at before anything is written
     */
    public static StudyDirectory create(Path path, Study study, Path store, Optional<Path> data) throws IOException {
        TrialIds ids = TrialIds.lookingAt(data);
        try {
            new Planner(study, ids).nameAll();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        String yaml = study.toYaml();
        WholeFile.write(path.resolve(STUDY), yaml);
        // Relative where it is inside, so that the directory can be moved.
        Path home = path.toAbsolutePath().normalize();
        Path place = store.toAbsolutePath().normalize();
        String where = place.startsWith(home) ? home.relativize(place).toString() : place.toString();
        String facts =
                JSON.writeValueAsString(Map.of(STORE, where, CONTENTS, ids.found(), STUDY_SHA256, Sha256.of(yaml)));
        WholeFile.write(path.resolve(FACTS), CheckedJson.with(facts) + "\n");
        return new StudyDirectory(path, study, new TrialStore(store), ids);
    }

    /** @throws IOException if no study was started there: a sentence with the directory */
    public static StudyDirectory open(Path path) throws IOException {
        Path file = path.resolve(STUDY);
        if (!Files.isRegularFile(file) || !Files.isRegularFile(path.resolve(FACTS))) {
            throw new IOException(
                    path + " holds no study: name the directory that ./polder study was given with --out");
        }
        JsonNode facts = facts(path.resolve(FACTS));
        // Both decide what is shown. An older version recorded no checksums.
        if (facts.has(STUDY_SHA256) && !facts.get(STUDY_SHA256).asText().equals(Sha256.of(file))) {
            throw new IOException(file + " is not the study that was started there (its checksum is another):" + AGAIN);
        }
        Map<String, String> contents = new TreeMap<>();
        facts.path(CONTENTS)
                .properties()
                .forEach(it -> contents.put(it.getKey(), it.getValue().asText()));
        Path store = path.resolve(facts.get(STORE).textValue());
        try {
            return new StudyDirectory(path, StudyFile.read(file), new TrialStore(store), TrialIds.asFound(contents));
        } catch (ConfigException e) {
            throw new IOException(
                    path + " is damaged (" + e.getMessage().lines().findFirst().orElse("") + "):" + AGAIN, e);
        }
    }

    private static JsonNode facts(Path file) throws IOException {
        Throwable cause = null;
        try {
            byte[] json = Files.readAllBytes(file);
            JsonNode facts = JSON.readTree(json);
            if (facts.path(STORE).isTextual()) {
                Path.of(facts.get(STORE).textValue());
                requireChecksum(json, file);
                return facts;
            }
        } catch (JsonProcessingException | CharConversionException | InvalidPathException e) {
            cause = e;
        }
        throw new IOException(file + " does not say where the store is:" + AGAIN, cause);
    }

    private static void requireChecksum(byte[] json, Path file) throws IOException {
        try {
            CheckedJson.verify(json, STORE, CONTENTS);
        } catch (IOException e) {
            throw new IOException(file + " is damaged (" + e.getMessage() + "):" + AGAIN, e);
        }
    }

    public Path path() {
        return path;
    }

    public Study study() {
        return study;
    }

    public TrialStore store() {
        return store;
    }

    /** What names its trials. */
    public TrialIds ids() {
        return ids;
    }

    /** What to know before anything is trained, in sentences. */
    public List<String> cautions() {
        List<String> cautions = new ArrayList<>(study.cautions(ids));
        // By the recipe alone, as an earlier version named them: nobody knows of what data they are.
        long earlier = new Planner(study, ids)
                .plan(id -> Optional.empty()).trials().stream()
                        .filter(trial -> !trial.id().equals(trial.recipe().hash()))
                        .filter(trial -> store.outcome(trial.recipe().hash()).isPresent())
                        .count();
        if (earlier > 0) {
            cautions.add(store.path() + " has " + earlier + (earlier == 1 ? " trial" : " trials")
                    + " of this study from a version that did not record what their data was:"
                    + " as it may have been other data, they are trained anew");
        }
        return cautions;
    }

    /** What the study has come to, from its file and its store alone; also while it runs. */
    public StudyResult result() {
        var planner = new Planner(study, ids);
        // What is wanted in any case is read on several threads; the store remembers it.
        store.outcomes(planner.plan(id -> Optional.empty()).trials().stream()
                .map(Trial::id)
                .toList());
        return planner.plan(store::outcome).result();
    }
}
