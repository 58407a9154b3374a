package io.polder.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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
}
