package dev.tidemark.lab.orders;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** How handlers keep the views, in the {@link Proof}. */
enum Technique {
  /** By Tidemark. */
  ON,
  /** One delivery after another, under a guard as a careful person writes it. */
  HAND_WRITTEN,
  /** One delivery after another, each of which is trusted to come once. */
  OFF;

  /** As it is told. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether every row is right in the end. */
  boolean isGuarded() {
    return this != OFF;
  }

  /** All of them, in an order that moves on with each repetition. */
  static List<Technique> inTurn(int repetition) {
    int first = repetition % values().length;
    return Stream.concat(Stream.of(values()).skip(first), Stream.of(values()).limit(first))
        .toList();
  }
}
