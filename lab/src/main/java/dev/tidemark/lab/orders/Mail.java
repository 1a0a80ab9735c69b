package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.Event;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What is sent in one run: events of orders, some of them twice, with poison between them.
 *
 * @param events each once, in the order of time
 * @param letters in the order of sending
 * @param poison the bodies that nobody can read
 */
record Mail(List<Event> events, List<Letter> letters, Set<String> poison) {
  private static final int DISORDER = 30;

  /** The same seed makes the same mail, but for the events' dates. */
  static Mail of(Cell cell, Options options, Clock clock) {
    long seed = options.seed();
    List<Event> events = new OrderLives(seed, clock).events(options.orders());
    List<Letter> letters = Sending.withRepeats(events, seed).stream().map(Letter::of).toList();
    if (cell.carrier().equals("sqs") || cell.carrier().equals("lambda")) {
      letters = Sending.disordered(letters, DISORDER, seed); // as a standard queue may
    }
    int poison = cell.fault() == Fault.POISON ? Math.max(6, letters.size() / 30) : 3;
    List<Letter> all = Poisoning.among(letters, poison, seed);
    Set<String> bodies = new HashSet<>();
    all.forEach(letter -> bodies.add(letter.body()));
    letters.forEach(letter -> bodies.remove(letter.body()));
    return new Mail(events, all, bodies);
  }

  /** The letters in so many parts of about the same size. */
  List<List<Letter>> parts(int count) {
    List<List<Letter>> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(letters.subList(letters.size() * i / count, letters.size() * (i + 1) / count));
    }
    return parts;
  }

  /** Decides what happens when; the same seed decides the same. */
  static Random random(Options options) {
    return new Random(options.seed() * 31 + 7);
  }
}
