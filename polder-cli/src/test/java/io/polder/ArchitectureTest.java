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
import io.polder.tensor.Device;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The arrows between packages, of all modules: cli → study → train → data → core. Benchmarks and Spark are modules that nothing else
 * depends on, which Maven sees to.
 */
class ArchitectureTest {
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar")) // what modules share for their tests
            .importPackages("io.polder");

    /** Which packages each may use, besides itself. A line can only name packages of the lines before it: there are no cycles. */
    private static final Map<String, Set<String>> MAY_USE = table(
            // polder-core
            "files         <-",
            "text          <-",
            "schedule      <-",
            "tensor        <- files text",
            "distributed   <- files tensor",
            "nn            <- tensor",
            "models        <- nn tensor files text",
            "penalty       <- nn tensor schedule",
            "optim         <- tensor schedule",
            "loss          <- penalty nn tensor",
            // polder-data
            "image         <-",
            "data          <- image files tensor",
            "data.augment  <- data",
            "data.source   <- data image files text",
            "data.load     <- data.augment data tensor text",
            // polder-train
            "config        <- files text",
            "checkpoint    <- files",
            "train         <- distributed data.load data models loss penalty optim nn tensor schedule files",
            "metrics       <- train files",
            "sharpness     <- train loss nn tensor",
            "recipe        <- config sharpness train data.load data.source data.augment data models loss penalty optim nn tensor schedule files text",
            "run           <- distributed sharpness train metrics recipe config checkpoint data.load data.augment data models loss penalty optim nn tensor schedule files image text",
            "mlflow        <- run train metrics recipe checkpoint files",
            // polder-study
            "study.page    <- files",
            "study         <- study.page run train metrics files",
            "study.sharpness <- study.page study run sharpness train recipe files",
            "study.trial   <- study run train metrics recipe config models tensor files text",
            "study.results <- study.trial study.page study train recipe files text",
            "study.search  <- study.results study.trial study run train recipe config penalty tensor files text",
            "watch         <- study.page study metrics",
            // polder-cli
            "cli           <- distributed study study.sharpness study.page study.results study.search study.trial watch mlflow run sharpness train metrics recipe config models penalty data.load data.source data.augment data image tensor files text");

    @Test
    void dependenciesPointDownwards() {
        MAY_USE.forEach((name, others) -> classes()
                .that()
                .resideInAPackage("io.polder." + name)
                .should()
                .onlyDependOnClassesThat(resideInAPackage("io.polder..")
                        .negate()
                        .or(resideInAnyPackage(Stream.concat(Stream.of(name), others.stream())
                                .map(each -> "io.polder." + each)
                                .toArray(String[]::new))))
                .check(ALL));
    }

    @Test
    void everyPackageHasItsPlace() {
        Set<String> places = new TreeSet<>();
        MAY_USE.keySet().forEach(name -> places.add("io.polder." + name));
        Set<String> packages = new TreeSet<>();
        ALL.forEach(type -> packages.add(type.getPackageName()));
        assertThat(places).containsExactlyElementsOf(packages);
    }

    @Test
    void nativeTypesStayWhereNetworksAre() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.polder.tensor..",
                        "io.polder.nn..",
                        "io.polder.distributed..",
                        "io.polder.models..",
                        "io.polder.loss..",
                        "io.polder.train..",
                        "io.polder.sharpness..",
                        "io.polder.image..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bytedeco..")
                .check(ALL);
    }

    @Test
    void onlyImagesMeetOpenCvAndTheyShowNobodyItsTypes() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.polder.image..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bytedeco.opencv..")
                .check(ALL);
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
                .check(ALL);
    }

    @Test
    void javaCppItselfStaysBelowTheTrainingLoop() {
        classes()
                .that()
                .resideInAPackage("io.polder.train..")
                .should()
                .onlyDependOnClassesThat()
                .resideOutsideOfPackage("org.bytedeco.javacpp..")
                .check(ALL);
    }

    /** What is computed on is said once, on the command line: code that names a device itself could use no other. */
    @Test
    void nobodyButTheEngineNamesADevice() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.polder.tensor..")
                // To go with the class, when a comparison is a study.
                .and()
                .doNotHaveFullyQualifiedName("io.polder.study.ComparisonRun")
                .should()
                .accessField(Device.class, "CPU")
                .check(ALL);
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
