package dev.tidemark.lab.orders;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a consumer has to know, in whatever process it is. Immutable.
 *
 * @param values by name
 */
record Brief(Map<String, String> values) {
  Brief {
    values = Map.copyOf(values);
  }

  /** Reads what {@link #args} wrote. */
  static Brief of(String... args) {
    Map<String, String> values = new HashMap<>();
    for (String arg : args) {
      String[] parts = arg.split("=", 2);
      values.put(parts[0], parts[1]);
    }
    return new Brief(values);
  }

  /** The same as arguments of a process. */
  List<String> args() {
    return values.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList();
  }

  /** This and more; what stands in both is taken from the other. */
  Brief and(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(values);
    all.putAll(more);
    return new Brief(all);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  String get(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("a consumer was not told its " + name);
    }
    return value;
  }

  int number(String name) {
    return Integer.parseInt(get(name));
  }

  int number(String name, int otherwise) {
    return has(name) ? number(name) : otherwise;
  }
}
