package dev.tidemark.lab.orders;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Messages that nobody can read, each unlike any other, between those that can be. */
final class Poisoning {
  private Poisoning() {}

  /** The same letters with so much poison among them, in the lanes of their neighbours. */
  static List<Letter> among(List<Letter> letters, int count, long seed) {
    Random random = new Random(seed);
    List<Letter> all = new ArrayList<>(letters);
    for (int i = 0; i < count; i++) {
      int place = 1 + random.nextInt(all.size() - 1);
      Letter neighbour = all.get(place - 1);
      all.add(place, new Letter(neighbour.topic(), neighbour.key(), body(i, random)));
    }
    return all;
  }

  private static String body(int number, Random random) {
    String id = number + "-" + Long.toHexString(random.nextLong());
    return switch (number % 3) {
      case 0 -> "\u00ff\u00fe\u00c3( not an event " + id; // no UTF-8 either
      case 1 ->
          """
          {"type":"OrderTeleported","eventId":"%1$s","orderId":"%1$s","version":1,\
          "at":"2026-11-01T12:00:00Z"}"""
              .formatted(id);
      default ->
          """
          {"type":"OrderCreated","eventId":"%1$s","orderId":"%1$s","version":1,\
          "at":"2026-11-01T12:00:00Z","consumerId":"nobody","restaurant":"Nowhere","lines":[]}"""
              .formatted(id);
    };
  }
}
