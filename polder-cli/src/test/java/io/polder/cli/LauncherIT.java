package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./polder}, the shell script, as a newcomer starts it. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a POSIX shell script")
class LauncherIT {
    private static final Path HOME = Path.of(System.getProperty("polder.home"));

    @TempDir
    private Path directory;

    private record Outcome(int exitCode, String output, String errors) {}

    @Test
    @Tag("slow")
    void buildsOnFirstUseStartsAtOnceAfterwardsAndRebuildsWhenASourceIsNewer() throws Exception {
        Path clone = copyOfTheProject(directory.resolve("a path with spaces"));
        String launcher = clone.resolve("polder").toString();

        var first = run(Map.of(), launcher, "--version");
        assertThat(first.exitCode()).as(first.errors()).isZero();
        assertThat(first.errors()).startsWith("Building Polder").hasLineCount(1);
        assertThat(first.output()).startsWith("polder 0.");

        var second = run(Map.of(), launcher, "--version");
        assertThat(second.errors()).isEmpty();
        assertThat(second.output()).isEqualTo(first.output());

        Path source = clone.resolve("polder-cli/src/main/java/io/polder/cli/Main.java");
        Files.writeString(source, "this is not Java", StandardOpenOption.APPEND);
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(2)));
        var broken = run(Map.of(), launcher, "--version");
        assertThat(broken.exitCode()).isEqualTo(1);
        assertThat(broken.errors()).contains("Main.java", "polder: the build failed, see above");
    }

    @Test
    void worksFromAnyDirectoryAndThroughALink() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("linked"), HOME.resolve("polder"));
        assertThat(run(Map.of(), link.toString(), "--version").output()).startsWith("polder 0.");
        Path project = Files.createSymbolicLink(directory.resolve("with spaces"), HOME);
        assertThat(run(Map.of(), project.resolve("polder").toString(), "--version")
                        .output())
                .startsWith("polder 0.");
    }

    @Test
    void saysWhatIsMissingWithoutJava() throws Exception {
        var outcome = run(Map.of("PATH", toolsWithoutJava().toString(), "JAVA_HOME", ""), launcher(), "--version");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .startsWith("polder: no Java was found: install a JDK 17 or newer")
                .hasLineCount(1);
    }

    @Test
    void saysWhatIsMissingWithAnOldJava() throws Exception {
        Path old = Files.createDirectories(directory.resolve("old java"));
        Files.createDirectory(old.resolve("bin"));
        Files.createFile(
                old.resolve("bin/java"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        var outcome = run(Map.of("JAVA_HOME", old.toString()), launcher(), "--version");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors())
                .contains("is Java 11: install a JDK 17 or newer")
                .hasLineCount(1);
    }

    @Test
    void saysWhatIsMissingWithoutMaven() throws Exception {
        Path clone = copyOfTheProject(directory.resolve("unbuilt"));
        var outcome = run(
                Map.of("PATH", toolsWithoutJava().toString(), "JAVA_HOME", System.getProperty("java.home")),
                clone.resolve("polder").toString(),
                "--version");
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.errors()).startsWith("polder: Maven was not found").hasLineCount(1);
    }

    /** What its speed depends on: one Java, which loads nothing of the engine and few classes that Java has not prepared itself. */
    @Test
    void helpStartsOneJavaThatLoadsLittle() throws Exception {
        run(Map.of(), launcher(), "--version"); // built, if that is still to do
        Path logs = Files.createDirectory(directory.resolve("logs"));
        var help = run(
                Map.of("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + logs.resolve("%p.log")), launcher(), "--help");
        assertThat(help.exitCode()).isZero();
        List<Path> javas = filesBelow(logs);
        assertThat(javas).as("a log of each Java that was started").hasSize(1);
        List<String> classes = Files.readAllLines(javas.get(0));
        assertThat(classes)
                .noneMatch(line -> line.contains(" org.bytedeco."))
                .noneMatch(line -> line.contains(" com.fasterxml."))
                .noneMatch(line -> line.contains(" org.snakeyaml."));
        // 240 of them today, 185 of which are picocli's; with what prints a JSON or reads a recipe they would be many
        // hundred.
        assertThat(classes).filteredOn(line -> line.contains("source: file:")).hasSizeBetween(100, 300);
    }

    @Test
    void pathsMayHaveAnyNameWhateverTheLocale() throws Exception {
        Path recipe = Files.createDirectory(directory.resolve("données")).resolve("é α.yaml");
        Files.writeString(recipe, "epochs: many\n");
        for (String locale : List.of("C", "POSIX", "C.UTF-8", "one_THAT.is_not_installed")) {
            var read = run(Map.of("LC_ALL", locale), launcher(), "train", "données/é α.yaml");
            assertThat(read.errors()).as(locale).contains("données/é α.yaml:1: ");
            assertThat(read.exitCode()).isEqualTo(2);
            var made = run(Map.of("LC_ALL", locale), launcher(), "compare", "--out", "été", "--data", "données");
            assertThat(made.errors())
                    .as(locale)
                    .startsWith("polder: ")
                    .contains("données")
                    .hasLineCount(1);
        }
    }

    private static String launcher() {
        return HOME.resolve("polder").toString();
    }

    private Outcome run(Map<String, String> environment, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", "");
        Path errors = Files.createTempFile(directory, "errors", "");
        var builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(15, TimeUnit.MINUTES)).isTrue();
        return new Outcome(process.exitValue(), Files.readString(output), Files.readString(errors));
    }

    /** What a clone would have: the sources, and nothing that was built. */
    private static Path copyOfTheProject(Path target) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String part : List.of("pom.xml", "polder", "tools", ".mvn")) {
            files.addAll(filesBelow(HOME.resolve(part)));
        }
        for (String module : List.of(
                "polder-core",
                "polder-data",
                "polder-train",
                "polder-study",
                "polder-cli",
                "polder-spark",
                "polder-bench")) {
            files.add(HOME.resolve(module).resolve("pom.xml"));
            files.addAll(filesBelow(HOME.resolve(module).resolve("src/main")));
        }
        files.add(HOME.resolve("examples/pom.xml")); // which the build reads, too
        for (Path file : files) {
            Path copy = target.resolve(HOME.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
        return target;
    }

    private static List<Path> filesBelow(Path path) throws IOException {
        try (var files = Files.walk(path)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /** A PATH with what a POSIX system always has, and neither Java nor Maven. */
    private Path toolsWithoutJava() throws IOException {
        Path tools = Files.createDirectories(directory.resolve("tools"));
        for (String tool : List.of("sh", "dirname", "readlink", "sed", "find", "head", "cat", "stty", "mktemp", "rm")) {
            Path installed = Path.of("/usr/bin", tool);
            Files.createSymbolicLink(tools.resolve(tool), Files.exists(installed) ? installed : Path.of("/bin", tool));
        }
        return tools;
    }
}
