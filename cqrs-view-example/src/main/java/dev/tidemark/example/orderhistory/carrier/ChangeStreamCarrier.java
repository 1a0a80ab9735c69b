package dev.tidemark.example.orderhistory.carrier;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.example.orderhistory.ResumableViews;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Brings events from a MongoDB collection to the views, by its change stream. A producer inserts
 * {@code {_id: event id, event: the event as JSON}} into {@value #EVENTS}, with majority; updates
 * and deletes of such documents are nothing to the views.
 *
 * <p>The stream is opened before the collection is read for the first time, and followed after, so
 * that nothing between is lost. A restart goes on from the token that the views remember. Where the
 * oplog does not reach back that far, the collection is read again, which the log says; the views
 * know what they had. So the oplog has to reach back further than reading all takes.
 *
 * <p>An event that is not done is held and tried again before what comes after it, and the token
 * stays before it. Poison goes into {@value #DEAD_LETTERS} with the reason.
 *
 * <p>Ends by {@link #stop}, or by a fault that another attempt would not mend. {@link #run} is for
 * one thread, the other methods for any.
 */
public final class ChangeStreamCarrier implements Carrier {
  /** The collection of events. */
  public static final String EVENTS = "events";

  /** The collection of dead letters: {@code {_id, reason, at, document}}. */
  public static final String DEAD_LETTERS = "dead-letters";

  private static final Logger LOG = LoggerFactory.getLogger(ChangeStreamCarrier.class);
  private static final int BATCH = 500;
  private static final Duration MOMENT = Duration.ofMillis(100);

  private final MongoClient client;
  private final MongoCollection<Document> events;
  private final StreamBatches batches;
  private final Stop stop = new Stop();
  private boolean lost;
  private int faults;

  /**
   * A carrier of one collection.
   *
   * @param client of a replica set or sharded cluster; the caller's to close
   * @param database which has the collections {@value #EVENTS} and {@value #DEAD_LETTERS}
   * @param views where the events go
   * @param clock times the pauses
   */
  public ChangeStreamCarrier(
      MongoClient client, String database, ResumableViews views, Clock clock) {
    MongoDatabase collections = client.getDatabase(database);
    this.client = client;
    this.events = collections.getCollection(EVENTS);
    this.batches =
        new StreamBatches(
            views, new DeadLetterCollection(collections.getCollection(DEAD_LETTERS), clock), clock);
  }

  @Override
  public void run() {
    while (!stop.isAsked()) {
      try {
        follow();
        batches.remember();
      } catch (MongoException | SdkException e) {
        EventStream.throwIfFatal(e);
        lost |= EventStream.isLost(e);
        tryAgain(e);
      }
    }
  }

  @Override
  public void stop() {
    stop.ask();
  }

  /** {@return what waits because it is not done, and why; empty if all is well} */
  public Optional<HeldEvents> held() {
    return batches.held();
  }

  @Override
  public long deadLetters() {
    return batches.deadLetters();
  }

  private void follow() {
    Optional<String> token = batches.restart().filter(stored -> !lost);
    try (EventStream stream = new EventStream(client, events, token.orElse(null))) {
      if (token.isEmpty() && !readAll(stream)) {
        return;
      }
      do {
        List<StreamedEvent> fresh = stream.read(BATCH);
        if (fresh.isEmpty() && !batches.isDue()) {
          batches.idle(stream.token());
        } else {
          handle(fresh, stream.token());
        }
        faults = 0;
      } while (!stop.isAsked());
    }
  }

  /** Tells whether it was not stopped before the end. */
  private boolean readAll(EventStream stream) {
    LOG.info("reading all events");
    try (MongoCursor<Document> all = stream.all()) {
      while (all.hasNext()) {
        if (stop.isAsked()) {
          return false;
        }
        handle(EventStream.next(all, BATCH), null);
      }
    }
    lost = false;
    return true;
  }

  private void handle(List<StreamedEvent> fresh, @Nullable String end) {
    batches.handle(fresh, end);
    while (batches.isFull() && !stop.isAsked()) {
      stop.waitFor(MOMENT);
      if (batches.isDue()) {
        batches.handle(List.of(), end);
      }
    }
  }

  private void tryAgain(RuntimeException fault) {
    faults++;
    String what = lost ? "it cannot go on behind its token, so all is read again" : "retry";
    LOG.warn("change stream: {}: {}", Poison.reason(fault), what);
    stop.waitFor(Backoff.after(faults));
  }
}
