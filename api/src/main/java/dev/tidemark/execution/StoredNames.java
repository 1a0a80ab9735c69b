package dev.tidemark.execution;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The names that types are stored under: a class's own name, or those that the user gives it. */
final class StoredNames {
  private final Map<Class<?>, List<String>> names;

  /**
   * Names of the user's.
   *
   * @param names of each type the one that is written, and behind it others that are read
   * @throws IllegalArgumentException if a name is empty, or is that of two types
   */
  StoredNames(Map<Class<?>, List<String>> names) {
    Set<String> known = new HashSet<>();
    names.forEach(
        (type, all) -> {
          for (String name : all) {
            if (name.isEmpty() || !known.add(name)) {
              throw new IllegalArgumentException(
                  "'%s', by which %s is stored, must not be empty nor given twice"
                      .formatted(name, type.getName()));
            }
          }
        });
    this.names = new LinkedHashMap<>(names);
  }

  /** The name that a type is written under. */
  String of(Class<?> type) {
    List<String> given = names.get(type);
    return given == null ? type.getName() : given.get(0);
  }

  /** Whether a type is read under a name. */
  boolean isOf(Class<?> type, String name) {
    return name.equals(type.getName()) || names.getOrDefault(type, List.of()).contains(name);
  }
}
