package io.polder.study.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polder.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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

    /** Another store, or other data, would show other trials. */
    @Test
    void anyChangeOfTheFactsIsFoundOut() throws IOException {
        create();
        Path facts = folder.resolve("study.json");
        String text = Files.readString(facts);
        Files.writeString(facts, text.replace("\"store\":\"trials", "\"store\":\"trialz"));
        assertThat(Files.readString(facts)).isNotEqualTo(text);
        assertThatThrownBy(() -> StudyDirectory.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(facts + " is damaged (it does not match its checksum): start the study again,"
                        + " finished trials are kept");
    }

    @Test
    void anyChangeOfTheStudyIsFoundOut() throws IOException {
        create();
        Path file = folder.resolve("study.yaml");
        String text = Files.readString(file);
        Files.writeString(file, text.replaceFirst("seeds: \\d+", "seeds: 9"));
        assertThat(Files.readString(file)).isNotEqualTo(text);
        assertThatThrownBy(() -> StudyDirectory.open(folder))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " is not the study that was started there (its checksum is another):"
                        + " start the study again, finished trials are kept");
        create(); // as that does
        assertThat(StudyDirectory.open(folder).study()).isNotNull();
    }

    /** Their order was anybody's guess. */
    @Test
    void factsOfAnOlderVersionAreRead() throws IOException {
        create();
        for (String old :
                new String[] {"{\"store\":\"here\",\"contents\":{}}", "{\"contents\":{},\"store\":\"here\"}"}) {
            Files.writeString(folder.resolve("study.json"), old);
            assertThat(StudyDirectory.open(folder).store().path()).isEqualTo(folder.resolve("here"));
        }
    }

    private void create() throws IOException {
        StudyDirectory.create(folder, StudyTexts.study(""), folder.resolve("trials-of-it"), Optional.empty());
    }

    @Test
    void aMistakeQuotesNoWholeFile() {
        String text = "name: a\nbase: \"" + "long ".repeat(10_000) + "\"\n";
        var refusal = catchThrowableOfType(ConfigException.class, () -> StudyFile.read(text, "a.yaml", folder));
        assertThat(refusal.mistakes()).singleElement().satisfies(mistake -> {
            assertThat(mistake).startsWith("a.yaml:2: base: is \"long ").endsWith("a file beside this one");
            assertThat(mistake).hasSizeLessThan(1000);
        });
    }
}
