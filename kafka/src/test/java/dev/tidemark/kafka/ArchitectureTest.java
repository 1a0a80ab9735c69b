package dev.tidemark.kafka;

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

@DisplayName("The module for Kafka")
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark.kafka");

  @Test
  @DisplayName("stands on the outbox and the intake of the api, and on Kafka's clients alone")
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
            "dev.tidemark.kafka",
            "java..",
            "org.jspecify.annotations",
            "org.apache.kafka..")
        .check(CLASSES);
  }

  @Test
  @DisplayName("shows users senders, and what consumes")
  void publicTypes() {
    Set<String> open =
        CLASSES.stream()
            .filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC) && c.isTopLevelClass())
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toSet());
    assertEquals(
        Set.of(
            "KafkaDeadLetters",
            "KafkaIntake",
            "KafkaIntakeLoop",
            "KafkaProgress",
            "KafkaRedrive",
            "KafkaSender",
            "PausedPartition",
            "RenewingKafkaSender"),
        open);
  }
}
