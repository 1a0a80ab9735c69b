package dev.tidemark.lambda;

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

@DisplayName("The module for Lambda")
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark.lambda");

  @Test
  @DisplayName("stands on the intake of the api and AWS's classes of events alone: no client")
  void dependencies() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.tidemark",
            "dev.tidemark.intake",
            "dev.tidemark.projector",
            "dev.tidemark.lambda",
            "java..",
            "org.jspecify.annotations",
            "com.amazonaws.services.lambda.runtime..")
        .check(CLASSES);
  }

  @Test
  @DisplayName("shows users a batch for each carrier, and what AWS has no class for")
  void publicTypes() {
    Set<String> open =
        CLASSES.stream()
            .filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC) && c.isTopLevelClass())
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toSet());
    assertEquals(
        Set.of(
            "SqsBatch",
            "KinesisBatch",
            "KinesisRecord",
            "DynamoDbStreamBatch",
            "KafkaBatch",
            "KafkaBatchResponse"),
        open);
  }
}
