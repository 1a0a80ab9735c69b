package dev.tidemark.lab.storm;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.marks.MarkCache;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * One storm over one store: wave after wave of deliveries, each of which goes on until all of them
 * are done, and after each wave a comparison of every effect with what was told. One thread runs
 * it.
 */
final class Storm implements AutoCloseable {
  /** Waves are so far apart that ledgers forget the notes of early ones. */
  private static final Duration BETWEEN_WAVES = Duration.ofMinutes(30);

  private static final int NODES = 3;
  private static final int CACHED = 1_000;

  private final Place place;
  private final Settings settings;
  private final PrintStream out;
  private final Clock clock;
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final Tally tally = new Tally();
  private final Weather weather;
  private final Script script;
  private final Workers workers;

  /**
   * Opens nodes on an empty place.
   *
   * @param around put around the store of each node
   * @param out told of each wave
   */
  Storm(
      Place place,
      Settings settings,
      UnaryOperator<EntityStore<Ledger>> around,
      PrintStream out,
      Clock clock) {
    this.place = place;
    this.settings = settings;
    this.out = out;
    this.clock = clock;
    this.weather = new Weather(place, settings);
    this.script = new Script(settings.seed(), settings.ledgers());
    Clock moved = new OffsetClock(clock, ahead::get);
    List<Calls> nodes =
        IntStream.range(0, NODES)
            .mapToObj(node -> place.node(moved, node == 0 ? cache() : null))
            .map(node -> new Calls(node.around(around)))
            .toList();
    this.workers = new Workers(nodes, tally, weather);
  }

  private static MarkCache cache() {
    return MarkCache.in(
        Caffeine.newBuilder().maximumSize(CACHED).<EntityKey, Object>build().asMap());
  }

  /** Runs it, and tells what came of it. */
  StormResult run() throws InterruptedException {
    Instant start = clock.instant();
    Set<String> wrong = new HashSet<>();
    Set<Event> undone = Set.of();
    for (int wave = 0; tally.deliveries() < settings.deliveries() && undone.isEmpty(); wave++) {
      undone = workers.run(wave, script.next(), settings.rounds());
      Map<String, String> found = new Audit(script.stories(), undone).wrong(place.ledgers());
      report(wave, undone, found, wrong);
      wrong.addAll(found.keySet());
      ahead.updateAndGet(before -> before.plus(BETWEEN_WAVES));
    }
    out.println("  " + tally.all());
    Duration took = Duration.between(start, clock.instant());
    return new StormResult(
        place.store(),
        settings,
        tally,
        undone.size(),
        wrong.size(),
        weather,
        place.requests(),
        took);
  }

  private void report(int wave, Set<Event> undone, Map<String, String> found, Set<String> known) {
    out.printf(
        "  wave %d: %,d deliveries so far, %,d requests; %d undone, %d wrong%n",
        wave, tally.deliveries(), place.requests(), undone.size(), found.size());
    Audit.examples(found, known).forEach(example -> out.println("    wrong: " + example));
    undone.stream().limit(5).forEach(event -> out.println("    undone: " + event));
  }

  @Override
  public void close() {
    workers.close();
  }
}
