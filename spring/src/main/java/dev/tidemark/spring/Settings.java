package dev.tidemark.spring;

import org.jspecify.annotations.Nullable;

/** Settings that others need. */
final class Settings {
  private Settings() {}

  static String required(String property, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw new SetupException(property + " is missing or empty.", "Set " + property + ".");
    }
    return value;
  }
}
