package dev.tidemark.dynamodb;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
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

@DisplayName("The module for DynamoDB")
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark.dynamodb");

  @Test
  @DisplayName("stands on the api and the SDK alone")
  void dependencies() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.tidemark",
            "dev.tidemark.inbox",
            "dev.tidemark.intake",
            "dev.tidemark.kernel",
            "dev.tidemark.marks",
            "dev.tidemark.metrics",
            "dev.tidemark.outbox",
            "dev.tidemark.store",
            "dev.tidemark.transaction",
            "dev.tidemark.dynamodb",
            "java..",
            "org.jspecify.annotations",
            "software.amazon.awssdk..")
        .check(CLASSES);
  }

  @Test
  @DisplayName("shows users a handful of types")
  void publicTypes() {
    Set<String> open =
        CLASSES.stream()
            .filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC) && c.isTopLevelClass())
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toSet());
    assertEquals(
        Set.of(
            "DynamoDbOutages",
            "DynamoDbEntityStore",
            "DynamoDbRecordStore",
            "DynamoDbInbox",
            "DynamoDbOutbox",
            "DynamoDbOutboxStream",
            "DynamoDbOutboxStreamBuilder",
            "DynamoDbTransaction",
            "TransactionWrites",
            "DynamoDbAsyncEntityStore",
            "DynamoDbNativeUpdate",
            "TidemarkExtension",
            "Processing",
            "ProcessingConverter",
            "MarksConverter"),
        open);
  }

  @Test
  @DisplayName("reads the time from the writer's clock and starts no threads")
  void clocks() {
    noClasses().should().callMethod(java.time.Instant.class, "now").check(CLASSES);
    noClasses().should().callMethod(System.class, "currentTimeMillis").check(CLASSES);
    noClasses().should().callConstructor(Thread.class, Runnable.class).check(CLASSES);
  }
}
