package dev.tidemark.lab.storm;

import dev.tidemark.lab.storm.Parcel.Way;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The deliveries of each wave, as the seed chooses them: new events in disorder, some of them
 * twice, and a few of the waves before. For one thread.
 */
final class Script {
  /** A twin may come so many waves later, which is within the horizon. */
  private static final int LATER = 2;

  private static final double TWIN = 0.35;
  private static final double LATE_TWIN = 0.04;
  private static final double AT_ONCE = 0.15;
  private static final double SINGLE = 0.55;
  private static final double DISORDER = 4;
  private static final int LEDGERS_OF_A_BATCH = 6;
  private static final int EVENTS_OF_A_LEDGER = 8;

  private final Random random;
  private final List<Story> stories;
  private final Deque<List<Event>> before = new ArrayDeque<>();
  private int wave;

  Script(long seed, int ledgers) {
    this.random = new Random(seed);
    this.stories = IntStream.range(0, ledgers).mapToObj(Story::new).toList();
  }

  /** All ledgers. */
  List<Story> stories() {
    return stories;
  }

  /** The parcels of the next wave. */
  List<Parcel> next() {
    List<Event> fresh = new ArrayList<>();
    List<Deque<Event>> lines = new ArrayList<>();
    for (Story story : stories) {
      List<Event> events = story.next(wave, random);
      fresh.addAll(events);
      lines.add(disordered(events, late(story)));
    }
    before.addFirst(fresh);
    if (before.size() > LATER) {
      before.removeLast();
    }
    wave++;
    return parcels(lines);
  }

  /** Twins of events of the waves before. */
  private List<Event> late(Story story) {
    return before.stream()
        .flatMap(List::stream)
        .filter(event -> event.ledger() == story.ledger() && random.nextDouble() < LATE_TWIN)
        .toList();
  }

  private record Placed(double at, Event event) {}

  /** Most events come near their place, a few anywhere. */
  private Deque<Event> disordered(List<Event> fresh, List<Event> late) {
    List<Placed> placed = new ArrayList<>();
    for (int i = 0; i < fresh.size(); i++) {
      placed.add(new Placed(i + random.nextGaussian() * DISORDER, fresh.get(i)));
      if (random.nextDouble() < TWIN) {
        placed.add(new Placed(random.nextDouble() * fresh.size(), fresh.get(i)));
      }
    }
    late.forEach(event -> placed.add(new Placed(random.nextDouble() * fresh.size(), event)));
    placed.sort(Comparator.comparingDouble(Placed::at));
    return new ArrayDeque<>(placed.stream().map(Placed::event).toList());
  }

  /** Cuts the lines of all ledgers into parcels, some of which two workers take at once. */
  private List<Parcel> parcels(List<Deque<Event>> lines) {
    List<Deque<Event>> open = new ArrayList<>(lines);
    List<Parcel> parcels = new ArrayList<>();
    while (!open.isEmpty()) {
      Parcel parcel = random.nextDouble() < SINGLE ? single(open) : batch(open);
      parcels.add(parcel);
      if (random.nextDouble() < AT_ONCE) {
        parcels.add(parcel);
      }
      open.removeIf(Deque::isEmpty);
    }
    return parcels;
  }

  private Parcel single(List<Deque<Event>> open) {
    Event event = open.get(random.nextInt(open.size())).removeFirst();
    Way way = List.of(Way.UPDATE, Way.APPLY, Way.NATIVE).get(random.nextInt(3));
    return new Parcel(List.of(event), way);
  }

  private Parcel batch(List<Deque<Event>> open) {
    List<Event> events = new ArrayList<>();
    int ledgers = 1 + random.nextInt(LEDGERS_OF_A_BATCH);
    for (int i = 0; i < ledgers; i++) {
      Deque<Event> line = open.get(random.nextInt(open.size()));
      int count = 1 + random.nextInt(EVENTS_OF_A_LEDGER);
      for (int n = 0; n < count && !line.isEmpty(); n++) {
        events.add(line.removeFirst());
      }
    }
    return new Parcel(events, random.nextBoolean() ? Way.QUEUE : Way.LOG);
  }
}
