package dev.tidemark.lab.storm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The events of one ledger, wave by wave, and whether they leave it deleted. For one thread. */
final class Story {
  private static final int EVENTS_OF_A_KIND = 7;
  private static final double DELETES = 0.35;
  private static final double REVIVES = 0.7;

  private final int ledger;
  private final List<Event> events = new ArrayList<>();
  private final Map<Kind, Integer> last = new EnumMap<>(Kind.class);
  private int lifeEnds = Told.NEVER;
  private int lifeChanges = Told.NEVER;

  Story(int ledger) {
    this.ledger = ledger;
  }

  /** The new events of a wave, in the order in which they happened. */
  List<Event> next(int wave, Random random) {
    List<Event> fresh = new ArrayList<>();
    for (Kind kind : List.of(Kind.NOTE, Kind.PRICE, Kind.STOCK, Kind.STEP)) {
      int count = 1 + random.nextInt(2 * EVENTS_OF_A_KIND - 1);
      for (int i = 0; i < count; i++) {
        fresh.add(event(kind, random.nextBoolean()));
      }
    }
    fresh = inTurn(fresh, random);
    int lives = lives(wave, random);
    int from = wave == 0 ? 0 : random.nextInt(fresh.size());
    for (int i = 0; i < lives; i++) {
      fresh.add(from, event(Kind.LIFE, true));
      from += 1 + random.nextInt(fresh.size() - from);
    }
    events.addAll(fresh);
    return fresh;
  }

  /** Mixes the kinds, and keeps the order of each. */
  private static List<Event> inTurn(List<Event> events, Random random) {
    List<Kind> turns = new ArrayList<>(events.stream().map(Event::kind).toList());
    Collections.shuffle(turns, random);
    Map<Kind, List<Event>> byKind = new EnumMap<>(Kind.class);
    events.forEach(e -> byKind.computeIfAbsent(e.kind(), k -> new ArrayList<>()).add(e));
    List<Event> mixed = new ArrayList<>();
    turns.forEach(kind -> mixed.add(byKind.getOrDefault(kind, List.of()).remove(0)));
    return mixed;
  }

  /** How many deletes and revivals there are in a wave. */
  private int lives(int wave, Random random) {
    if (wave == 0) {
      return 1;
    }
    boolean revives = random.nextDouble() < REVIVES;
    if (isDeleted()) {
      lifeChanges = revives ? wave : lifeChanges;
      return revives ? 1 : 0;
    }
    if (random.nextDouble() >= DELETES) {
      return 0;
    }
    lifeEnds = wave;
    lifeChanges = wave;
    return revives ? 2 : 1;
  }

  private Event event(Kind kind, boolean creates) {
    return new Event(ledger, kind, last.merge(kind, 1, Integer::sum), creates);
  }

  int ledger() {
    return ledger;
  }

  /** All events so far. */
  List<Event> events() {
    return Collections.unmodifiableList(events);
  }

  /** Whether the ledger is deleted once all events are done. */
  boolean isDeleted() {
    return life() > 0 && life() % 2 == 0;
  }

  /** The position of the last event of the ledger's life. */
  int life() {
    return last.getOrDefault(Kind.LIFE, 0);
  }

  /** The last wave in which the ledger was deleted, or never. */
  int lifeEnds() {
    return lifeEnds;
  }

  /** The last wave in which the ledger was deleted or revived, or never. */
  int lifeChanges() {
    return lifeChanges;
  }
}
