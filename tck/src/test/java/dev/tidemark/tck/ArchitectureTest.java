package dev.tidemark.tck;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The contract kit")
class ArchitectureTest {
  private static final JavaClasses KIT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark.tck");

  @Test
  @DisplayName("knows no store: the api, JUnit and QuickTheories are all that it stands on")
  void dependencies() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.tidemark",
            "dev.tidemark.execution",
            "dev.tidemark.inbox",
            "dev.tidemark.kernel",
            "dev.tidemark.marks",
            "dev.tidemark.outbox",
            "dev.tidemark.projector",
            "dev.tidemark.store",
            "dev.tidemark.tck..",
            "dev.tidemark.transaction",
            "java..",
            "javax.tools",
            "org.jspecify.annotations",
            "org.junit..",
            "org.opentest4j..",
            "org.quicktheories..")
        .check(KIT);
  }

  @Test
  @DisplayName("points one way: contracts know the kit, the kit finds them by their package's name")
  void direction() {
    noClasses()
        .that()
        .resideInAPackage("dev.tidemark.tck")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.tidemark.tck.contract")
        .check(KIT);
  }
}
