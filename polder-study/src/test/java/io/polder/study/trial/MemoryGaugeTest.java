package io.polder.study.trial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class MemoryGaugeTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    void aProcessHasHadAtLeastWhatItHas() {
        long self = ProcessHandle.current().pid();
        long resident = MemoryGauge.resident(self).orElseThrow();
        assertThat(resident).isGreaterThan(10L << 20);
        assertThat(MemoryGauge.peak(self).orElseThrow()).isGreaterThanOrEqualTo(resident);
    }

    @Test
    void ofAProcessThatIsNotThereNothingIsKnown() {
        assertThat(MemoryGauge.resident(Long.MAX_VALUE)).isEmpty();
    }
}
