package dev.tidemark.example.orderhistory.store;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.Tracking;
import dev.tidemark.example.orderhistory.Announcements;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What generations are on both stores: the numbers of three of them are stored, by a name each. */
public abstract class StoredGenerations implements Generations {
  private static final String SERVING = "serving";
  private static final String REBUILD = "rebuild";
  private static final String NEWEST = "newest";

  private final Clock clock;
  private final boolean announces;
  private final ConcurrentMap<Integer, ViewStore> stores = new ConcurrentHashMap<>();
  private volatile Serving serving = new Serving(0, Instant.MIN);

  StoredGenerations(Clock clock, boolean announces) {
    this.clock = clock;
    this.announces = announces;
  }

  /** Which generation serves, as far as a process needs to know until it asks again. */
  private record Serving(int number, Instant until) {}

  /**
   * Opens the views. A client of DynamoDB connects when it is used, one of MongoDB at once.
   *
   * @param settings where they are
   * @param listener told of every tracked call, or null
   * @param clock times the moment for which the serving generation is remembered
   * @param dynamoDb asked only if the views are in DynamoDB
   * @return the caller's to close
   */
  public static Generations open(
      Settings settings,
      @Nullable StoreListener listener,
      Clock clock,
      Supplier<DynamoDbClient> dynamoDb) {
    boolean announces = settings.statusEvents();
    if (settings.store().equals("mongodb")) {
      MongoClient client = MongoClients.create(settings.mongodbUri());
      return new MongoGenerations(client, settings.mongodbDatabase(), listener, clock, announces);
    }
    return new DynamoDbGenerations(
        dynamoDb.get(), settings.tablePrefix(), listener, clock, announces);
  }

  /** The number that is stored. */
  abstract OptionalInt number(String name);

  abstract void put(String name, int number);

  /** Stores a number unless there is one; gives the one that is there now. */
  abstract int putIfAbsent(String name, int number);

  abstract void remove(String name);

  /** The views of a generation, as the store has them. */
  abstract ViewStore views(int number, Tracking spending);

  /** What rows of a generation have published; empty if the generation is not there. */
  abstract Optional<OutboxRecords> outbox(int number);

  private int stored() {
    return number(SERVING).orElse(1);
  }

  @Override
  public final int serving() {
    Serving last = serving;
    Instant now = clock.instant();
    if (now.isBefore(last.until())) {
      return last.number();
    }
    int number = stored();
    serving = new Serving(number, now.plusSeconds(SWITCH_SECONDS));
    return number;
  }

  @Override
  public final ViewStore generation(int number) {
    return stores.computeIfAbsent(number, n -> announcing(n, false));
  }

  @Override
  public final ViewStore rebuilding(int number) {
    return announcing(number, true);
  }

  /**
   * Views whose rows publish, where they are to. An event that is older than what a sum remembers
   * passes without being counted, since it may have been counted before; a rebuild, which gets
   * every event for the first time, counts it.
   */
  private ViewStore announcing(int number, boolean rebuilding) {
    Tracking spending = Tracking.of(SpendingView.class);
    ViewStore views =
        views(number, rebuilding ? spending.rebuilding() : spending.acknowledgingBeyondHorizon());
    Announcements announcements = new Announcements(number);
    return announces
        ? views.withOrders(new AnnouncingOrders(views.orders(), announcements, !rebuilding))
        : views;
  }

  @Override
  public final void serve(int number) {
    put(SERVING, number);
    serving = new Serving(number, Instant.MIN);
  }

  @Override
  public final int beginRebuild() {
    int number = putIfAbsent(REBUILD, Math.max(stored(), number(NEWEST).orElse(1)) + 1);
    put(NEWEST, number);
    return number;
  }

  @Override
  public final void endRebuild() {
    remove(REBUILD);
  }

  @Override
  public final List<ViewStore> before(int number) {
    return IntStream.range(1, number)
        .map(i -> number - i)
        .filter(n -> outbox(n).isPresent())
        .mapToObj(this::generation)
        .toList();
  }

  @Override
  public final boolean announces() {
    return announces;
  }

  @Override
  public final List<OutboxRecords> outboxes() {
    return IntStream.rangeClosed(1, serving())
        .mapToObj(this::outbox)
        .flatMap(Optional::stream)
        .toList();
  }
}
