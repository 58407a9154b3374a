package io.polder.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.polder.config.Format.Contradiction;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A kind of file that is no recipe: lists, maps, and parts that somebody else reads. */
class FormatTest {
    private static final Format<Garden> GARDEN = new Format<>(
            "garden",
            Garden.class,
            1000,
            List.of(),
            garden -> garden.know("beds") && garden.get("beds", List.class).isEmpty()
                    ? List.of(new Contradiction("beds[0].plant", "is missing; a garden has at least one bed"))
                    : List.of());

    private static final String GOOD = """
            beds:
              - roses
              - plant: leeks
                rows: [1, 2]
                set: { soil.acid: yes please, soil: [1, {a: "b, c"}], soil.wet: null }
            rest: {any: [thing, "1"]}
            """;

    record Garden(
            @Field(about = "The beds.") List<Bed> beds,
            @Field(about = "Whatever.", fallback = "[]") Yaml rest) {}

    @ByName("plant")
    record Bed(
            @Field(about = "What grows there.") String plant,

            @Field(about = "Where.", fallback = "[]", min = 1)
            List<Integer> rows,

            @Field(
                    about = "Of its soil.",
                    fallback = "{}",
                    pattern = "[a-z]+(\\.[a-z]+)*",
                    patternInWords = "paths such as soil.acid")
            Map<String, Yaml> set) {
        Bed {
            Values.checked(Bed.class, plant, rows, set);
        }
    }

    @Test
    void listsMapsAndYamlOfAnyShapeAreRead() {
        Garden garden = read(GOOD);
        assertThat(garden.beds().get(0)).isEqualTo(new Bed("roses", List.of(), Map.of()));
        Bed leeks = garden.beds().get(1);
        assertThat(leeks.rows()).containsExactly(1, 2);
        assertThat(leeks.set())
                .containsExactly(
                        Map.entry("soil.acid", new Yaml("\"yes please\"", "yes please")),
                        Map.entry("soil", new Yaml("[1, {a: \"b, c\"}]", null)),
                        Map.entry("soil.wet", new Yaml("null", "null")));
        assertThat(garden.rest().text()).isEqualTo("{any: [thing, \"1\"]}");
    }

    @Test
    void theCanonicalTextReadsBackToTheSameRecord() {
        String text = Values.of(read(GOOD)).toYaml();
        assertThat(text).isEqualTo("""
                beds:
                  - plant: roses
                    rows: []
                    set: {}
                  - plant: leeks
                    rows:
                      - 1
                      - 2
                    set:
                      soil.acid: "yes please"
                      soil: [1, {a: "b, c"}]
                      soil.wet: null
                rest: {any: [thing, "1"]}
                """);
        assertThat(read(text)).isEqualTo(read(GOOD));
    }

    @Test
    void mistakesInsideListsAndMapsAreToldWithTheirLines() {
        assertThat(mistakes(GOOD.replace("leeks", "'' ")
                        .replace("[1, 2]", "[1, 0, x]")
                        .replace("soil.acid", "Soil")))
                .containsExactly(
                        "my.yaml:3: beds[1].plant: is \"\"; it must be a text of one line",
                        "my.yaml:4: beds[1].rows[1]: is \"0\"; it must be a whole number of at least 1",
                        "my.yaml:4: beds[1].rows[2]: is \"x\"; it must be a whole number of at least 1",
                        "my.yaml:5: beds[1].set: has \"Soil\"; it must have paths such as soil.acid");
        assertThat(mistakes(GOOD.replace("plant: leeks", "plnat: leeks")))
                .containsExactly(
                        "my.yaml:3: beds[1].plant: is missing; it must be a text of one line",
                        "my.yaml:3: beds[1].plnat: there is no such field; did you mean plant?");
        assertThat(mistakes("beds: [null, [a]]\n"))
                .containsExactly(
                        "my.yaml:1: beds[0]: is \"null\"; it must be a group of fields (plant, rows, set)",
                        "my.yaml:1: beds[1]: is a list; it must be a group of fields (plant, rows, set)");
        assertThat(mistakes("rest: 1\nbeds: []\n"))
                .containsExactly("my.yaml:2: beds[0].plant: is missing; a garden has at least one bed");
        assertThat(mistakes("")).containsExactly("my.yaml:1: has no garden in it");
        assertThatThrownBy(() -> new Bed("x", List.of(0), Map.of()))
                .hasMessage("rows is [0]: it must be a list, each of which is a whole number of at least 1");
    }

    @Test
    void theSchemaHasListsAndMaps() {
        assertThat(GARDEN.jsonSchema("A garden").replaceAll("\\s+", " "))
                .contains("\"title\" : \"A garden\"")
                .contains("\"type\" : \"array\", \"items\" : { \"type\" : \"integer\", \"minimum\" : 1 }")
                .contains("\"propertyNames\" : { \"type\" : \"string\", \"pattern\" : \"^[a-z]+(\\\\.[a-z]+)*$\" }");
    }

    private static Garden read(String text) {
        return GARDEN.read(text, "my.yaml", List.of());
    }

    private static List<String> mistakes(String text) {
        return catchThrowableOfType(ConfigException.class, () -> read(text)).mistakes();
    }
}
