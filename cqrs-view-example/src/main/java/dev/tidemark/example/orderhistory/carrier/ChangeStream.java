package dev.tidemark.example.orderhistory.carrier;

import static java.util.concurrent.Executors.newSingleThreadScheduledExecutor;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.mongodb.ChangeStreamIntake;
import dev.tidemark.mongodb.ChangeStreamIntakeBuilder;
import dev.tidemark.mongodb.MongoDeadLetters;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Brings events from a MongoDB collection to the views, by its change stream, where {@code CARRIER}
 * is {@code change-stream}. A producer inserts {@code {_id: event id, event: the event as JSON}}
 * into {@value #EVENTS}. Poison goes into {@value #DEAD_LETTERS}. A stream that ends by itself is
 * begun anew after a pause.
 */
@Configuration(value = "carrier", proxyBeanMethods = false)
@ConditionalOnProperty(name = "CARRIER", havingValue = "change-stream")
@Import(Intakes.class)
public class ChangeStream implements SmartLifecycle, HealthIndicator {
  /** The collection of events. */
  public static final String EVENTS = "events";

  /** The collection of dead letters. */
  public static final String DEAD_LETTERS = "dead-letters";

  /** The collection that says how far deployments have read. */
  public static final String PLACES = "places";

  private static final Logger LOG = LoggerFactory.getLogger(ChangeStream.class);
  private static final long PAUSE_SECONDS = 10;

  private final MongoClient client;
  private final ChangeStreamIntakeBuilder streams;
  private final Intakes intakes;
  private final ScheduledExecutorService thread =
      newSingleThreadScheduledExecutor(task -> new Thread(task, "change-stream"));
  private volatile @Nullable ChangeStreamIntake stream;
  private volatile boolean started;

  ChangeStream(
      Settings settings, Function<List<Delivery>, BatchOutcome<?>> handler, Intakes intakes) {
    this.client = MongoClients.create(settings.eventsMongodbUri());
    this.intakes = intakes;
    MongoDatabase events = client.getDatabase(settings.eventsDatabase());
    String reader = settings.eventsReader();
    var intake =
        ChangeStreamIntake.builder(
                it -> EventJson.decode(it.document().getString("event").getValue()).delivery(),
                handler)
            .deadLetters(MongoDeadLetters.of(events.getCollection(DEAD_LETTERS), reader));
    this.streams =
        ChangeStreamIntake.stream(
            client,
            events.getCollection(EVENTS),
            intakes.set(intake).build(),
            events.getCollection(PLACES),
            reader);
  }

  /** Up while the stream is followed, and not about to be begun anew. */
  @Override
  public Health health() {
    ChangeStreamIntake now = stream;
    List<String> waiting =
        Optional.ofNullable(now).flatMap(ChangeStreamIntake::held).stream()
            .map(held -> "%d changes: %s".formatted(held.count(), held.reason()))
            .toList();
    return (now == null ? Health.down() : Health.up()).withDetail("waiting", waiting).build();
  }

  private void follow() {
    ChangeStreamIntake next = streams.build();
    stream = next;
    try {
      if (!thread.isShutdown()) { // else stop() may have come before there was a stream
        next.run();
      }
    } catch (RuntimeException e) {
      intakes.restarted();
      boolean isPlain = e instanceof IllegalStateException; // other texts may quote values
      String fault = isPlain ? String.valueOf(e.getMessage()) : e.getClass().getSimpleName();
      LOG.error("the change stream ended by itself, and begins anew after a pause: {}", fault);
    } finally {
      stream = null;
    }
  }

  @Override
  public void start() {
    started = true;
    var unused = thread.scheduleWithFixedDelay(this::follow, 0, PAUSE_SECONDS, SECONDS);
  }

  @Override
  public void stop() {
    thread.shutdown();
    Optional.ofNullable(stream).ifPresent(ChangeStreamIntake::stop);
    try {
      boolean unused = thread.awaitTermination(1, DAYS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }

  @Override
  public boolean isRunning() {
    return started && !thread.isTerminated();
  }
}
