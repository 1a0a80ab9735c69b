package dev.tidemark.example.orderhistory;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.ConfigurationProperties;

@DisplayName("The example's packages")
class PackageDirectionTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark.example");
  private static final String ROOT = "dev.tidemark.example.orderhistory";
  private static final String STORE = ROOT + ".store..";
  private static final String CARRIER = ROOT + ".carrier..";
  private static final String REBUILD = ROOT + ".rebuild..";
  private static final String RELAY = ROOT + ".relay..";
  private static final String CHECKOUT = ROOT + ".checkout..";
  private static final String LAMBDA = ROOT + ".lambda..";
  private static final String SETTINGS = ROOT + ".settings..";
  private static final String HOST = ROOT + ".host..";
  private static final String SPRING = "org.springframework..";
  private static final String KAFKA = "org.apache.kafka..";
  private static final String SQS = "software.amazon.awssdk.services.sqs..";

  private static void never(String from, String... to) {
    noClasses()
        .that()
        .resideInAPackage(from)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(to)
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  @DisplayName("keep the business code free of stores, carriers and hosts")
  void business() {
    never(ROOT, SETTINGS, STORE, CARRIER, REBUILD, RELAY, LAMBDA, HOST, SPRING, KAFKA, SQS);
    never(CHECKOUT, STORE, CARRIER, REBUILD, RELAY, LAMBDA, HOST, SPRING, KAFKA, SQS);
  }

  @Test
  @DisplayName("let stores know neither what brings events nor what hosts them")
  void stores() {
    never(STORE, CARRIER, REBUILD, RELAY, LAMBDA, HOST, KAFKA, SQS);
  }

  @Test
  @DisplayName("let carriers know neither stores nor what hosts them")
  void carriers() {
    never(CARRIER, STORE, REBUILD, RELAY, LAMBDA);
    never(REBUILD, CARRIER, RELAY, LAMBDA);
  }

  @Test
  @DisplayName("let what sends statuses know nothing of what brings events")
  void relay() {
    never(RELAY, CARRIER, REBUILD, LAMBDA, HOST);
  }

  @Test
  @DisplayName("keep Kafka's clients out of the Lambda handlers")
  void lambda() {
    never(LAMBDA, HOST, REBUILD, KAFKA);
  }

  @Test
  @DisplayName("know nothing of the laboratory and its servers")
  void demonstration() {
    never(ROOT + "..", "dev.tidemark.lab..", "..local..");
  }

  @Test
  @DisplayName("use what callers use, never the kernel")
  void noKernel() {
    never("dev.tidemark.example..", "dev.tidemark.kernel..");
  }

  @Test
  @DisplayName("have Spring in the host, where events come in, and as a mark of the settings")
  void spring() {
    noClasses()
        .that()
        .resideOutsideOfPackages(HOST, CARRIER, SETTINGS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(SPRING, HOST, "io.awspring..")
        .check(CLASSES);
    never(CARRIER, HOST);
    classes()
        .that()
        .resideInAPackage(SETTINGS)
        .should()
        .onlyDependOnClassesThat(
            resideOutsideOfPackages(SPRING, STORE, CARRIER, REBUILD, RELAY, LAMBDA, HOST)
                .or(type(ConfigurationProperties.class)))
        .check(CLASSES);
  }
}
