package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Executions that are wrong in one way each: their sources with a few words replaced. */
@DisplayName("The tests of executions catch")
final class ExecutionMutantsTest {
  private static final List<Class<?>> TESTS =
      List.of(
          ExecutionsTest.class,
          ExecutionLeasesTest.class,
          ExecutionStepsTest.class,
          ExecutionPartsTest.class,
          ExecutionFaultsTest.class,
          FlowTest.class,
          CompletionTest.class,
          CompletionBesideRunTest.class);

  private static final Path SOURCES = Path.of("src/main/java/dev/tidemark/execution");

  /**
   * A defect.
   *
   * @param name what is wrong
   * @param type the class it is in
   * @param sound text that the class's source has once
   * @param wrong what stands in its place
   */
  record Edit(String name, String type, String sound, String wrong) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Edit> mutants() {
    return List.of(
        new Edit(
            "a loser that does not notice",
            "Owner",
            "lost = true;\n      throw new ExecutionStoppedException(\"another owner took the key over\");",
            "own = next;"),
        new Edit(
            "a timestamp as revision",
            "Claims",
            "return new ExecutionRecord(\n        UUID.randomUUID().toString(),\n        State.RUNNING,",
            "return new ExecutionRecord(\n        Long.toString(now),\n        State.RUNNING,"),
        new Edit(
            "a lease that is over in its last millisecond",
            "ClaimJudge",
            "found.leaseEnd() - now + 1)",
            "found.leaseEnd() - now)"),
        new Edit(
            "a missing deadline that reads as over",
            "ClaimJudge",
            "if (found.leaseEnd() <= 0) {",
            "if (found.leaseEnd() < 0) {"),
        new Edit(
            "a missing deadline that reads as endless",
            "ClaimJudge",
            "return watched.isNegative() ? Duration.ZERO : watched.plusMillis(1);",
            "return length;"),
        new Edit(
            "a fault of the store that is stored as a failure",
            "Executions",
            "&& (error instanceof TidemarkException\n            || ",
            "&& ("),
        new Edit(
            "an error of the store's client that is stored as a failure",
            "Executions",
            "            || owner.isFault(error)\n",
            ""),
        new Edit(
            "a cause that makes a fault of the store a failure",
            "Executions",
            "causes > 0 &&",
            "causes < 0 &&"),
        new Edit(
            "a step in doubt that was never said to begin",
            "Owner",
            "if (known == null) {",
            "if (known != null) {"),
        new Edit(
            "a finished record that an escaped step overwrites",
            "Owner",
            "if (hasStopped() || ended) {",
            "if (hasStopped()) {"),
        new Edit(
            "an interrupted thread that spins",
            "Claims",
            "if (stopped || waiting.isNegative()",
            "if (waiting.isNegative()"),
        new Edit(
            "a step that acts again since a person named another one",
            "Claims",
            "if (known == null || known.done()) {",
            "if (known != null && known.done()) {"),
        new Edit(
            "a step that acts again since another one was settled",
            "Claims",
            "if (said.isEmpty()) {",
            "if (!points.isEmpty()) {"),
        new Edit(
            "a write that is not looked for",
            "Claims",
            "verdict.isOpen() && hasWrite(Objects.requireNonNull(found))",
            "verdict == Verdict.TAKE_OVER && hasWrite(Objects.requireNonNull(found))"),
        new Edit(
            "work that is done anew, and written under the message of before",
            "Claims",
            "stored == null\n",
            "stored == null || point != null\n"),
        new Edit(
            "a write that each attempt makes under a message of its own",
            "Claims",
            "points.putIfAbsent(Ending.BY_WRITE,",
            "points.put(Ending.BY_WRITE,"),
        new Edit(
            "a last write by an owner that has lost its key",
            "Executions",
            "if (owner.hasStopped()) {\n      return owner.stopped();\n    }\n    try {",
            "try {"),
        new Edit(
            "a write that is forgotten before its key",
            "Claims",
            "told.get().compareTo(unfinishedFor) < 0",
            "told.get().compareTo(keptFor) < 0"),
        new Edit(
            "what a completion throws behind its write, as the work's failure",
            "Ending",
            "owner.release(e);",
            "owner.fail(\"thrown\");"),
        new Edit(
            "a null that a method returned, and that leaves its key free",
            "Owner",
            "if (value == null) {\n      park();",
            "if (value == null) {\n      release();"),
        new Edit(
            "work that runs again without its completion",
            "ClaimJudge",
            "if (found.isOpen() && !live && isElsewhere) {",
            "if (found.isOpen() && live && isElsewhere) {"),
        new Edit(
            "a silent owner's completion that waits for a person",
            "ClaimJudge",
            "&& !live && isElsewhere) {",
            "&& !live && !parks && isElsewhere) {"),
        new Edit(
            "a completion that was given up and shuts out the version before",
            "Owner",
            "if (untried) {",
            "if (untried && named.size() > 9) {"),
        new Edit(
            "a write that was tried, and counts as given up",
            "Owner",
            "untried = false;",
            "ended = false;"),
        new Edit(
            "a write that an earlier attempt tried, and counts as given up",
            "Owner",
            "before == null || !before.points().containsKey(Ending.BY_WRITE);",
            "true;"),
        new Edit(
            "a write that was tried, and is released with a step in doubt",
            "Claims",
            "if (write != null) {",
            "if (write != null && write.done()) {"),
        new Edit(
            "a write that may have been made, as a step in doubt",
            "Owner",
            " && !point.getKey().equals(Ending.BY_WRITE)",
            ""),
        new Edit(
            "a step that passes for a completion's write",
            "Owner",
            "name.isEmpty() || name.equals(Ending.BY_WRITE) ||",
            "name.isEmpty() ||"),
        new Edit(
            "a released execution that is always the first to go on",
            "Claims",
            "case RELEASED -> now - 1;",
            "case RELEASED -> 0;"),
        new Edit(
            "a failure whose code cannot be told that leaves its key running",
            "Executions",
            "return storing.codeOf(error);\n    } catch (RuntimeException e) {",
            "return storing.codeOf(error);\n    } catch (IllegalStateException e) {"),
        new Edit(
            "a forgotten flow that runs anew",
            "Flow",
            "if (claims.isForgotten(found)) {",
            "if (found.flow().isEmpty()) {"),
        new Edit(
            "a request that cannot be read and stays the first",
            "Flow",
            "claims.pass(key, found); // does",
            "// does"),
        new Edit(
            "a flow whose time is over and that stays the first",
            "Flow",
            "claims.pass(key, found);\n      return",
            "return"),
        new Edit(
            "parts that are forgotten before what names them",
            "Claims",
            "expires(now(), longer(known, unfinishedFor.plus(keptFor)))",
            "expires(now(), keptFor.minusSeconds(60))"),
        new Edit(
            "parts that are forgotten before a claim that its completion prolongs",
            "Claims",
            "Math.max(record.expires(), after)",
            "after"),
        new Edit(
            "parts that are forgotten before the write that they tell of",
            "Claims",
            "longer(known, unfinishedFor.plus(keptFor))",
            "unfinishedFor.plus(keptFor)"),
        new Edit(
            "a claim that is forgotten before the write that ends its work",
            "Claims",
            "longer(unfinishedFor, ending.toldFor())",
            "unfinishedFor"),
        new Edit(
            "a result that is forgotten before the write that told it",
            "Claims",
            "Duration known = longer(keptFor, ending.toldFor());",
            "Duration known = keptFor;"),
        new Edit(
            "a step that shortens the time for which its claim is kept",
            "Claims",
            "Math.max(soonest, expires(now, known))",
            "expires(now, known)"),
        new Edit(
            "parts that are forgotten before a record that went on",
            "Ledger",
            ">= record.expires()) {",
            ">= 0) {"),
        new Edit(
            "short results that are too many",
            "Ledger",
            "(json.length() < LONG && bytes(json) <= room)",
            "json.length() < LONG"),
        new Edit(
            "a step found by its place",
            "Owner",
            "Point known = points.get(name);",
            "Point known = points.values().stream().skip(named.size() - 1L).findFirst().orElse(null);"),
        new Edit(
            "a fingerprint of the key alone",
            "Executions",
            "return new Call(at(key), json.fingerprint(request), flow",
            "return new Call(at(key), json.fingerprint(key), flow"),
        new Edit(
            "expiry that is left to the store",
            "ClaimJudge",
            "return found.expires() > 0 && found.expires() <= now / 1000;",
            "return false;"),
        new Edit(
            "a claim whose lost reply is taken for another's",
            "ExecutionRecord",
            "return revision.equals(other.revision);",
            "return this == other;"),
        new Edit(
            "a step that acts before it is known to begin",
            "Owner",
            "begin(name, known);\n",
            "effect.act(downstreamKey);\n    begin(name, known);\n"),
        new Edit(
            "a step in doubt that acts again",
            "Owner",
            "if (doubt.parks()) {",
            "if (doubt.parks() && named.isEmpty()) {"),
        new Edit(
            "a fence that starts anew",
            "Claims",
            "Math.max(now, found == null ? 0 : found.fence() + 1)",
            "found == null ? 1 : found.fence() + 1"),
        new Edit(
            "a take-over on a stale snapshot",
            "Claims",
            "null, silent ? Kind.TAKEN_OVER : Kind.CLAIMED);\n      }\n",
            """
                        null, silent ? Kind.TAKEN_OVER : Kind.CLAIMED);
                  }
                  if (found != null && left != null) {
                    ledger.write(left.revision(), next);
                    return new Claim<>(new Owner(this, ledger, next, found), null, Kind.CLAIMED);
                  }
            """),
        new Edit(
            "a completion without a condition",
            "Owner",
            "ExecutionRecord found = ledger.write(own.revision(), next);\n",
            """
            ExecutionRecord found = ledger.write(own.revision(), next);
                if (found != null && !found.isOf(next) && state == State.DONE) {
                  found = ledger.write(found.revision(), next);
                }
            """),
        new Edit(
            "a removal that throttling or a lost reply ends",
            "Ledger",
            "return told(before, ask(() -> records.remove(key, before), null));",
            "return records.remove(key, before) instanceof Answer.Refused no ? no.found() : null;"),
        new Edit(
            "a removal that lost its reply and takes what came since",
            "Claims",
            "while (found != null && !isLive(key, found)) {",
            "while (found != null) {"),
        new Edit(
            "a record that is tried for ever",
            "Ledger",
            "if (found != null && found.revision().equals(before)) {",
            "if (found != null && found.revision().isEmpty()) {"),
        new Edit(
            "a deadline that is tried again like a lost reply",
            "Ledger",
            "late += none.late() ? 1 : 0;",
            "late += 0;"),
        new Edit(
            "keys of parts as long as the key",
            "Ledger",
            "String digest = Json.digest(key.getBytes(StandardCharsets.UTF_8));",
            "String digest = key;"),
        new Edit(
            "work that runs again where its result cannot be stored",
            "Owner",
            "park();\n      throw e;",
            "release();\n      throw e;"));
  }

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void caught(Edit mutant) throws Exception {
    List<String> red = red(compiled(mutant));
    System.out.println("execution mutant caught: " + mutant + ": " + red);
    assertFalse(red.isEmpty(), () -> "not caught: " + mutant);
  }

