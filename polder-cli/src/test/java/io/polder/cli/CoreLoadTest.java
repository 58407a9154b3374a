package io.polder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CoreLoadTest {
    @Test
    void coresAreBusyWhereMoreWantOneThanThereAre() {
        assertThat(new CoreLoad(2, 2).isHigh()).isFalse();
        assertThat(new CoreLoad(-1, 2).isHigh()).isFalse();
        assertThat(new CoreLoad(4.2, 2).isHigh()).isTrue();
        assertThat(new CoreLoad(4.2, 2).hint())
                .isEqualTo(
                        "the cores are busy with something else (load 4.2 on 2), so this takes about 3 times as long as on idle ones");
        assertThat(new CoreLoad(4.2, 2).advice()).contains("(load 4.2 on 2)", "about 3 times as long");
    }
}
