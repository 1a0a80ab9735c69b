package dev.tidemark.tck;

import dev.tidemark.EntityKey;
import dev.tidemark.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Maps {@link View}s for the reference store. */
final class ViewMapper implements ReferenceMapper<View> {
  private static final Map<String, Class<?>> TYPES =
      Map.of(
          "status", String.class,
          "note", String.class,
          "total", Number.class,
          "lines", List.class,
          "tags", Set.class,
          "address", Map.class);

  private final boolean composite;

  ViewMapper(boolean composite) {
    this.composite = composite;
  }

  @Override
  public Map<String, Object> attributes(View view) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    put(attributes, "status", view.getStatus());
    put(attributes, "note", view.getNote());
    put(attributes, "total", view.getTotal());
    put(attributes, "lines", view.getLines());
    put(attributes, "tags", view.getTags());
    put(attributes, "address", view.getAddress());
    if (!composite) {
      put(attributes, "sort", view.getSort());
    }
    return attributes;
  }

  private static void put(Map<String, Object> attributes, String name, @Nullable Object value) {
    if (value != null) {
      attributes.put(name, Neutral.of(value));
    }
  }

  @Override
  public View entity(EntityKey key, Map<String, Object> attributes) {
    View view = new View();
    view.setId((String) key.parts().get(0));
    view.setSort(composite ? (String) key.parts().get(1) : (String) attributes.get("sort"));
    view.setStatus((String) attributes.get("status"));
    view.setNote((String) attributes.get("note"));
    view.setTotal((Long) attributes.get("total"));
    if (attributes.get("lines") instanceof List<?> lines) {
      view.setLines(new ArrayList<>(strings(lines)));
    }
    if (attributes.get("tags") instanceof Set<?> tags) {
      view.setTags(new LinkedHashSet<>(strings(List.copyOf(tags))));
    }
    if (attributes.get("address") instanceof Map<?, ?> address) {
      Map<String, String> copy = new LinkedHashMap<>();
      address.forEach((name, value) -> copy.put((String) name, (String) value));
      view.setAddress(copy);
    }
    return view;
  }

  private static List<String> strings(List<?> values) {
    return values.stream().map(String.class::cast).toList();
  }

  @Override
  public EntityKey key(View view) {
    String id = Objects.requireNonNullElse(view.getId(), "");
    return composite
        ? EntityKey.key(id, Objects.requireNonNullElse(view.getSort(), ""))
        : EntityKey.key(id);
  }

  @Override
  public void check(Operation operation) {
    List<String> segments = operation.path().segments();
    String name = segments.get(0);
    if (name.equals("id") || (composite && name.equals("sort"))) {
      throw new IllegalArgumentException("the key '" + name + "' cannot be changed");
    }
    Class<?> type = TYPES.get(name);
    if (type != null && segments.size() > 1) {
      type = type == Map.class ? String.class : Void.class;
    }
    if (name.equals("total")) {
      checkTotal(operation);
    }
    Class<?> given = given(operation);
    if (type != null && given != null && !type.isAssignableFrom(given)) {
      throw new IllegalArgumentException(
          "'" + operation.path() + "' is a " + type.getSimpleName() + " of the mapped class");
    }
  }

  /** The type that an operation makes or needs; null where it fits all. */
  private static @Nullable Class<?> given(Operation operation) {
    return switch (operation.kind()) {
      case ASSIGN, ASSIGN_IF_ABSENT -> operation.value().getClass();
      case INCREASE -> Number.class;
      case APPEND_ALL -> List.class;
      case ADD_ALL, REMOVE_ALL -> Set.class;
      case REMOVE -> null;
    };
  }

  private static void checkTotal(Operation operation) {
    boolean whole =
        switch (operation.kind()) {
          case ASSIGN, ASSIGN_IF_ABSENT, INCREASE -> isWhole(operation.value());
          case APPEND_ALL, ADD_ALL, REMOVE_ALL, REMOVE -> true;
        };
    if (!whole) {
      throw new IllegalArgumentException("'total' is a Long, which cannot hold the value");
    }
  }

  private static boolean isWhole(Object value) {
    return !(value instanceof Number number) || Neutral.of(number) instanceof Long;
  }
}
