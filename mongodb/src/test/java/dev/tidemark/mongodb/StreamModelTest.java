package dev.tidemark.mongodb;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.OperationType;
import dev.tidemark.tck.CarrierWorld;
import dev.tidemark.tck.CarrierWorld.Mail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A change stream in its outlines: one log, whose places are numbers, read a bit at a time by a
 * process that crashes now and then, and goes on from the place that was kept. Nothing is asked of
 * a server.
 */
@DisplayName("The progress of a change stream in a wild world")
final class StreamModelTest {
  private static final int RUNS = 60;
  private static final int WILD = 150;
  private static final int CALM = 3_000;
  private static final int MOST_HELD = 20;

  private static MongoClient client = MongoClients.create("mongodb://127.0.0.1:1");

  @BeforeAll
  static void open() {
    client = MongoClients.create("mongodb://127.0.0.1:1"); // where nothing answers
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private static final class Run {
    private final CarrierWorld world;
    private final MongoCollection<Document> events =
        client.getDatabase("model").getCollection("events");
    private final ChangeStreamIntakeBuilder settings;
    private StreamProgress progress;
    private long nanos;
    private @Nullable BsonDocument kept;

    Run(long seed) {
      world = new CarrierWorld(seed, 1, false); // what is not decoded is overtaken
      settings =
          ChangeStreamIntake.stream(
                  client,
                  events,
                  ChangeStreamIntake.builder(change -> world.decode(text(change)), world::handle)
                      .deadLetters((change, reason) -> world.keep(text(change)))
                      .parkAfter(2)
                      .listener(taken -> {})
                      .build(),
                  client.getDatabase("model").getCollection("places"),
                  "model")
              .holdingAtMost(MOST_HELD)
              .time(java.time.Clock.systemUTC(), () -> nanos);
      progress = new StreamProgress(settings);
    }

    private static String text(StreamedChange change) {
      return change.document().getString("text").getValue();
    }

    private static BsonDocument place(long read) {
      return new BsonDocument("_data", new BsonString("" + read));
    }

    private static long read(@Nullable BsonDocument place) {
      return place == null ? 0 : Long.parseLong(place.getString("_data").getValue());
    }

    void live() {
      for (int i = 0; i < WILD; i++) {
        if (world.happens(2)) {
          world.send(world.random().nextInt(8));
        }
        if (world.happens(20)) {
          progress = new StreamProgress(settings); // another process
          progress.restart(kept);
        }
        step();
      }
      world.calm();
      for (int i = 0; i < CALM && !world.isOver(); i++) {
        step();
      }
      world.judge();
    }

    private void step() {
      nanos += Duration.ofMillis(world.random().nextInt(4_000)).toNanos();
      if (progress.room() > 0) {
        long from = read(progress.readUpTo());
        List<Mail> log = world.log(world.lanes().get(0));
        int to = (int) Math.min(log.size(), from + world.random().nextInt(5));
        List<StreamedChange> read = new ArrayList<>();
        log.subList((int) from, to).forEach(mail -> read.add(change(mail)));
        progress.add(read, place(to), place(to));
      }
      if (progress.untilDue().isZero()) {
        progress.handle();
      }
      BsonDocument place = progress.doneUpTo();
      if (place != null && world.random().nextBoolean()) {
        world.committed(world.lanes().get(0), read(place));
        kept = place;
      }
    }

    private StreamedChange change(Mail mail) {
      RawBsonDocument document =
          RawBsonDocument.parse(
              new Document("_id", mail.text()).append("text", mail.text()).toJson());
      ChangeStreamDocument<RawBsonDocument> event =
          new ChangeStreamDocument<>(
              OperationType.INSERT.getValue(),
              place(mail.offset() + 1),
              null,
              null,
              null,
              document,
              null,
              new BsonDocument("_id", new BsonString(mail.text())),
              null,
              null,
              null,
              null,
              null,
              null,
              null);
      return StreamedChange.of(
          "model.events", events.getCodecRegistry(), event, place(mail.offset()));
    }
  }

  @Test
  @DisplayName("keeps no place behind what is not done, and does all of it in the end")
  void stream() {
    for (long seed = 0; seed < RUNS; seed++) {
      try {
        new Run(seed).live();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
