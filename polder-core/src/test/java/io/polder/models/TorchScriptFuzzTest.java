package io.polder.models;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damaged TorchScript files, whose archive has checksums: the same network, or one sentence that names the file. In a process of its
 * own, as a program that the engine cannot bear may end it; {@code -Dpolder.fuzz.seed=… -Dpolder.fuzz.case=…} repeats a case.
 */
@Tag("slow")
class TorchScriptFuzzTest {
    private static final long SEED = Long.getLong("polder.fuzz.seed", 20261116);
    private static final int CASES = Integer.getInteger("polder.fuzz.cases", 3_000);
    private static final int ONE_CASE = Integer.getInteger("polder.fuzz.case", -1);

    @TempDir
    private Path directory;

    @Test
    void aDamagedFileIsToldAndEndsNoProcess() throws Exception {
        Path good = Path.of(getClass().getResource("/torchscript/tiny.ts").toURI());
        Path damaged = directory.resolve("damaged.ts");
        String expected = LoadsScripts.outcome(good);
        assertThat(expected).startsWith("read ");
        int first = Math.max(0, ONE_CASE);
        int end = ONE_CASE < 0 ? CASES : ONE_CASE + 1;
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:ErrorFile=" + directory.resolve("crash"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoadsScripts.class.getName(),
                        good.toString(),
                        damaged.toString(),
                        Long.toString(SEED),
                        Integer.toString(first),
                        Integer.toString(end))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String last = "none";
        int refused = 0;
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.matches("\\d+")) {
                    last = line;
                } else {
                    refused += line.startsWith("refused ") ? 1 : 0;
                    assertThat(line.equals(expected)
                                    || line.startsWith("refused " + damaged) && line.indexOf('?') < 0
                                    || line.startsWith("refused the TorchScript network "))
                            .as("-Dpolder.fuzz.seed=%d -Dpolder.fuzz.case=%s: %s", SEED, last, line)
                            .isTrue();
                }
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor())
                .as("-Dpolder.fuzz.seed=%d -Dpolder.fuzz.case=%s", SEED, last)
                .isZero();
        assertThat(last).isEqualTo(Integer.toString(end - 1));
        assertThat(refused).isPositive();
    }
}
