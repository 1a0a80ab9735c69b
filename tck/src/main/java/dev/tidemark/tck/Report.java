package dev.tidemark.tck;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What one suite found: which laws hold, what was missing, what it cost. For one thread. */
public final class Report {
  private final Map<Law, Set<Capability>> missing = new EnumMap<>(Law.class);
  private final Set<Law> held = EnumSet.noneOf(Law.class);
  private final List<String> broken = new ArrayList<>();
  private final Map<String, Backend.Cost> costs = new TreeMap<>();

  Report() {}

  /**
   * Notes a cost, to be printed and compared with the page of guarantees.
   *
   * @param what operation and outcome
   * @param cost what it took
   */
  public void cost(String what, Backend.Cost cost) {
    costs.put(what, cost);
  }

  void held(Law law) {
    held.add(law);
  }

  void broken(String contract) {
    broken.add(contract);
  }

  void missing(Law law, Capability capability) {
    missing.computeIfAbsent(law, l -> EnumSet.noneOf(Capability.class)).add(capability);
  }

  /** The names of the contracts that did not hold. */
  List<String> broken() {
    return broken;
  }

  /** Whether all contracts ran and none failed, so that the page can be compared. */
  boolean isComplete() {
    Set<Law> seen = EnumSet.copyOf(held.isEmpty() ? EnumSet.noneOf(Law.class) : held);
    seen.addAll(missing.keySet());
    return broken.isEmpty() && seen.size() == Law.values().length;
  }

  /** Rows of laws. */
  Map<String, String> laws() {
    Map<String, String> rows = new LinkedHashMap<>();
    for (Law law : Law.values()) {
      String number = law.number().isEmpty() ? "" : law.number() + ". ";
      rows.put(number + law.title(), cell(law));
    }
    return rows;
  }

  private String cell(Law law) {
    Set<Capability> absent = missing.getOrDefault(law, Set.of());
    String names = absent.stream().map(Capability::name).collect(Collectors.joining(", "));
    if (!held.contains(law)) {
      return "missing " + names;
    }
    return names.isEmpty() ? "held" : "held but for " + names;
  }

  /** Rows of missing capabilities, of those that some contract needed. */
  Map<String, String> sentences(Backend backend) {
    Map<String, String> rows = new LinkedHashMap<>();
    missing.values().stream()
        .flatMap(Set::stream)
        .distinct()
        .sorted()
        .forEach(c -> rows.put(c.name(), backend.missing().getOrDefault(c, "")));
    return rows;
  }

  /** Rows of requests. */
  Map<String, String> requests() {
    Map<String, String> rows = new LinkedHashMap<>();
    costs.forEach((what, cost) -> rows.put(what, requests(cost)));
    return rows;
  }

  private static String requests(Backend.Cost cost) {
    String reads = count(cost.reads(), "read");
    String writes = count(cost.writes(), "write");
    return reads.isEmpty() || writes.isEmpty() ? reads + writes : reads + ", " + writes;
  }

  private static String count(int count, String what) {
    return count == 0 ? "" : count + " " + what + (count == 1 ? "" : "s");
  }

  /** The costs as a table of lines. */
  String printed(String name) {
    StringBuilder table = new StringBuilder("Cost on " + name + ": outcome, requests, units\n");
    costs.forEach(
        (what, cost) ->
            table.append(
                String.format(
                    Locale.ROOT,
                    "  %-50s %-18s %s%n",
                    what,
                    requests(cost),
                    cost.units() > 0 ? cost.units() : "not reported")));
    return table.toString();
  }
}
