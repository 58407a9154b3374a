package io.polder.study.search;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.polder.study.results.StudyText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/evidence.md} shows nothing but what the outcomes in {@code results/} come to. */
class EvidenceTest {
    private static final Path RESULTS = Path.of("../results");

    /**
     * What {@code ./polder report results/NAME --format markdown} prints below its title, between two marks that no reader sees; without its column of costs
     * where trials were trained beside other work.
     */
    private static final Pattern SHOWN =
            Pattern.compile("<!-- results/(\\S+)( without cost)? -->\n(.*?)<!-- end -->\n", Pattern.DOTALL);

    /** An error in per cent as the tables print it: {@code 15.54}. */
    private static final Pattern ERROR = Pattern.compile("(?<![\\d.])\\d{2}\\.\\d{2}(?!\\d)");

    private static String shown(String report, boolean withCost) {
        String withoutTitle = report.substring(report.indexOf("\n\n") + 2);
        return withCost
                ? withoutTitle
                : withoutTitle.replaceAll("(?m)^(\\|.*\\|)[^|]*\\|$", "$1").replaceAll(" Cost is [^.]*\\.", "");
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("../docs/evidence.md"));
    }

    private static List<Path> studies() throws IOException {
        try (Stream<Path> all = Files.list(RESULTS)) {
            return all.filter(Files::isDirectory).sorted().toList();
        }
    }

    @Test
    void everyTableIsWhatTheCommittedOutcomesComeTo() throws IOException {
        Map<String, String> shown = new TreeMap<>();
        Map<String, String> computed = new TreeMap<>();
        for (MatchResult it : SHOWN.matcher(page()).results().toList()) {
            shown.put(it.group(1), it.group(3));
            StudyDirectory study = StudyDirectory.open(RESULTS.resolve(it.group(1)));
            computed.put(it.group(1), shown(StudyText.markdown(study.result()), it.group(2) == null));
        }
        assertThat(shown).isEqualTo(computed);
        assertThat(shown.keySet())
                .isNotEmpty()
                .containsExactlyElementsOf(studies().stream()
                        .map(directory -> directory.getFileName().toString())
                        .toList());
    }

    @Test
    void noMeanStandsOutsideOfThem() throws IOException {
        String rest = SHOWN.matcher(page()).replaceAll("");
        assertThat(rest.lines().filter(line -> line.startsWith("|"))).noneMatch(line -> line.contains("±"));
    }

    @Test
    void anErrorInASentenceIsThatOfATable() throws IOException {
        String readme = Files.readString(Path.of("../README.md"));
        String budgets =
                readme.substring(readme.indexOf("## Which scheme for which budget"), readme.indexOf("## Networks"));
        Set<String> tables =
                errors(SHOWN.matcher(page()).results().map(it -> it.group(3)).collect(joining()));
        assertThat(tables).containsAll(errors(SHOWN.matcher(page()).replaceAll("")));
        assertThat(tables).containsAll(errors(budgets));
    }

    private static Set<String> errors(String text) {
        Set<String> errors =
                ERROR.matcher(text).results().map(MatchResult::group).collect(toCollection(TreeSet::new));
        assertThat(errors).isNotEmpty();
        return errors;
    }

    @Test
    void everyTrialOfTheProtocolIsThereAndWhole() throws IOException {
        for (Path directory : studies()) {
            StudyDirectory study = StudyDirectory.open(directory);
            assertThat(study.result().isComplete()).as("%s is whole", directory).isTrue();
            assertThat(study.store().complaints()).as("%s", directory).isEmpty();
        }
    }
}
