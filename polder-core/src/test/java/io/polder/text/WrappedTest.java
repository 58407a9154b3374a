package io.polder.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WrappedTest {
    @Test
    void aLineEndsBetweenWordsAndAWordIsNeverCut() {
        assertThat(Wrapped.text("one two three", 7, "")).isEqualTo("one two\nthree\n");
        assertThat(Wrapped.text("incomprehensibilities are long", 7, ""))
                .isEqualTo("incomprehensibilities\nare\nlong\n");
    }

    @Test
    void everyLineButTheFirstIsIndented() {
        assertThat(Wrapped.text("  name  one two three", 13, "        "))
                .isEqualTo("  name  one\n        two\n        three\n");
    }

    @Test
    void aPercentSignStaysWithItsNumber() {
        assertThat(Wrapped.text("error 12.5 % of all", 10, "")).isEqualTo("error 12.5 %\nof all\n");
    }
}
