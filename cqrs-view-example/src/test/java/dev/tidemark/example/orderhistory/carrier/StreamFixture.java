package dev.tidemark.example.orderhistory.carrier;

import static dev.tidemark.EntityKey.key;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.ResumableViews;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.LocalStore;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.bson.BsonDocument;
import org.bson.Document;

/** A collection of events, and carriers that read it; tells what they ask of the server. */
final class StreamFixture implements AutoCloseable {
  private static final AtomicInteger NEXT = new AtomicInteger();

  private final String database = "events" + NEXT.incrementAndGet();
  private final AtomicInteger reads = new AtomicInteger();
  private final List<String> resumed = new CopyOnWriteArrayList<>();
  private final AtomicReference<Runnable> afterFind = new AtomicReference<>(() -> {});
  private final List<Running> running = new ArrayList<>();
  private final MongoClient client =
      MongoClients.create(
          MongoClientSettings.builder()
              .applyConnectionString(new ConnectionString(LocalStore.mongo().uri()))
              .applicationName(database)
              .addCommandListener(
                  new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                      started(event.getCommand());
                    }

                    @Override
                    public void commandSucceeded(CommandSucceededEvent event) {
                      if (event.getCommandName().equals("find")) {
                        afterFind.getAndSet(() -> {}).run();
                      }
                    }
                  })
              .build());

  /** A carrier that runs. */
  record Running(ChangeStreamCarrier carrier, CompletableFuture<Void> end) {
    void stop() {
      carrier.stop();
      Await.until("the carrier has ended", end::isDone);
      end.join();
    }
  }

  private void started(BsonDocument command) {
    if (command.isString("find")
        && command.getString("find").getValue().equals(ChangeStreamCarrier.EVENTS)) {
      reads.incrementAndGet();
    }
    if (command.isString("aggregate")) {
      BsonDocument stage =
          command.getArray("pipeline").get(0).asDocument().getDocument("$changeStream");
      if (stage.containsKey("resumeAfter")) {
        resumed.add(stage.getDocument("resumeAfter").getString("_data").getValue());
      }
    }
  }

  /** Has something happen once, as soon as the server has answered the next find. */
  void afterNextFind(Runnable action) {
    afterFind.set(action);
  }

  /** How often the collection was read from its start. */
  int reads() {
    return reads.get();
  }

  /** The tokens from which streams were resumed. */
  List<String> resumed() {
    return resumed;
  }

  MongoCollection<Document> events() {
    return client.getDatabase(database).getCollection(ChangeStreamCarrier.EVENTS);
  }

  MongoCollection<Document> deadLetters() {
    return client.getDatabase(database).getCollection(ChangeStreamCarrier.DEAD_LETTERS);
  }

  void insert(List<? extends Event> events) {
    List<Document> documents = new ArrayList<>();
    for (Event event : events) {
      String json = new String(EventJson.encode(event), StandardCharsets.UTF_8);
      documents.add(new Document("_id", event.eventId()).append("event", json));
    }
    var unused = events().insertMany(documents);
  }

  /** Lets the server refuse the next aggregate of this fixture's client. */
  void failNextAggregate(int code) {
    Document data =
        new Document("failCommands", List.of("aggregate"))
            .append("errorCode", code)
            .append("appName", database);
    var unused =
        client
            .getDatabase("admin")
            .runCommand(
                new Document("configureFailPoint", "failCommand")
                    .append("mode", new Document("times", 1))
                    .append("data", data));
  }

  Running start(ResumableViews views, Clock clock) {
    ChangeStreamCarrier carrier = new ChangeStreamCarrier(client, database, views, clock);
    CompletableFuture<Void> end = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                carrier.run();
                end.complete(null);
              } catch (Throwable e) {
                end.completeExceptionally(e);
              }
            })
        .start();
    Running started = new Running(carrier, end);
    running.add(started);
    return started;
  }

  /** What carriers that run say of themselves, for a test that waits in vain. */
  private String state() {
    return running.stream()
        .map(started -> started.end() + ", held: " + started.carrier().held())
        .toList()
        .toString();
  }

  /** Returns once all events of those orders, of 7 each, are in their rows. */
  void awaitDelivered(Generations generations, int from, int to) {
    for (int i = from; i < to; i++) {
      String order = "order-" + i;
      try {
        Await.until(order + " is whole", () -> isWhole(generations, order));
      } catch (AssertionError e) {
        throw new AssertionError(state(), e);
      }
    }
  }

  private static boolean isWhole(Generations generations, String order) {
    return generations
        .current()
        .orders()
        .find(key(order))
        .filter(row -> row.timeline.size() == 6 && row.total == 1_950)
        .isPresent();
  }

  @Override
  public void close() {
    for (Running started : running) {
      started.carrier().stop();
      Await.until("a carrier has ended", started.end()::isDone);
    }
    client.close();
  }
}
