package dev.tidemark.servlet;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The module for servlets")
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark.servlet");

  @Test
  @DisplayName("stands on the api and the servlet API alone")
  void dependencies() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.tidemark",
            "dev.tidemark.execution",
            "dev.tidemark.intake", // whose StoreFaults know when a store is away
            "dev.tidemark.servlet",
            "java..",
            "org.jspecify.annotations",
            "jakarta.servlet..")
        .check(CLASSES);
  }

  @Test
  @DisplayName("shows users one type")
  void publicTypes() {
    Set<String> open =
        CLASSES.stream()
            .filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC) && c.isTopLevelClass())
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toSet());
    assertEquals(Set.of("IdempotencyFilter"), open);
  }
}
