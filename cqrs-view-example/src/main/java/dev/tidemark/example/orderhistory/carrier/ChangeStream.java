package dev.tidemark.example.orderhistory.carrier;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.mongodb.ChangeStreamIntake;
import dev.tidemark.mongodb.ChangeStreamIntakeBuilder;
import dev.tidemark.mongodb.HeldChanges;
import dev.tidemark.mongodb.MongoDeadLetters;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Brings events from a MongoDB collection to the views, by its change stream, where {@code CARRIER}
 * is {@code change-stream}. A producer inserts {@code {_id: event id, event: the event as JSON}}
 * into {@value #EVENTS}. Poison goes into {@value #DEAD_LETTERS}. A stream that ends by itself is
 * begun anew after a pause.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "CARRIER", havingValue = "change-stream")
@Import(Intakes.class)
public class ChangeStream implements SmartLifecycle {
  /** The collection of events. */
  public static final String EVENTS = "events";

  /** The collection of dead letters. */
  public static final String DEAD_LETTERS = "dead-letters";

  /** The collection that says how far deployments have read. */
  public static final String PLACES = "places";

  private static final Logger LOG = LoggerFactory.getLogger(ChangeStream.class);
  private static final long PAUSE_SECONDS = 10;

  private final MongoClient client;
  private final ChangeStreamIntakeBuilder settings;
  private final Intakes intakes;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread = new Thread(this::follow, "change-stream");
  private volatile @Nullable ChangeStreamIntake stream;

  ChangeStream(
      Function<List<Delivery>, BatchOutcome<?>> handler,
      @Value("${EVENTS_MONGODB_URI}") String uri,
      @Value("${EVENTS_DATABASE:orders}") String database,
      @Value("${EVENTS_READER:order-history}") String name,
      Intakes intakes) {
    this.client = MongoClients.create(uri);
    this.intakes = intakes;
    MongoDatabase events = client.getDatabase(database);
    var intake =
        ChangeStreamIntake.builder(
                change ->
                    EventJson.decode(change.document().getString("event").getValue()).delivery(),
                handler)
            .deadLetters(MongoDeadLetters.of(events.getCollection(DEAD_LETTERS)));
    this.settings =
        ChangeStreamIntake.stream(
            client,
            events.getCollection(EVENTS),
            intakes.set(intake).build(),
            events.getCollection(PLACES),
            name);
  }

  /** What waits, because it is not done. */
  Optional<HeldChanges> held() {
    return Optional.ofNullable(stream).flatMap(ChangeStreamIntake::held);
  }

  /** Whether the stream is followed, and not about to be begun anew. */
  boolean isFollowed() {
    return isRunning() && stream != null;
  }

  private void follow() {
    while (stopped.getCount() > 0) {
      ChangeStreamIntake next = settings.build();
      stream = next;
      if (stopped.getCount() > 0) { // else stop() may have come before there was a stream
        run(next);
      }
    }
  }

  private void run(ChangeStreamIntake next) {
    try {
      next.run();
    } catch (RuntimeException e) {
      stream = null;
      intakes.restarted();
      boolean isPlain = e instanceof IllegalStateException; // other texts may quote values
      String fault = isPlain ? String.valueOf(e.getMessage()) : e.getClass().getSimpleName();
      LOG.error("the change stream ended by itself, and begins anew after a pause: {}", fault);
      pause();
    }
  }

  private void pause() {
    try {
      boolean unused = stopped.await(PAUSE_SECONDS, SECONDS);
    } catch (InterruptedException e) {
      stopped.countDown(); // nobody else interrupts this thread
    }
  }

  @Override
  public void start() {
    thread.start();
  }

  @Override
  public void stop() {
    stopped.countDown();
    ChangeStreamIntake running = stream;
    if (running != null) {
      running.stop();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }

  @Override
  public boolean isRunning() {
    return thread.isAlive();
  }
}
