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
          LateAnswersTest.class,
          InterruptsTest.class,
          ExecutionStepsTest.class,
          ExecutionPartsTest.class,
          ExecutionFaultsTest.class,
          FlowTest.class,
          CompletionTest.class,
          ReadBackTest.class,
          MapperTest.class,
          HandedInTest.class,
          FingerprintTest.class,
          CompletionBesideRunTest.class);

  private static final Path SOURCES = Path.of("src/main/java/dev/tidemark/execution");

  @TempDir Path folder;

  @ParameterizedTest(name = "{0}")
  @MethodSource({
    "dev.tidemark.execution.ExecutionMutants#all",
    "dev.tidemark.execution.ResultMutants#all"
  })
  void caught(ExecutionMutants.Edit mutant) throws Exception {
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
    Thread thread = Thread.currentThread();
    ClassLoader outer = thread.getContextClassLoader();
    try (Mutated loader = new Mutated(urls)) {
      thread.setContextClassLoader(loader); // by which Jackson finds the classes that it is told
      for (Class<?> one : TESTS) {
        Class<?> tests = loader.loadClass(one.getName());
        for (Method test : tests.getDeclaredMethods()) {
          if (isTest(test) && !passes(tests, test)) {
            red.add(test.getName());
          }
        }
      }
    } finally {
      thread.setContextClassLoader(outer);
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
    } finally {
      var unused = Thread.interrupted(); // as a test that failed may have left it
    }
  }

  private Path compiled(ExecutionMutants.Edit edit) throws IOException {
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
