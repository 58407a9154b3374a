package io.polder.study.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study whose files are not what was written. */
class DamagedStudyTest {
    @TempDir
    private Path folder;

    @Test
    void factsThatNameNoStoreAreOneSentenceWithTheFile() throws IOException {
        Files.writeString(folder.resolve("study.yaml"), StudyTexts.study("").toYaml());
        Path facts = folder.resolve("study.json");
        for (String text :
                new String[] {"", "{", "[]", "{\"store\": 1}", "{\"store\": \"a\\u0000b\"}", "sto\0\0", "\u00ff"}) {
            Files.write(facts, text.getBytes(StandardCharsets.ISO_8859_1));
            assertThatThrownBy(() -> StudyDirectory.open(folder))
                    .as(text)
                    .isInstanceOf(IOException.class)
                    .hasMessage(facts
                            + " does not say where the store is: start the study again, finished trials are kept");
        }
    }

    @Test
    void aMistakeQuotesNoWholeFile() {
        String text = "name: a\nbase: \"" + "long ".repeat(10_000) + "\"\n";
        var refusal = catchThrowableOfType(StudyException.class, () -> StudyFile.read(text, "a.yaml", folder));
        assertThat(refusal.mistakes()).singleElement().satisfies(mistake -> {
            assertThat(mistake).startsWith("a.yaml:2: base: is \"long ").endsWith("a file beside this one");
            assertThat(mistake).hasSizeLessThan(1000);
        });
    }
}
