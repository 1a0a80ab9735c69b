package dev.tidemark.mutants;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.opentest4j.TestAbortedException;

/**
 * A defect for its module's own tests to catch: the source of one class with a few words replaced,
 * compiled, and loaded beside the sound one with the tests.
 *
 * @param name what is wrong
 * @param source the class's source, from the folder of the module that runs the tests
 * @param sound text that the source has once
 * @param wrong what stands in its place
 * @param tests the test class that is there for it
 * @param test its method, which takes nothing
 */
public record SourceMutant(
    String name, Path source, String sound, String wrong, Class<?> tests, String test) {
  /** The tests that passed with the sound class by the way that mutants go. */
  private static final Set<String> SOUND = ConcurrentHashMap.newKeySet();

  @Override
  public String toString() {
    return name + ": " + tests.getSimpleName() + "#" + test;
  }

  /**
   * A defect of a class of the same module.
   *
   * @param name what is wrong
   * @param type the class's simple name, if its package is that of the tests; before it another
   *     package's folder, from that of the tests
   * @param sound text that its source has once
   * @param wrong what stands in its place
   * @param tests the test class that is there for it
   * @param test its method, which takes nothing
   * @return the mutant
   */
  public static SourceMutant of(
      String name, String type, String sound, String wrong, Class<?> tests, String test) {
    Path folder = Path.of("src/main/java", tests.getPackageName().replace('.', '/'));
    Path source = folder.resolve(type + ".java").normalize();
    return new SourceMutant(name, source, sound, wrong, tests, test);
  }

  /**
   * Runs the test with the sound class, once for all mutants that it is there for, and then with
   * the wrong one.
   *
   * @param folder an empty one, for what is compiled
   * @throws AssertionError if it fails with the sound class, or passes with the wrong one
   * @throws TestAbortedException if it needs what this machine lacks
   * @throws Exception if the mutant does not compile, or its words are no longer in the source
   */
  public void assertCaught(Path folder) throws Exception {
    String key = tests.getName() + "#" + test;
    if (!Mutated.AIM && !SOUND.contains(key)) {
      Throwable thrown = run(folder, List.of());
      if (thrown instanceof TestAbortedException aborted) {
        throw aborted;
      }
      if (thrown != null) {
        throw new AssertionError("red without the defect: " + this, thrown);
      }
      SOUND.add(key);
    }
    Throwable thrown = run(folder, List.of(new Edit(source, sound, wrong)));
    if (thrown == null || thrown instanceof TestAbortedException) {
      throw new AssertionError("not caught: " + this, thrown);
    }
    String said = String.valueOf(thrown.getMessage()).lines().limit(3).toList().toString();
    System.out.println("mutant caught: " + this + ": " + said);
  }

  /** Runs the test. Returns what it threw. */
  private @Nullable Throwable run(Path folder, List<Edit> edits) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (Mutated loader = Mutated.of(folder, edits)) {
      thread.setContextClassLoader(loader); // by which frameworks find classes
      return thrown(loader.loadClass(tests.getName()));
    } finally {
      thread.setContextClassLoader(before);
      var unused = Thread.interrupted(); // as a test that failed may have left it
    }
  }

  private @Nullable Throwable thrown(Class<?> type) throws Exception {
    try {
      call(type, BeforeAll.class, null);
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      Object scene = constructor.newInstance();
      try {
        call(type, BeforeEach.class, scene);
        Method method = type.getDeclaredMethod(test);
        method.setAccessible(true);
        method.invoke(scene);
      } finally {
        call(type, AfterEach.class, scene);
      }
      return null;
    } catch (InvocationTargetException e) {
      return Objects.requireNonNull(e.getCause());
    } finally {
      call(type, AfterAll.class, null);
    }
  }

  private static void call(
      Class<?> type, Class<? extends Annotation> annotation, @Nullable Object scene)
      throws Exception {
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        if (method.isAnnotationPresent(annotation)) {
          method.setAccessible(true);
          method.invoke(scene);
        }
      }
    }
  }
}
