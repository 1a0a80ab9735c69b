package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.kernel.Run;
import dev.tidemark.tck.Oracle;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * A run that is wrong in one way: the sources of the kernel with a few words replaced, compiled,
 * and loaded beside the sound ones.
 *
 * @param name the defect
 * @param edits what is replaced
 */
record RunMutant(String name, List<Edit> edits) {
  private static final Path KERNEL = Path.of("../api/src/main/java/dev/tidemark/kernel");

  /**
   * What is replaced in one class.
   *
   * @param type the simple name of the class in the kernel
   * @param sound text that the source has once
   * @param wrong what stands in its place
   */
  record Edit(String type, String sound, String wrong) {}

  static RunMutant named(String name, String type, String sound, String wrong) {
    return new RunMutant(name, List.of(new Edit(type, sound, wrong)));
  }

  RunMutant and(String type, String sound, String wrong) {
    List<Edit> all = new ArrayList<>(edits);
    all.add(new Edit(type, sound, wrong));
    return new RunMutant(name, all);
  }

  /** Lets it live as the sound run does, and gives what was found, if anything was. */
  Optional<AssertionError> findings(Path folder, long seed, int lives) throws Exception {
    compile(folder);
    List<URL> urls = new ArrayList<>(List.of(folder.resolve("classes").toUri().toURL()));
    for (Class<?> one : List.of(Run.class, Oracle.class, RunTrial.class)) {
      urls.add(url(one));
    }
    try (Mutated loader = new Mutated(urls)) {
      loader
          .loadClass(RunTrial.class.getName())
          .getMethod("run", long.class, int.class)
          .invoke(null, seed, lives);
      return Optional.empty();
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof AssertionError found) {
        return Optional.of(found);
      }
      throw e;
    }
  }

  private void compile(Path folder) throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    String classPath = location(Run.class) + File.pathSeparator + location(Nullable.class);
    List<String> arguments =
        new ArrayList<>(
            List.of("-proc:none", "-nowarn", "-d", "" + classes, "-classpath", classPath));
    for (Edit edit : edits) {
      Path wrong = folder.resolve(edit.type() + ".java");
      Files.writeString(wrong, edited(edit));
      arguments.add("" + wrong);
    }
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertEquals(0, failed, () -> "the mutant '" + name + "' does not compile");
  }

  private String edited(Edit edit) throws IOException {
    Path source = KERNEL.resolve(edit.type() + ".java");
    String sound = Files.readString(source);
    int first = sound.indexOf(edit.sound());
    assertTrue(
        first >= 0 && first == sound.lastIndexOf(edit.sound()),
        () ->
            source
                + " no longer has once what the mutant '"
                + name
                + "' replaces; let it replace what does the same now");
    return sound.replace(edit.sound(), edit.wrong());
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
      super(urls.toArray(URL[]::new), RunMutant.class.getClassLoader());
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
