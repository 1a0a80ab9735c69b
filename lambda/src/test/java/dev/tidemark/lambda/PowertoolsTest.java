package dev.tidemark.lambda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.aspectj.weaver.loadtime.WeavingURLClassLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A handler with annotations of Powertools")
class PowertoolsTest {
  @Test
  @DisplayName("answers what it answers without them, and applies each message once")
  void annotated() throws Exception {
    List<URL> all = new ArrayList<>();
    List<URL> aspects = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      URL url = Path.of(entry).toUri().toURL();
      all.add(url);
      if (entry.contains("powertools-logging") || entry.contains("powertools-tracing")) {
        aspects.add(url);
      }
    }
    assertEquals(2, aspects.size(), () -> "" + aspects);
    try (var weaving =
        new WeavingURLClassLoader(
            all.toArray(URL[]::new),
            aspects.toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader())) {
      Class<?> type = weaving.loadClass(AnnotatedFunction.class.getName());
      assertTrue(
          Stream.of(type.getDeclaredMethods()).anyMatch(m -> m.getName().contains("aroundBody")),
          "nothing is woven");
      @SuppressWarnings("unchecked")
      var function =
          (Function<List<String>, List<String>>) type.getDeclaredConstructor().newInstance();
      List<String> bodies = List.of("order-1:5", "poison", "order-1:7");
      assertEquals(List.of("poison comes again", "the total is 12"), function.apply(bodies));
      assertEquals(List.of("poison comes again", "the total is 12"), function.apply(bodies));
    }
  }
}