  @Test
  @DisplayName("nothing in the sound ones, by the same way")
  void sound() throws Exception {
    assertEquals(List.of(), red(Files.createDirectories(folder.resolve("classes"))));
  }

  /** The tests that fail with the classes of a folder in place of the sound ones. */
  private static List<String> red(Path classes) throws Exception {
    List<String> red = new ArrayList<>();
    List<URL> urls =
        List.of(classes.toUri().toURL(), url(Executions.class), url(ExecutionsTest.class));
    try (Mutated loader = new Mutated(urls)) {
      for (Class<?> one : TESTS) {
        Class<?> tests = loader.loadClass(one.getName());
        for (Method test : tests.getDeclaredMethods()) {
          if (isTest(test) && !passes(tests, test)) {
            red.add(test.getName());
          }
        }
      }
    }
    return red.stream().sorted().toList();
  }

  private static boolean isTest(Method method) {
    return Arrays.stream(method.getAnnotations())
        .anyMatch(a -> a.annotationType().getName().equals(Test.class.getName()));
  }

  private static boolean passes(Class<?> tests, Method test) throws Exception {
    test.setAccessible(true);
    try {
      var constructor = tests.getDeclaredConstructor();
      constructor.setAccessible(true);
      test.invoke(constructor.newInstance());
      return true;
    } catch (InvocationTargetException e) {
      return false;
    }
  }

  private Path compiled(Edit edit) throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Path source = SOURCES.resolve(edit.type() + ".java");
    String sound = Files.readString(source);
    int first = sound.indexOf(edit.sound());
    assertTrue(
        first >= 0 && first == sound.lastIndexOf(edit.sound()),
        () -> source + " no longer has once what '" + edit + "' replaces");
    Path wrong = folder.resolve(edit.type() + ".java");
    Files.writeString(wrong, sound.replace(edit.sound(), edit.wrong()));
    String classPath = System.getProperty("java.class.path");
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-nowarn",
                "-d",
                "" + classes,
                "-classpath",
                location(Executions.class) + File.pathSeparator + classPath,
                "" + wrong);
    assertEquals(0, failed, () -> "'" + edit + "' does not compile");
    return classes;
  }

  private static Path location(Class<?> type) {
    return Path.of(URI.create(url(type).toString()));
  }

  private static URL url(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  /** Loads the classes of this project anew, those that were changed first. */
  private static final class Mutated extends URLClassLoader {
    Mutated(List<URL> urls) {
      super(urls.toArray(URL[]::new), ExecutionMutantsTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("dev.tidemark.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
    }
  }
}
