package dev.tidemark.aws;

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

@DisplayName("The module for AWS")
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark.aws");

  @Test
  @DisplayName(
      "stands on the outbox, the intake and the kernel of the api, and on the clients of AWS alone")
  void dependencies() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.tidemark",
            "dev.tidemark.kernel",
            "dev.tidemark.outbox",
            "dev.tidemark.intake",
            "dev.tidemark.projector",
            "dev.tidemark.aws",
            "java..",
            "org.jspecify.annotations",
            "software.amazon.awssdk..")
        .check(CLASSES);
  }

  @Test
  @DisplayName("shows users a sender for each service, what consumes queues, and lines of metrics")
  void publicTypes() {
    Set<String> open =
        CLASSES.stream()
            .filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC) && c.isTopLevelClass())
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toSet());
    assertEquals(
        Set.of(
            "SqsSender",
            "SnsSender",
            "EventBridgeSender",
            "SqsIntake",
            "SqsDeadLetters",
            "CloudWatchLines"),
        open);
  }
}
