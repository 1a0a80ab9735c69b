package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An option that no random life draws is one that no random life tests. */
@DisplayName("The random lives draw")
final class EveryNativeOptionTest {
  @Test
  @DisplayName("every method of native updates")
  void methods() {
    Set<String> unused = new TreeSet<>();
    for (Method method : MongoNativeUpdate.class.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers())
          && method.getReturnType() == MongoNativeUpdate.class) {
        unused.add(name(method));
      }
    }
    int all = unused.size();
    new ClassFileImporter()
        .importClass(NativeChanges.class)
        .getAccessesFromSelf()
        .forEach(access -> unused.remove(access.getTarget().getFullName()));
    assertEquals(Set.of(), unused, () -> unused.size() + " of " + all + " are never drawn");
  }

  /** As the class files name it. */
  private static String name(Method method) {
    return "%s.%s(%s)"
        .formatted(
            method.getDeclaringClass().getName(),
            method.getName(),
            Arrays.stream(method.getParameterTypes())
                .map(Class::getName)
                .collect(Collectors.joining(", ")));
  }
}
