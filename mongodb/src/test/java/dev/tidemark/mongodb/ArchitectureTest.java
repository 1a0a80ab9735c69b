package dev.tidemark.mongodb;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
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

@DisplayName("The module for MongoDB")
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark.mongodb");

  @Test
  @DisplayName("stands on the api and the driver alone")
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
            "dev.tidemark.projector",
            "dev.tidemark.store",
            "dev.tidemark.transaction",
            "dev.tidemark.mongodb",
            "java..",
            "org.jspecify.annotations",
            "com.mongodb..",
            "org.bson..")
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
            "MongoOutages",
            "ChangeStreamIntake",
            "ChangeStreamIntakeBuilder",
            "HeldChanges",
            "MongoDeadLetters",
            "StreamedChange",
            "MongoAmbient",
            "MongoEntityStore",
            "MongoRecordStore",
            "MongoInbox",
            "MongoOutbox",
            "MongoOutboxStream",
            "MongoOutboxStreamBuilder",
            "MongoTransaction",
            "SessionCollection",
            "SessionDatabase",
            "MongoNativeUpdate",
            "MongoMarks",
            "MongoMarksCodec"),
        open);
  }

  @Test
  @DisplayName("reads the time from the writer's clock and starts no threads")
  void clocks() {
    noClasses().should().callMethod(java.time.Instant.class, "now").check(CLASSES);
    noClasses().should().callMethod(System.class, "currentTimeMillis").check(CLASSES);
    noClasses().should().callConstructor(Thread.class, Runnable.class).check(CLASSES);
  }

  @Test
  @DisplayName("opens its collections in one place, and users' own in a handler's view alone")
  void collections() {
    noClasses()
        .that()
        .doNotHaveSimpleName("OwnCollection")
        .should()
        .callMethodWhere(
            target(nameMatching("withCodecRegistry|withDocumentClass|getDefaultCodecRegistry")))
        .check(CLASSES);
    noClasses()
        .that()
        .doNotHaveSimpleName("OwnCollection")
        .and()
        .doNotHaveSimpleName("SessionDatabase")
        .should()
        .callMethodWhere(target(name("getCollection")))
        .check(CLASSES);
  }
}
