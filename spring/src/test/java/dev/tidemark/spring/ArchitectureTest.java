package dev.tidemark.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The module for Spring Boot")
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark.spring");

  @Test
  @DisplayName("uses what users of Tidemark may use, and nothing of its kernel")
  void dependencies() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideOutsideOfPackages("dev.tidemark.kernel..", "dev.tidemark.tck..")
        .check(CLASSES);
  }

  @Test
  @DisplayName(
      "shows users settings, annotations, customizers, listeners, sources, and what they may"
          + " exclude")
  void publicTypes() {
    Set<String> open =
        CLASSES.stream()
            .filter(c -> c.getModifiers().contains(JavaModifier.PUBLIC) && c.isTopLevelClass())
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(
        new TreeSet<>(
            Set.of(
                "AutoConfigureLocalDynamoDb",
                "DynamoDbStoreCustomizer",
                "ExecutionsCustomizer",
                "IdempotencyFilterCustomizer",
                "InTable",
                "KafkaIntakeListener",
                "MongoStoreCustomizer",
                "OutboxSource",
                "RelayCustomizer",
                "SqsIntakeListener",
                "TidemarkFiltersAutoConfiguration",
                "TidemarkKafkaAutoConfiguration",
                "TidemarkMetricsAutoConfiguration",
                "TidemarkOutboxAutoConfiguration",
                "TidemarkProperties",
                "TidemarkRecordsAutoConfiguration",
                "TidemarkServletAutoConfiguration",
                "TidemarkStoresAutoConfiguration",
                "TidemarkTest",
                "TidemarkTracingAutoConfiguration",
                "TrackedScan")),
        open);
  }
}
