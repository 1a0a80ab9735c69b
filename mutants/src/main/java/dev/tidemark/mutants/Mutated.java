package dev.tidemark.mutants;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.opentest4j.TestAbortedException;

/** Loads the classes of this project anew, those first that are wrong. */
public final class Mutated extends URLClassLoader {
  /**
   * Whether {@code -Dmutants.aim} asks for no more than that each mutant finds its words and
   * compiles; its test is skipped then.
   */
  static final boolean AIM = Boolean.getBoolean("mutants.aim");

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Knows the class path, whose archives take longer to open than a source takes to compile. */
  private static final StandardJavaFileManager FILES = files();

  private Mutated(Path classes) throws IOException {
    super(urls(classes), Mutated.class.getClassLoader());
  }

  private static StandardJavaFileManager files() {
    StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null);
    try {
      files.setLocationFromPaths(StandardLocation.CLASS_PATH, classPath());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return files;
  }

  private static List<Path> classPath() {
    List<Path> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      entries.add(Path.of(entry));
    }
    return entries;
  }

  private static URL[] urls(Path classes) throws MalformedURLException {
    List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
    for (Path entry : classPath()) {
      urls.add(entry.toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /**
   * Compiles sources with what is wrong in them.
   *
   * @param folder an empty one, for what is compiled
   * @param edits what is wrong; nothing for the sound classes
   * @return loads them, and the others of this project beside them
   * @throws TestAbortedException if {@code -Dmutants.aim} asks for no more than that they compile
   */
  public static Mutated of(Path folder, List<Edit> edits) throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<Path> sources = new ArrayList<>();
    for (Edit edit : edits) {
      sources.add(edit.into(folder));
    }
    if (!sources.isEmpty() && !isCompiled(sources, classes)) {
      throw new IllegalStateException("does not compile: " + edits);
    }
    if (AIM && !edits.isEmpty()) {
      throw new TestAbortedException("compiles; -Dmutants.aim asks for no more");
    }
    return new Mutated(classes);
  }

  private static synchronized boolean isCompiled(List<Path> sources, Path classes)
      throws IOException {
    FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
    return COMPILER
        .getTask(
            null,
            FILES,
            null,
            List.of("-proc:none", "-nowarn"),
            null,
            FILES.getJavaFileObjectsFromPaths(sources))
        .call();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("dev.tidemark.") || name.startsWith("dev.tidemark.mutants.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }
}
