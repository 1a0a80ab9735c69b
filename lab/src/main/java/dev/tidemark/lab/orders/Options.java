package dev.tidemark.lab.orders;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param mode what to run
 * @param seed chooses events, places of poison and moments of faults
 * @param orders how many
 * @param stores which
 * @param carriers which; only the proof has none to choose
 * @param faults which
 * @param kills how many consumers die in one run of {@link Fault#KILL}
 * @param outage for how long a store is not to be reached
 */
record Options(
    Mode mode,
    long seed,
    int orders,
    List<String> stores,
    List<String> carriers,
    List<Fault> faults,
    int kills,
    Duration outage) {
  static final List<String> CARRIERS = List.of("kafka", "sqs", "fifo", "lambda", "change-stream");
  static final String USAGE =
      """
      usage: demo [--seed N] [--orders N] [--store dynamodb|mongodb]
             demo --carrier kafka|sqs|fifo|lambda|change-stream [the same options]
             demo --faults [--carrier …] [--fault …] [--kills N] [--outage SECONDS] [the same options]
             demo --storm [its own options]
             demo --serve [its own options]
      faults: %s"""
          .formatted(String.join(", ", Fault.all().stream().map(Fault::label).toList()));
  private static final Set<String> NAMES =
      Set.of(
          "--faults",
          "--seed",
          "--orders",
          "--store",
          "--carrier",
          "--fault",
          "--kills",
          "--outage");

  /** What to run. */
  enum Mode {
    /** The short proof. */
    PROOF,
    /** One carrier, without a fault. */
    CARRIER,
    /** Carriers under faults. */
    FAULTS
  }

  Options {
    if (orders < 10) { // fewer leave no room for every trouble
      throw new IllegalArgumentException("--orders must be 10 or more, was " + orders);
    }
    if (kills < 1) {
      throw new IllegalArgumentException("--kills must be 1 or more, was " + kills);
    }
    if (outage.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("--outage must be 1 or more, was " + outage.toSeconds());
    }
  }

  static Options of(String... args) {
    Map<String, String> given = given(args);
    boolean faults = given.containsKey("--faults");
    Mode mode = faults ? Mode.FAULTS : given.containsKey("--carrier") ? Mode.CARRIER : Mode.PROOF;
    for (String name : List.of("--fault", "--kills", "--outage")) {
      if (mode != Mode.FAULTS && given.containsKey(name)) {
        throw new IllegalArgumentException(name + " goes with --faults");
      }
    }
    return new Options(
        mode,
        number(given, "--seed", 1),
        Math.toIntExact(number(given, "--orders", mode == Mode.PROOF ? 220 : 200)),
        chosen(given, "--store", StoreServer.STORES),
        chosen(given, "--carrier", CARRIERS),
        mode == Mode.FAULTS ? faults(given.get("--fault")) : List.of(Fault.NONE),
        Math.toIntExact(number(given, "--kills", 50)),
        Duration.ofSeconds(number(given, "--outage", 20)));
  }

  private static Map<String, String> given(String... args) {
    Deque<String> rest = new ArrayDeque<>();
    for (String arg : args) {
      rest.addAll(List.of(arg.split("=", 2)));
    }
    Map<String, String> given = new HashMap<>();
    while (!rest.isEmpty()) {
      String name = rest.remove();
      if (!NAMES.contains(name)) {
        throw new IllegalArgumentException("unknown option " + name);
      }
      given.put(name, name.equals("--faults") || rest.isEmpty() ? "" : rest.remove());
    }
    return given;
  }

  private static long number(Map<String, String> given, String name, long otherwise) {
    String value = given.getOrDefault(name, Long.toString(otherwise));
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " takes a number, was '" + value + "'", e);
    }
  }

  private static List<String> chosen(Map<String, String> given, String name, List<String> all) {
    String value = given.get(name);
    if (value == null) {
      return all;
    }
    if (!all.contains(value)) {
      throw new IllegalArgumentException(name + " must be one of " + all + ", was '" + value + "'");
    }
    return List.of(value);
  }

  private static List<Fault> faults(@Nullable String label) {
    List<Fault> chosen =
        Fault.all().stream().filter(f -> label == null || f.label().equals(label)).toList();
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException(
          "--fault must be one of "
              + Arrays.toString(Fault.all().stream().map(Fault::label).toArray())
              + ", was '"
              + label
              + "'");
    }
    return chosen;
  }
}
