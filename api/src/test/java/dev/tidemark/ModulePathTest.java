package dev.tidemark;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

@DisplayName("On the module path")
final class ModulePathTest {
  private static final String NAME = "dev.tidemark.api";

  private static final List<Path> JARS =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
          .filter(one -> one.contains("jackson-") || one.contains("jspecify"))
          .map(Path::of)
          .toList();

  @TempDir Path folder;

  @Test
  @DisplayName("executions are there, since the module brings Jackson, and so is every package")
  void executions() throws Exception {
    Path classes =
        Path.of(URI.create("" + Message.class.getProtectionDomain().getCodeSource().getLocation()));
    copy(classes);
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
                "src/main/module/module-info.java");
    assertEquals(0, failed);
    ModuleFinder finder =
        ModuleFinder.compose(ModuleFinder.of(folder), ModuleFinder.of(JARS.toArray(new Path[0])));
    Configuration resolved =
        ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.of(NAME));
    ModuleLayer layer = ModuleLayer.boot().defineModulesWithOneLoader(resolved, null);
    Class<?> builder = layer.findLoader(NAME).loadClass("dev.tidemark.execution.Executions");
    assertEquals(NAME, builder.getModule().getName());
    Class<?> records = layer.findLoader(NAME).loadClass("dev.tidemark.execution.ExecutionRecords");
    Object none =
        Proxy.newProxyInstance(
            records.getClassLoader(), new Class<?>[] {records}, (proxy, method, arguments) -> null);
    Object made = builder.getMethod("of", String.class, records).invoke(null, "orders", none);
    assertTrue(builder.isInstance(made));
    assertEquals(packages(), exported(layer.findModule(NAME).orElseThrow().getDescriptor()));
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
