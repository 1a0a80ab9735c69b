package dev.tidemark.benchmarks;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the command line asks for.
 *
 * @param mode what to measure
 * @param stores where
 * @param rounds how often
 * @param techniques a part of the names of those to measure, or several with | between; empty for
 *     all
 * @param most to how many messages entities grow
 * @param publish whether the docs get the results
 */
record Options(
    Mode mode, List<String> stores, int rounds, String techniques, int most, boolean publish) {
  static final String USAGE =
      "usage: benchmarks/run [--jmh | --growth | --relay | --outbox] [--store dynamodb|mongodb] [--rounds N]"
          + " [--technique PART|PART…] [--most MESSAGES] [--publish]";
  private static final List<String> STORES = List.of("dynamodb", "mongodb");
  private static final int FEWEST = 2;

  /** What to measure. */
  enum Mode {
    TECHNIQUES,
    JMH,
    GROWTH,
    RELAY,
    OUTBOX
  }

  Options {
    if (rounds < FEWEST) { // an interval takes two
      throw new IllegalArgumentException("--rounds must be 2 or more, was " + rounds);
    }
    if (!STORES.containsAll(stores)) {
      throw new IllegalArgumentException("--store must be one of " + STORES + ", was " + stores);
    }
  }

  static Options of(String... arguments) {
    Options options = new Options(Mode.TECHNIQUES, STORES, 8, "", 100_000, false);
    Deque<String> rest = new ArrayDeque<>(List.of(arguments));
    while (!rest.isEmpty()) {
      options = options.with(rest.remove(), rest);
    }
    return options;
  }

  /** Whether a technique is to be measured. */
  boolean names(String technique) {
    return Stream.of(techniques.split("\\|")).anyMatch(technique::contains);
  }

  private Options with(String name, Deque<String> rest) {
    return switch (name) {
      case "--jmh" -> new Options(Mode.JMH, stores, rounds, techniques, most, publish);
      case "--growth" -> new Options(Mode.GROWTH, stores, rounds, techniques, most, publish);
      case "--relay" -> new Options(Mode.RELAY, stores, rounds, techniques, most, publish);
      case "--outbox" -> new Options(Mode.OUTBOX, stores, rounds, techniques, most, publish);
      case "--publish" -> new Options(mode, stores, rounds, techniques, most, true);
      case "--store" ->
          new Options(mode, List.of(value(name, rest)), rounds, techniques, most, publish);
      case "--technique" -> new Options(mode, stores, rounds, value(name, rest), most, publish);
      case "--rounds" -> new Options(mode, stores, number(name, rest), techniques, most, publish);
      case "--most" -> new Options(mode, stores, rounds, techniques, number(name, rest), publish);
      default -> throw new IllegalArgumentException("unknown option " + name);
    };
  }

  private static String value(String name, Deque<String> rest) {
    if (rest.isEmpty()) {
      throw new IllegalArgumentException(name + " takes a value");
    }
    return rest.remove();
  }

  private static int number(String name, Deque<String> rest) {
    String value = value(name, rest);
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " takes a number, was '" + value + "'", e);
    }
  }
}
