package dev.tidemark.tck;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Runs on backends that are open already, by names that a launcher's parameters can carry. */
final class MutantRuns {
  private static final Map<String, SuiteRun> OPEN = new ConcurrentHashMap<>();

  private MutantRuns() {}

  static Optional<SuiteRun> find(String name) {
    return Optional.ofNullable(OPEN.get(name));
  }

  static String open(Backend backend, Report report) {
    String name = "mutant-" + UUID.randomUUID();
    OPEN.put(name, new SuiteRun(backend, report, false));
    return name;
  }

  static void close(String name) {
    OPEN.remove(name);
  }
}
