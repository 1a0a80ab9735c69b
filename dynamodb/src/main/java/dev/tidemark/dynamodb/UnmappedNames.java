package dev.tidemark.dynamodb;

import dev.tidemark.Path;
import java.beans.Introspector;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.mapper.annotations.DynamoDbAttribute;

/** What to say of a name that a class does not map. */
final class UnmappedNames {
  private UnmappedNames() {}

  /** Names the path and what the class maps; the stored name, where the property's was given. */
  static IllegalArgumentException unmapped(Path path, Class<?> type, Set<String> mapped) {
    String last = path.segments().get(path.segments().size() - 1);
    String stored = storedName(type, last);
    return new IllegalArgumentException(
        "attribute '"
            + path
            + "' is not mapped by "
            + type.getSimpleName()
            + (stored == null
                ? ", which maps "
                    + mapped
                    + "; correct the name, or build the store with"
                    + " unmappedAttributes()"
                : ", whose property '" + last + "' is stored as '" + stored + "'"));
  }

  private static @Nullable String storedName(Class<?> type, String property) {
    for (Method method : type.getMethods()) {
      DynamoDbAttribute attribute = method.getAnnotation(DynamoDbAttribute.class);
      if (attribute != null && isOf(property, method.getName())) {
        return attribute.value();
      }
    }
    return null;
  }

  private static boolean isOf(String property, String method) {
    boolean is = method.startsWith("is");
    boolean prefixed = is || method.startsWith("get") || method.startsWith("set");
    return method.equals(property)
        || (prefixed && Introspector.decapitalize(method.substring(is ? 2 : 3)).equals(property));
  }
}
