package dev.tidemark.dynamodb;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * What an extension knows of the classes that it met: one description a class, made of the class's
 * latest schema, since a query asks for it with every item. Safe for use by many threads.
 */
final class TrackedClasses {
  private final Map<Class<?>, TrackedClass> known = new ConcurrentHashMap<>();

  /** Null for a class that is not tracked. */
  @Nullable TrackedClass of(TableSchema<?> schema) {
    Class<?> type = schema.itemType().rawClass();
    TrackedClass before = known.get(type);
    if (before != null && before.isOf(schema)) {
      return before;
    }
    TrackedClass made = TrackedClass.of(schema);
    if (made != null) {
      known.put(type, made);
    }
    return made;
  }
}
