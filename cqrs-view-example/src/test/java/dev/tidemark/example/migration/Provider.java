package dev.tidemark.example.migration;

import java.util.LinkedHashMap;
import java.util.Map;

/** Of payments, with keys of its own; it counts its calls. */
public final class Provider {
  private final Map<String, String> charges = new LinkedHashMap<>();
  int calls;

  /** Charges once for each key. */
  String charge(String key, int cents) {
    calls++;
    return charges.computeIfAbsent(key, any -> "charge of " + cents);
  }
}
