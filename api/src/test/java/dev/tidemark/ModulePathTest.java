package dev.tidemark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("On the module path")
final class ModulePathTest {
  private static final String NAME = "dev.tidemark.api";

  private static final Path INFO = Path.of("src/main/module/module-info.java");

  private static final List<Path> JARS =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
          .filter(one -> one.contains("jackson-") || one.contains("jspecify"))
          .map(Path::of)
          .toList();

  @TempDir Path folder;

  @Test
  @DisplayName("executions are there, since the module brings Jackson, and so is every package")
  void executions() throws Exception {
    assertWorks(load(Files.readString(INFO)));
  }

  @ParameterizedTest
  @DisplayName("neither would be there if the module did not say so")
  @ValueSource(
      strings = {
        "requires transitive com.fasterxml.jackson.databind;",
        "exports dev.tidemark.outbox;"
      })
  void mutants(String line) throws Exception {
    String sound = Files.readString(INFO);
    assertTrue(sound.contains(line), line);
    Module mutant = load(sound.replace(line, ""));
    assertThrows(Throwable.class, () -> assertWorks(mutant));
  }

  /** The module of this project's classes as a text describes it. */
  private Module load(String info) throws Exception {
    copy(
        Path.of(
            URI.create("" + Message.class.getProtectionDomain().getCodeSource().getLocation())));
    Path source = Files.writeString(folder.resolve("module-info.java"), info);
    String path = JARS.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-d",
                "" + folder,
                "--module-path",
                path,
                "--patch-module",
                NAME + "=" + folder,
                "" + source);
    assertEquals(0, failed);
    ModuleFinder finder =
        ModuleFinder.compose(ModuleFinder.of(folder), ModuleFinder.of(JARS.toArray(new Path[0])));
    Configuration resolved =
        ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.of(NAME));
    return ModuleLayer.boot()
        .defineModulesWithOneLoader(resolved, null)
        .findModule(NAME)
        .orElseThrow();
  }

  private static void assertWorks(Module module) throws Exception {
    ClassLoader loader = module.getClassLoader();
    Class<?> builder = loader.loadClass("dev.tidemark.execution.Executions");
    assertEquals(NAME, builder.getModule().getName());
    Class<?> records = loader.loadClass("dev.tidemark.store.RecordStore");
    Object none =
        Proxy.newProxyInstance(
            records.getClassLoader(), new Class<?>[] {records}, (proxy, method, arguments) -> null);
    Object made = builder.getMethod("of", String.class, records).invoke(null, "orders", none);
    assertTrue(builder.isInstance(made));
    assertEquals(packages(), exported(module.getDescriptor()));
  }

  private void copy(Path classes) throws IOException {
    try (Stream<Path> all = Files.walk(classes)) {
      for (Path one : all.toList()) {
        Path to = folder.resolve(classes.relativize(one).toString());
        if (Files.isDirectory(one)) {
          Files.createDirectories(to);
        } else {
          Files.copy(one, to);
        }
      }
    }
  }

  private static Set<String> exported(ModuleDescriptor module) {
    return module.exports().stream()
        .map(ModuleDescriptor.Exports::source)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> packages() throws IOException {
    Path sources = Path.of("src/main/java");
    try (Stream<Path> all = Files.walk(sources)) {
      return all.filter(one -> one.toString().endsWith(".java"))
          .map(one -> sources.relativize(one.getParent()).toString().replace(File.separator, "."))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
