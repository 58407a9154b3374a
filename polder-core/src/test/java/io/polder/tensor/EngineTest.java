package io.polder.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineTest {
    private final int before = Engine.threads();

    @AfterEach
    void putBack() {
        Engine.setThreads(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 1})
    void oneCallSetsTheThreadsOfLoopsAndOfProducts(int threads) {
        Engine.setThreads(threads);
        assertThat(Engine.threads()).isEqualTo(threads);
        assertThat(openblas_nolapack.blas_get_num_threads())
                .as("of MKL or OpenBLAS")
                .isEqualTo(threads);
    }

    @Test
    void whatATorchScriptProgramForksRunsOneAtATime() {
        Engine.load();
        assertThat(torch.get_num_interop_threads()).isEqualTo(1);
    }

    @Test
    void noThreadsAreRefused() {
        assertThatThrownBy(() -> Engine.setThreads(0)).hasMessage("threads is 0: it must be at least 1");
    }

    /** On a machine that has unpacked nothing yet. Without the lock most of them crash. */
    @Test
    @Tag("slow")
    void processesThatStartSideBySideUnpackOneAfterTheOther(@TempDir Path cache) throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            processes.add(loading("-Dorg.bytedeco.javacpp.cachedir=" + cache));
        }
        for (Process process : processes) {
            try (var said = process.inputReader()) {
                assertThat(said.lines()).containsExactly(Engine.version());
            }
            assertThat(process.waitFor()).isZero();
        }
    }

    @Test
    void theVersionSaysWhatMultipliesMatricesAsThatChangesTheLastBits() throws Exception {
        Process withoutMkl = loading("-Dpolder.mkl=false");
        try (var said = withoutMkl.inputReader()) {
            assertThat(said.lines()).containsExactly(Engine.version().replace(" with MKL", ""));
        }
        boolean isThere = Engine.class.getResource("/org/bytedeco/mkl/linux-x86_64/libmkl_rt.so.2") != null;
        assertThat(Engine.version().endsWith(" with MKL")).isEqualTo(isThere);
    }

    /** Replicas do, in one process. It hung for good, deaf to everything, about once in 150 runs. */
    @Test
    void threadsCanBeSetWhileLibrariesAreLoaded(@TempDir Path folder) throws Exception {
        Process process = java("-Dfolder=" + folder, LoadingBesides.class);
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("has ended").isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process loading(String option) throws IOException {
        return java(option, Loading.class);
    }

    private static Process java(String option, Class<?> program) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        option,
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName())
                .redirectErrorStream(true)
                .start();
    }

    public static final class Loading {
        public static void main(String[] arguments) {
            System.out.println(Engine.version());
        }
    }

    public static final class LoadingBesides {
        private static final int LIBRARIES = 200;

        public static void main(String[] arguments) throws Exception {
            Engine.load();
            var setting = new Thread(() -> {
                while (true) {
                    Engine.setThreads(1);
                }
            });
            setting.setDaemon(true);
            setting.start();
            Path folder = Path.of(System.getProperty("folder"));
            Path library = Path.of(Loader.load(Loader.class));
            for (int i = 0; i < LIBRARIES; i++) {
                System.load(
                        Files.copy(library, folder.resolve("copy-" + i + ".so")).toString());
            }
        }
    }
}
