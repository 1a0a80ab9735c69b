package dev.tidemark.example.orderhistory.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** What the command line asks for. */
record Options(long seed, int orders, List<String> stores) {
  static final String USAGE = "usage: demo [--seed N] [--orders N] [--store dynamodb|mongodb]";
  private static final List<String> STORES = List.of("dynamodb", "mongodb");

  Options {
    if (orders < 10) { // fewer leave no room for every trouble
      throw new IllegalArgumentException("--orders must be 10 or more, was " + orders);
    }
    if (stores.isEmpty() || !STORES.containsAll(stores)) {
      throw new IllegalArgumentException("--store must be one of " + STORES + ", was " + stores);
    }
  }

  static Options of(String... args) {
    Options options = new Options(1, 2_000, STORES);
    Deque<String> rest = new ArrayDeque<>();
    for (String arg : args) {
      rest.addAll(List.of(arg.split("=", 2)));
    }
    while (!rest.isEmpty()) {
      String name = rest.remove();
      String value = rest.isEmpty() ? "" : rest.remove();
      options = options.with(name, value);
    }
    return options;
  }

  private Options with(String name, String value) {
    return switch (name) {
      case "--seed" -> new Options(number(name, value), orders, stores);
      case "--orders" -> new Options(seed, Math.toIntExact(number(name, value)), stores);
      case "--store" -> new Options(seed, orders, List.of(value));
      default -> throw new IllegalArgumentException("unknown option " + name);
    };
  }

  private static long number(String name, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " takes a number, was '" + value + "'", e);
    }
  }
}
