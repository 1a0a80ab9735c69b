package dev.tidemark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.tidemark.execution.Completion;
import dev.tidemark.execution.ExecutionListener;
import dev.tidemark.execution.StepEffect;
import dev.tidemark.execution.Steps;
import dev.tidemark.execution.Work;
import dev.tidemark.intake.DeadLetters;
import dev.tidemark.intake.Decoder;
import dev.tidemark.intake.IntakeListener;
import dev.tidemark.intake.StoreFaults;
import dev.tidemark.kernel.RecordWrites;
import dev.tidemark.kernel.TypedRecords;
import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.outbox.ClusterListener;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.Sender;
import dev.tidemark.store.RecordStore;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Who calls what users and stores have written, and what becomes of what they throw. A new call
 * belongs into a class that is named here, or needs a line of its own.
 */
@DisplayName("Code of users and stores")
class CallsOutTest {
  private static final JavaClasses API =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.tidemark");

  /** Calls of these decide nothing, and reach no store. */
  private static final Set<String> PLAIN =
      Set.of("bare", "clock", "name", "shards", "mostBytes", "and", "store");

  /**
   * Calls of one port by one class.
   *
   * @param caught what the class catches around each of them; null if it passes on what they throw
   * @param does what becomes of that
   */
  private record Line(
      Class<?> port, String caller, @Nullable Class<? extends Throwable> caught, String does) {
    String call() {
      return port.getName() + " by " + caller;
    }
  }

  private static Line catches(
      Class<?> port, String caller, Class<? extends Throwable> caught, String does) {
    return new Line(port, caller, caught, does);
  }

  private static Line passesOn(Class<?> port, String caller, String does) {
    return new Line(port, caller, null, does);
  }

  private static final Class<Throwable> ALL = Throwable.class;
  private static final Class<InterruptedException> INTERRUPT = InterruptedException.class;

  private static final List<Line> LINES =
      List.of(
          catches(Sender.class, "SenderCall", ALL, "the call failed as a whole"),
          catches(Sender.One.class, "Sender", ALL, "this message failed, and no other"),
          catches(Decoder.class, "IntakeBatch", ALL, "this message is judged by the failure"),
          catches(DeadLetters.class, "IntakeBatch", ALL, "the letter is not kept, and comes again"),
          catches(Work.class, "Runs", ALL, "the execution is stored as failed or released"),
          catches(ObjectReader.class, "Json", ALL, "the value cannot be read, and the key waits"),
          catches(ObjectWriter.class, "Json", ALL, "the value cannot be written, likewise"),
          passesOn(ObjectReader.class, "Renamed", "to Json, which reads by it"),
          passesOn(ObjectWriter.class, "Renamed", "to Json, which reads by it"),
          passesOn(ObjectWriter.class, "Fingerprints", "to itself, which refuses the request"),
          passesOn(Completion.class, "Ending", "to Runs, which leaves the key to the next call"),
          passesOn(Completion.class, "Completion", "to Ending, which asks for how long it tells"),
          passesOn(StepEffect.class, "Owner", "to the work; the step is in doubt"),
          passesOn(Steps.PlainEffect.class, "Steps", "to the step"),
          passesOn(RelayListener.class, "Relay", "to Telling, which logs it once"),
          passesOn(RelayListener.class, "RelayListener", "to the caller, behind both listeners"),
          passesOn(StoreListener.class, "StoreObserver", "to Telling, which logs it once"),
          passesOn(StoreListener.class, "StoreListener", "to the caller, behind both listeners"),
          passesOn(ExecutionListener.class, "Events", "to Telling, which logs it once"),
          passesOn(ExecutionListener.class, "ExecutionListener", "to the caller, behind both"),
          passesOn(IntakeListener.class, "Intake", "to the caller: it ends the worker, as said"),
          passesOn(IntakeListener.class, "IntakeListener", "to the caller, behind both"),
          passesOn(StoreFaults.class, "StoreFaults", "to the caller, which judges a failure"),
          passesOn(ClusterListener.class, "ClusterShard", "to Telling, which logs it once"),
          passesOn(ClusterListener.class, "ClusteredRecords", "to Telling, which logs it once"),
          catches(OutboxRecords.class, "Finding", ALL, "the pass tells of it, and goes on"),
          catches(OutboxRecords.class, "Clearing", ALL, "a later pass takes off what was sent"),
          passesOn(OutboxRecords.class, "OutboxRecords", "to the caller, which asked for several"),
          passesOn(OutboxRecords.class, "ClusterShard", "to the relay, over its own records"),
          passesOn(OutboxRecords.class, "ClusteredRecords", "to the relay, over its own records"),
          passesOn(OutboxRecords.class, "ParkedMessages", "to the operator"),
          passesOn(RecordStore.class, "TypedRecords", "to the caller, which is named below"),
          passesOn(TypedRecords.class, "ClusterMarks", "to the relay, as the records' own"),
          passesOn(TypedRecords.class, "Sightings", "to ClusterShard, which bars and goes on"),
          passesOn(TypedRecords.class, "Leases", "to its own tending, which keeps the shard"),
          passesOn(TypedRecords.class, "Commands", "to the operator"),
          passesOn(TypedRecords.class, "Claims", "to the caller, with nothing run"),
          passesOn(TypedRecords.class, "Resuming", "to the caller, and of a read as a fault of it"),
          passesOn(TypedRecords.class, "Ledger", "to the operator, who forgets a key"),
          passesOn(TypedRecords.class, "RecordWrites", "to its own tries, and then to the caller"),
          passesOn(TypedRecords.class, "StoredExecutions", "to the operator"),
          passesOn(RecordWrites.class, "Ledger", "to the caller"),
          passesOn(RecordWrites.class, "RecordWrites", "to its caller; it notes its own fault"),
          passesOn(RecordWrites.class, "Parts", "to Ledger, and then to the caller"));

