package dev.tidemark;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.tidemark.kernel.Text;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The api's packages")
class ArchitectureTest {
  private static final JavaClasses API =
      new ClassFileImporter().importPath(Path.of("target/classes"));

  /** What judges, of the kernel's types; the others call. */
  private static final Set<String> JUDGE =
      Set.of(
          "Assumed",
          "EventPlan",
          "Evaluator",
          "Faults",
          "Found",
          "Ids",
          "Judge",
          "Judgement",
          "MarksDifference",
          "Names",
          "Plan",
          "Positions",
          "Revision",
          "Rewrite",
          "Room",
          "Slots",
          "SourceMark",
          "Verdict");

  @Test
  @DisplayName("stand on the JDK and JSpecify alone, but for results that are stored as JSON")
  void dependencies() {
    classes()
        .that()
        .resideOutsideOfPackage("dev.tidemark.execution")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("dev.tidemark..", "java..", "org.jspecify.annotations")
        .check(API);
  }

  @Test
  @DisplayName(
      "point one way: the others know the root, the root knows none but the checks of texts")
  void direction() {
    noClasses()
        .that()
        .resideInAPackage("dev.tidemark")
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.tidemark.*..").and(not(belongToAnyOf(Text.class))))
        .check(API);
  }

  @Test
  @DisplayName("are free of cycles")
  void cycles() {
    slices().matching("dev.tidemark.(**)").should().beFreeOfCycles().check(API);
  }

  @Test
  @DisplayName(
      "judge without calling: what judges in the kernel knows no run, no request, no clock")
  void judge() {
    DescribedPredicate<JavaClass> judges =
        DescribedPredicate.describe("judge", type -> JUDGE.contains(ofKernel(type)));
    DescribedPredicate<JavaClass> calls =
        DescribedPredicate.describe(
            "call", type -> !ofKernel(type).isEmpty() && !JUDGE.contains(ofKernel(type)));
    noClasses().that(judges).should().dependOnClassesThat(calls).check(API);
    noClasses().that(judges).should().dependOnClassesThat().areAssignableTo(Clock.class).check(API);
  }

  /** The name of a type of the kernel, or of the one around it; empty for others. */
  private static String ofKernel(JavaClass type) {
    boolean kernel = type.getPackageName().equals("dev.tidemark.kernel");
    return kernel ? type.getName().replaceAll("^.*\\.|\\$.*$", "") : "";
  }

  @Test
  @DisplayName("have at most 34 public types in the root, where every user looks first")
  void publicTypes() {
    List<String> open =
        API.stream()
            .filter(type -> type.getPackageName().equals("dev.tidemark") && type.isTopLevelClass())
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .map(JavaClass::getSimpleName)
            .sorted()
            .toList();
    assertTrue(open.size() <= 34, () -> open.size() + " public types: " + open);
  }

  @Test
  @DisplayName("read the time from a Clock that is given, and start no threads")
  void clocks() {
    noClasses().should().callMethod(java.time.Instant.class, "now").check(API);
    noClasses().should().callMethod(System.class, "currentTimeMillis").check(API);
    noClasses().should().callMethod(Clock.class, "systemUTC").check(API);
    noClasses().should().callMethod(Thread.class, "start").check(API);
    noClasses().should().callConstructor(Thread.class, Runnable.class).check(API);
    noClasses().should().dependOnClassesThat().areAssignableTo(Executor.class).check(API);
  }

  @Test
  @DisplayName("tell listeners nothing that could name an entity or carry its values")
  void listeners() {
    classes()
        .that()
        .resideInAPackage("dev.tidemark.metrics")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("dev.tidemark.metrics", "java..", "org.jspecify.annotations")
        .check(API);
  }
}
