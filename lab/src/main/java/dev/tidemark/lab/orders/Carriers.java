package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.Listeners;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.springframework.context.support.GenericApplicationContext;

/** Makes the long-running carriers as their briefs say, the same way in every process. */
final class Carriers {
  private Carriers() {}

  /** A carrier into views; what is put around them meets every batch. */
  static Carrying open(
      Brief brief,
      OpenViews views,
      UnaryOperator<Function<List<Delivery>, BatchOutcome<?>>> around) {
    return switch (brief.get("carrier")) {
      case "kafka" -> kafka(brief, around.apply(new Views(views.store())));
      case "sqs", "fifo" -> sqs(brief, around.apply(new Views(views.store())));
      case "change-stream" -> changeStream(brief, around.apply(new Views(views.store())));
      default -> throw new IllegalArgumentException("no such carrier: " + brief.get("carrier"));
    };
  }

  private static Carrying kafka(Brief brief, Function<List<Delivery>, BatchOutcome<?>> handler) {
    Map<String, String> settings = new HashMap<>();
    settings.put("CARRIER", "kafka");
    settings.put("KAFKA_BOOTSTRAP_SERVERS", brief.get("bootstrap"));
    settings.put("KAFKA_GROUP", brief.get("group"));
    settings.put("KAFKA_TOPICS", brief.get("topics"));
    settings.put("KAFKA_DEAD_LETTER_TOPIC", brief.get("deadLetters"));
    settings.put("spring.kafka.consumer.max-poll-records", "" + brief.number("batch", 10));
    // So that rebalances do not take the day.
    settings.put("spring.kafka.consumer.heartbeat-interval", "100ms");
    String more = "spring.kafka.consumer.properties.";
    if (brief.has("member")) {
      settings.put(more + "group.instance.id", brief.get("member"));
    }
    if (brief.has("patienceMillis")) {
      settings.put(more + "max.poll.interval.ms", brief.get("patienceMillis"));
    }
    return listeners(Listeners.open(handler, settings));
  }

  private static Carrying sqs(Brief brief, Function<List<Delivery>, BatchOutcome<?>> handler) {
    Map<String, String> settings =
        Map.of(
            "CARRIER", "sqs",
            "QUEUE_URL", brief.get("queue"),
            "DEAD_LETTER_QUEUE_URL", brief.get("deadLetters"));
    Consumer<GenericApplicationContext> clients = Listeners.sqsAt(URI.create(brief.get("sqs")));
    return listeners(
        Listeners.open(
            handler,
            settings,
            brief.has("noHeartbeat") ? clients.andThen(Listeners::withoutHeartbeat) : clients));
  }

  private static Carrying listeners(Listeners listeners) {
    return new Carrying() {
      @Override
      public void start() {
        listeners.start();
      }

      @Override
      public void close() {
        listeners.close();
      }
    };
  }

  private static Carrying changeStream(
      Brief brief, Function<List<Delivery>, BatchOutcome<?>> handler) {
    return listeners(
        Listeners.open(
            handler,
            Map.of(
                "CARRIER", "change-stream",
                "EVENTS_MONGODB_URI", brief.get("events"),
                "EVENTS_DATABASE", brief.get("database"))));
  }
}