  /** The call, the class around all others that makes it, and what that catches there. */
  private record Found(Class<?> port, String caller, JavaMethodCall call) {
    String line() {
      return port.getName() + " by " + caller;
    }

    Stream<JavaClass> caught() {
      return call.getOrigin().getTryCatchBlocks().stream()
          .filter(block -> block.getAccessesContainedInTryBlock().stream().anyMatch(this::makes))
          .flatMap(block -> block.getCaughtThrowables().stream());
    }

    /** Whether this is the call, or has it made in spite of an interrupt. */
    private boolean makes(JavaAccess<?> access) {
      return access.equals(call)
          || (call.isDeclaredInLambda()
              && access.getTargetOwner().isEquivalentTo(Uninterrupted.class));
    }
  }

  private static Stream<Found> found() {
    Set<Class<?>> ports = LINES.stream().map(Line::port).collect(Collectors.toSet());
    return API.stream()
        .flatMap(type -> type.getMethodCallsFromSelf().stream())
        .filter(call -> !PLAIN.contains(call.getTarget().getName()))
        .flatMap(
            call ->
                ports.stream()
                    .filter(port -> call.getTargetOwner().getName().equals(port.getName()))
                    .filter(port -> isOfPort(port, call))
                    .map(port -> new Found(port, caller(call.getOriginOwner()), call)));
  }

  @Test
  @DisplayName("of all modules are kept from a thread's interrupt by one class, which restores it")
  void clearing() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      List<String> clear = new ArrayList<>();
      for (Path file : files.filter(CallsOutTest::isOfLibrary).toList()) {
        if (Files.readString(file).contains("interrupted()")) {
          clear.add("" + file.getFileName());
        }
      }
      assertEquals(List.of("Uninterrupted.java"), clear);
    }
  }

  /** Whether it is a source of what users run; the kits of tests are not. */
  private static boolean isOfLibrary(Path file) {
    return file.toString().matches("\\.\\./(?!tck/|mutants/)[^/]+/src/main/.*\\.java");
  }

  /** Not a static method, which makes one. */
  private static boolean isOfPort(Class<?> port, JavaMethodCall call) {
    return Arrays.stream(port.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .anyMatch(method -> method.getName().equals(call.getTarget().getName()));
  }

  private static String caller(JavaClass type) {
    return type.getName().replaceAll("^.*\\.|\\$.*$", "");
  }

  @Test
  @DisplayName("is called by the classes that say what becomes of what it throws, and no others")
  void callers() {
    assertEquals(
        LINES.stream().map(Line::call).sorted().toList(),
        found().map(Found::line).distinct().sorted().toList());
  }

  @Test
  @DisplayName("is called where what it throws is caught, if the class says so")
  void caught() {
    for (Line line : LINES) {
      Class<? extends Throwable> type = line.caught();
      if (type != null) {
        assertTrue(
            found()
                .filter(one -> one.line().equals(line.call()))
                .allMatch(one -> one.caught().anyMatch(caught -> caught.isAssignableFrom(type))),
            () -> line.call() + " does not catch " + type.getName() + ": " + line.does());
      }
    }
  }

  @Test
  @DisplayName("of a sender is called where an interrupt is told from a failure")
  void interrupts() {
    for (Class<?> port : List.of(Sender.class, Sender.One.class)) {
      assertTrue(
          found()
              .filter(one -> one.port().equals(port))
              .allMatch(one -> one.caught().anyMatch(type -> type.isEquivalentTo(INTERRUPT))),
          port::getName);
    }
  }
}
