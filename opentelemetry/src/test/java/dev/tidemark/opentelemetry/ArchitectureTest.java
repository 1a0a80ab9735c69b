package dev.tidemark.opentelemetry;

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

@DisplayName("The module for OpenTelemetry")
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark.opentelemetry");

  @Test
  @DisplayName("stands on the api and those of OpenTelemetry alone")
  void dependencies() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.tidemark.execution",
            "dev.tidemark.metrics",
            "dev.tidemark.opentelemetry",
            "dev.tidemark.outbox",
            "java..",
            "org.jspecify.annotations",
            "io.opentelemetry.api..",
            "io.opentelemetry.context")
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
    assertEquals(Set.of("TidemarkTracing"), open);
  }
}
