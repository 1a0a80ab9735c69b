package dev.tidemark.example.orderhistory.store;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;

/** What generations are on both stores: the numbers of two of them are stored, by a name each. */
abstract class StoredGenerations implements Generations {
  private static final String SERVING = "serving";
  private static final String REBUILD = "rebuild";

  private final boolean announces;
  private final ServingNumber serving;
  private final ConcurrentMap<Integer, ViewStore> stores = new ConcurrentHashMap<>();

  StoredGenerations(Clock clock, boolean announces) {
    this.announces = announces;
    this.serving = new ServingNumber(this::stored, clock);
  }

  /** The number that is stored. */
  abstract OptionalInt number(String name);

  abstract void put(String name, int number);

  /** Stores a number unless there is one; gives the one that is there now. */
  abstract int putIfAbsent(String name, int number);

  abstract void remove(String name);

  /** The views of a generation, as the store has them. */
  abstract ViewStore views(int number, boolean rebuilding);

  /** What rows of a generation have published; empty if the generation is not there. */
  abstract Optional<OutboxRecords> outbox(int number);

  private int stored() {
    return number(SERVING).orElse(1);
  }

  @Override
  public final int serving() {
    return serving.get();
  }

  @Override
  public final ViewStore generation(int number) {
    return stores.computeIfAbsent(number, n -> announcing(n, false));
  }

  @Override
  public final ViewStore rebuilding(int number) {
    return announcing(number, true);
  }

  private ViewStore announcing(int number, boolean rebuilding) {
    return AnnouncingOrders.in(views(number, rebuilding), number, rebuilding, announces);
  }

  @Override
  public final void serve(int number) {
    put(SERVING, number);
    serving.forget();
  }

  @Override
  public final int beginRebuild() {
    return putIfAbsent(REBUILD, stored() + 1);
  }

  @Override
  public final void endRebuild() {
    remove(REBUILD);
  }

  @Override
  public final boolean announces() {
    return announces;
  }

  @Override
  public final List<OutboxRecords> outboxes() {
    int now = serving();
    return IntStream.rangeClosed(Math.max(1, now - 1), now)
        .mapToObj(this::outbox)
        .flatMap(Optional::stream)
        .toList();
  }
}
