package dev.tidemark.example.orderhistory;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The example's packages")
class PackageDirectionTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark.example");

  @Test
  @DisplayName("let the demonstration know the order history, never the other way round")
  void oneDirection() {
    noClasses()
        .that()
        .resideInAPackage("dev.tidemark.example.orderhistory")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("..demo..")
        .check(CLASSES);
  }

  @Test
  @DisplayName("use what callers use, never the kernel")
  void noKernel() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.tidemark.kernel..")
        .check(CLASSES);
  }
}
