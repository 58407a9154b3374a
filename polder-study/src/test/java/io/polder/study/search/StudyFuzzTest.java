package io.polder.study.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.config.ConfigException;
import io.polder.fuzz.Fuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damaged studies: one that reads back as itself, or its mistakes, each in a sentence that names the file. */
@Tag("slow")
class StudyFuzzTest {
    private static final String MORE = """
            title: A study
            methods: [standard, { method: sam, set: { scheme.perturbation: adaptive }, sweep: { scheme.r: [0.1, 0.2] } }]
            seeds: 3
            """;
    private static final String SEARCH =
            "search: { kind: asha, r: [0.1, 0.2], alpha: [0.4], minEpochs: 2 }\nseeds: 2\n";

    @TempDir
    private Path directory;

    @Test
    void studyFiles() throws Exception {
        Path file = directory.resolve("study.yaml");
        byte[][] seeds = Stream.of(StudyTexts.text(MORE), StudyTexts.text(SEARCH), Studies.text("smoke"))
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        Fuzz.of("study.yaml", seeds)
                .oneCaseOf(2)
                .refusedBy(IOException.class, ConfigException.class)
                .listing()
                .naming(file)
                .run(bytes -> {
                    Study study = StudyFile.read(Files.write(file, bytes));
                    assertThat(StudyFile.read(study.toYaml(), "again", directory)
                                    .toYaml())
                            .isEqualTo(study.toYaml());
                    return study.name();
                });
    }

    /** No checksum: it may say that the store is elsewhere. */
    @Test
    void directoriesOfStudies() throws Exception {
        Path study = directory.resolve("study");
        StudyDirectory.create(study, StudyTexts.study(MORE), study, Optional.empty());
        for (String name : new String[] {"study.json", "study.yaml"}) {
            Path file = study.resolve(name);
            byte[] good = Files.readAllBytes(file);
            Fuzz.of(name + " of a directory", good)
                    .oneCaseOf(name.endsWith("json") ? 1 : 6)
                    .naming(study)
                    .run(bytes -> {
                        Files.write(file, bytes);
                        return StudyDirectory.open(study).store().path();
                    });
            Files.write(file, good);
        }
    }
}
