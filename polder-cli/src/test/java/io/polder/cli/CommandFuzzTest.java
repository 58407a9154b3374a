package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.polder.fuzz.Fuzz;
import io.polder.recipe.Recipes;
import io.polder.study.search.StudyDirectory;
import io.polder.study.search.StudyFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on damaged files: an exit code that is documented and, unless it is 0, sentences on the screen. */
@Tag("slow")
class CommandFuzzTest {
    @TempDir
    private Path directory;

    private Path folder;

    @BeforeEach
    void real() throws IOException {
        folder = directory.toRealPath();
    }

    @Test
    void reportsOfAStudy() throws Exception {
        Path study = folder.resolve("study");
        String text = "name: sample\nbase: quick-fashion\nset: { data.validation: 400 }\nseeds: 2\n";
        StudyDirectory.create(study, StudyFile.read(text, "sample.yaml", folder), study, Optional.empty());
        for (String name : new String[] {"study.yaml", "study.json"}) {
            Path file = study.resolve(name);
            byte[] good = Files.readAllBytes(file);
            Fuzz.of("report of a study with a damaged " + name, good)
                    .oneCaseOf(10)
                    .refusedBy()
                    .run(bytes -> {
                        Files.write(file, bytes);
                        return run("report", study.toString());
                    });
            Files.write(file, good);
        }
    }

    @Test
    void recipesShown() throws Exception {
        Path file = folder.resolve("recipe.yaml");
        byte[] good = Recipes.text("quick-fashion").getBytes(StandardCharsets.UTF_8);
        Fuzz.of("recipes with a damaged file", good).oneCaseOf(10).refusedBy().run(bytes -> {
            Files.write(file, bytes);
            return run("recipes", file.toString());
        });
    }

    /** A revision, or that there is none: a repository that git cannot read stops no training. */
    @Test
    void revisions() throws Exception {
        Path git = Files.createDirectories(folder.resolve("repository/.git"));
        for (String name : new String[] {"objects", "refs/heads"}) {
            Files.createDirectories(git.resolve(name));
        }
        Files.writeString(git.resolve("config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
        Path head = git.resolve("HEAD");
        String before = System.getProperty("polder.home");
        System.setProperty("polder.home", git.getParent().toString());
        try {
            Fuzz.of("HEAD of a repository", "ref: refs/heads/main\n".getBytes(StandardCharsets.UTF_8))
                    .oneCaseOf(60)
                    .refusedBy()
                    .run(bytes -> {
                        Files.write(head, bytes);
                        String revision = GitRevision.ofPolder();
                        assertThat(revision).matches("unknown|[0-9a-f]{40}(-changed)?");
                        return revision;
                    });
        } finally {
            if (before == null) {
                System.clearProperty("polder.home");
            } else {
                System.setProperty("polder.home", before);
            }
        }
    }

    private static int run(String... arguments) {
        var output = new StringWriter();
        var errors = new StringWriter();
        int code = Main.run(new PrintWriter(output), new PrintWriter(errors), arguments);
        assertThat(code).isIn(0, Main.FAILED, Main.WRONG_USE);
        if (code == 0) {
            assertThat(errors.toString()).isEmpty();
        } else {
            assertThat(errors.toString().lines())
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith("polder: ") && !line.contains("Exception"));
        }
        return code;
    }
}
