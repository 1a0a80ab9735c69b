package dev.tidemark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.annotation.Annotation;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A defect of this module, for its own tests to catch.
 *
 * @param name what is wrong
 * @param type the class it is in, of the package of the tests; of another one with that before it
 * @param sound text that the class's source has once
 * @param wrong what stands in its place
 */
public record Edit(String name, String type, String sound, String wrong) {
  @Override
  public String toString() {
    return name;
  }

  /**
   * Compiles the source with what is wrong in it.
   *
   * @param folder an empty one, for what is compiled
   * @param tests the tests that are there for it
   * @return the names of the tests that fail with it, of the first class that has any
   */
  public List<String> red(Path folder, List<Class<?>> tests) throws Exception {
    return red(tests, compiled(folder, tests.get(0)));
  }

  /**
   * Runs tests with the classes of a folder in place of the sound ones.
   *
   * @param tests what to run
   * @param classes the folder
   * @return the names of the tests that fail, of the first class that has any
   */
  public static List<String> red(List<Class<?>> tests, Path classes) throws Exception {
    List<String> red = new ArrayList<>();
    List<URL> urls = List.of(classes.toUri().toURL(), url(Change.class), url(Edit.class));
    Thread thread = Thread.currentThread();
    ClassLoader outer = thread.getContextClassLoader();
    try (Mutated loader = new Mutated(urls)) {
      thread.setContextClassLoader(loader); // by which Jackson finds the classes that it is told
      for (Class<?> one : tests) {
        Class<?> type = loader.loadClass(one.getName());
        for (Method test : type.getDeclaredMethods()) {
          if (isMarked(test, Test.class) && !passes(type, test)) {
            red.add(test.getName());
          }
        }
        if (!red.isEmpty()) {
          break;
        }
      }
    } finally {
      thread.setContextClassLoader(outer);
    }
    return red.stream().sorted().toList();
  }

  private static boolean isMarked(Method method, Class<? extends Annotation> annotation) {
    return Arrays.stream(method.getAnnotations())
        .anyMatch(a -> a.annotationType().getName().equals(annotation.getName()));
  }

  private static boolean passes(Class<?> tests, Method test) throws Exception {
    var constructor = tests.getDeclaredConstructor();
    constructor.setAccessible(true);
    Object scene = constructor.newInstance();
    try {
      call(scene, test);
      return true;
    } catch (InvocationTargetException e) {
      return false;
    } finally {
      var unused = Thread.interrupted(); // as a test that failed may have left it
      for (Method method : tests.getDeclaredMethods()) {
        if (isMarked(method, AfterEach.class)) {
          call(scene, method);
        }
      }
    }
  }

  private static void call(Object scene, Method method) throws Exception {
    method.setAccessible(true);
    method.invoke(scene);
  }

  private Path compiled(Path folder, Class<?> tests) throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Path all = Path.of("src/main/java/dev/tidemark");
    Path own = Path.of("src/main/java", tests.getPackageName().replace('.', '/'));
    Path source = (type.contains("/") ? all : own).resolve(type + ".java");
    String text = Files.readString(source);
    int first = text.indexOf(sound);
    assertTrue(
        first >= 0 && first == text.lastIndexOf(sound),
        () -> source + " no longer has once what '" + name + "' replaces");
    Path edited = folder.resolve(source.getFileName());
    Files.writeString(edited, text.replace(sound, wrong));
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
                Path.of(URI.create(url(Change.class).toString())) + File.pathSeparator + classPath,
                "" + edited);
    assertEquals(0, failed, () -> "'" + name + "' does not compile");
    return classes;
  }

  private static URL url(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  /** Loads the classes of this project anew, those that were changed first. */
  private static final class Mutated extends URLClassLoader {
    Mutated(List<URL> urls) {
      super(urls.toArray(URL[]::new), Edit.class.getClassLoader());
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
