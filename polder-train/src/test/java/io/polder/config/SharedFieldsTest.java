package io.polder.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SharedFieldsTest {
    interface Sized {
        @Field(about = "How many.", fallback = "4", min = 1)
        int size();
    }

    interface Named extends Sized {
        @Field(about = "What it is called.")
        String name();
    }

    record Plain(String name, int size) implements Named {
        Plain {
            Values.checked(Plain.class, name, size);
        }
    }

    record Large(
            String name,

            @Field(about = "How many of the large ones.", fallback = "400", min = 100)
            int size) implements Named {}

    @Test
    void aFieldThatRecordsShareIsStatedOnceOnTheirInterface() {
        assertThat(Schema.group(Plain.class).part("size")).hasValueSatisfying(size -> {
            assertThat(size.field().about()).isEqualTo("How many.");
            assertThat(size.fallback()).isNotNull();
        });
        assertThat(Schema.group(Plain.class).part("name"))
                .hasValueSatisfying(name -> assertThat(name.isRequired()).isTrue());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Plain("small", 0))
                .withMessage("size is 0: it must be a whole number of at least 1");
    }

    @Test
    void aComponentWithItsOwnSaysOtherwise() {
        assertThat(Schema.group(Large.class).part("size"))
                .hasValueSatisfying(size -> assertThat(size.field().about()).isEqualTo("How many of the large ones."));
    }
}
