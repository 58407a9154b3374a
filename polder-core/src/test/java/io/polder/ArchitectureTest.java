package io.polder;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The arrows between packages: run → train → {data, models, penalty, optim} → nn → tensor → files, and nothing sideways. */
class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.polder");

    /** Which packages each may use, besides itself. A line can only name packages of the lines before it: there are no cycles. */
    private static final Map<String, Set<String>> MAY_USE = table(
            "files      <-",
            "text       <-",
            "schedule   <-",
            "image      <-",
            "tensor     <- files",
            "nn         <- tensor",
            "models     <- nn tensor files text",
            "penalty    <- nn tensor schedule",
            "optim      <- tensor schedule",
            "data       <- image files tensor text",
            "recipe     <- schedule files text",
            "checkpoint <- files",
            "train      <- data models penalty optim nn tensor schedule",
            "metrics    <- train files",
            "run        <- train metrics recipe checkpoint data models penalty optim nn tensor schedule files image text");

    @Test
    void dependenciesPointDownwards() {
        MAY_USE.forEach((name, others) -> classes()
                .that()
                .resideInAPackage("io.polder." + name + "..")
                .should()
                .onlyDependOnClassesThat(resideInAPackage("io.polder..")
                        .negate()
                        .or(resideInAnyPackage(Stream.concat(Stream.of(name), others.stream())
                                .map(other -> "io.polder." + other + "..")
                                .toArray(String[]::new))))
                .allowEmptyShould(true)
                .check(CORE));
    }

    @Test
    void everyPackageHasItsPlace() {
        Set<String> packages = new TreeSet<>();
        CORE.forEach(type -> packages.add(type.getPackageName().split("\\.")[2]));
        assertThat(MAY_USE.keySet()).containsAll(packages);
    }

    @Test
    void nativeTypesStayWhereNetworksAre() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.polder.tensor..",
                        "io.polder.nn..",
                        "io.polder.models..",
                        "io.polder.train..",
                        "io.polder.image..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bytedeco..")
                .check(CORE);
    }

    @Test
    void onlyImagesMeetOpenCvAndTheyShowNobodyItsTypes() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.polder.image..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bytedeco.opencv..")
                .check(CORE);
        methods()
                .that()
                .arePublic()
                .and()
                .areDeclaredInClassesThat()
                .resideInAPackage("io.polder.image..")
                .and()
                .areDeclaredInClassesThat()
                .arePublic()
                .should()
                .notHaveRawReturnType(resideInAPackage("org.bytedeco.."))
                .check(CORE);
    }

    @Test
    void javaCppItselfStaysBelowTheTrainingLoop() {
        classes()
                .that()
                .resideInAPackage("io.polder.train..")
                .should()
                .onlyDependOnClassesThat()
                .resideOutsideOfPackage("org.bytedeco.javacpp..")
                .check(CORE);
    }

    private static Map<String, Set<String>> table(String... lines) {
        Map<String, Set<String>> table = new TreeMap<>();
        for (String line : lines) {
            String[] sides = line.split("<-", -1);
            Set<String> others =
                    sides[1].isBlank() ? Set.of() : Set.of(sides[1].strip().split(" "));
            assertThat(table.keySet()).as(line).containsAll(others);
            table.put(sides[0].strip(), others);
        }
        return table;
    }
}
