package io.polder;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows between packages: metrics → train → {data, models, penalty, optim} → nn → tensor, data → image, and nothing sideways. */
class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.polder");

    @Test
    void dependenciesPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("metrics")
                .definedBy("io.polder.metrics..")
                .layer("train")
                .definedBy("io.polder.train..")
                .layer("data")
                .definedBy("io.polder.data..")
                .layer("models")
                .definedBy("io.polder.models..")
                .layer("penalty")
                .definedBy("io.polder.penalty..")
                .layer("optim")
                .definedBy("io.polder.optim..")
                .layer("nn")
                .definedBy("io.polder.nn..")
                .layer("schedule")
                .definedBy("io.polder.schedule..")
                .layer("image")
                .definedBy("io.polder.image..")
                .layer("tensor")
                .definedBy("io.polder.tensor..")
                .whereLayer("metrics")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("train")
                .mayOnlyBeAccessedByLayers("metrics")
                .whereLayer("data")
                .mayOnlyBeAccessedByLayers("train")
                .whereLayer("models")
                .mayOnlyBeAccessedByLayers("train")
                .whereLayer("penalty")
                .mayOnlyBeAccessedByLayers("train")
                .whereLayer("optim")
                .mayOnlyBeAccessedByLayers("train")
                .whereLayer("nn")
                .mayOnlyBeAccessedByLayers("train", "data", "models", "penalty", "optim")
                .whereLayer("image")
                .mayOnlyBeAccessedByLayers("data")
                .whereLayer("tensor")
                .mayOnlyBeAccessedByLayers("train", "data", "models", "penalty", "optim", "nn")
                .check(CORE);
    }

    @Test
    void theMethodKnowsNothingOfModelsOrData() {
        noClasses()
                .that()
                .resideInAPackage("io.polder.penalty..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.polder.models..", "io.polder.data..", "io.polder.train..", "org.bytedeco..")
                .check(CORE);
    }

    @Test
    void nativeTypesStayWhereNetworksAre() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.polder.optim..", "io.polder.data..", "io.polder.schedule..", "io.polder.metrics..")
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

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.polder.(*)..").should().beFreeOfCycles().check(CORE);
    }
}
