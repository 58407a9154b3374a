package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/skipped}, by which a test that was skipped fails CI, on reports as Surefire writes them. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "it is a POSIX shell script")
class SkippedTestsIT {
    private static final String RAN = "  <testcase name=\"ran\" classname=\"io.polder.ATest\" time=\"0.0\"/>\n";

    @TempDir
    private Path directory;

    @Test
    void eachSkippedTestIsNamedWithItsReason() throws Exception {
        report("a/target", "TEST-A.xml", RAN);
        report("b/target", "TEST-B.xml", RAN + """
                  <testcase name="needsPython" classname="io.polder.BTest" time="0.0">
                    <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: no Python
                \tat org.junit.jupiter.api.Assumptions.assumeTrue(Assumptions.java:127)
                ]]></skipped>
                  </testcase>
                  <testcase name="" classname="io.polder.CTest" time="0.0">
                    <skipped message="Assumption failed: no Chromium" type="org.opentest4j.TestAbortedException"/>
                  </testcase>
                """);
        assertThat(skipped(1)).hasContent("""
                Skipped: io.polder.BTest.needsPython: no Python
                Skipped: io.polder.CTest: no Chromium
                """);
    }

    @Test
    void whereEveryTestRanThereIsNothingToSay() throws Exception {
        report("a/target", "TEST-A.xml", RAN);
        assertThat(skipped(0)).isEmptyFile();
    }

    @Test
    void noTestAtAllIsAFailureToo() throws Exception {
        assertThat(skipped(1)).content().startsWith("There are no reports of tests");
    }

    private void report(String folder, String name, String cases) throws IOException {
        Path reports = Files.createDirectories(directory.resolve(folder).resolve("surefire-reports"));
        Files.writeString(reports.resolve(name), "<testsuite tests=\"1\">\n" + cases + "</testsuite>\n");
    }

    private Path skipped(int exitCode) throws Exception {
        Path said = directory.resolve("said.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("polder.home"), ".ci", "skipped")
                                .toString(),
                        directory.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor()).isEqualTo(exitCode);
        return said;
    }
}
