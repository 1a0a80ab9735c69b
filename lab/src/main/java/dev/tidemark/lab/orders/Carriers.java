package dev.tidemark.lab.orders;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.example.orderhistory.ResumableViews;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.carrier.ChangeStreamCarrier;
import dev.tidemark.example.orderhistory.carrier.KafkaCarrier;
import dev.tidemark.example.orderhistory.carrier.SqsCarrier;
import dev.tidemark.example.orderhistory.carrier.SqsOptions;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;

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
      case "change-stream" -> changeStream(brief, views.resumable(), around);
      default -> throw new IllegalArgumentException("no such carrier: " + brief.get("carrier"));
    };
  }

  private static Carrying kafka(Brief brief, Function<List<Delivery>, BatchOutcome<?>> handler) {
    String bootstrap = brief.get("bootstrap");
    Map<String, Object> settings =
        new HashMap<>(KafkaCarrier.settings(bootstrap, brief.get("group")));
    settings.put("max.poll.records", brief.number("batch", 10));
    settings.put("heartbeat.interval.ms", 100); // so that rebalances do not take the day
    if (brief.has("member")) {
      settings.put("group.instance.id", brief.get("member"));
    }
    if (brief.has("patienceMillis")) {
      settings.put("max.poll.interval.ms", brief.number("patienceMillis"));
    }
    KafkaCarrier carrier =
        new KafkaCarrier(
            new KafkaConsumer<>(settings),
            List.of(brief.get("topics").split(",")),
            new KafkaProducer<>(KafkaCarrier.deadLetterSettings(bootstrap)),
            brief.get("deadLetters"),
            handler,
            Clock.systemUTC());
    return new Carrying(carrier, () -> {}); // it closes what it was given
  }

  private static Carrying sqs(Brief brief, Function<List<Delivery>, BatchOutcome<?>> handler) {
    SqsClient client = LocalSqs.client(URI.create(brief.get("sqs")));
    SqsOptions options = new SqsOptions(Duration.ofSeconds(1), null, !brief.has("noHeartbeat"));
    SqsCarrier carrier =
        new SqsCarrier(client, brief.get("queue"), brief.get("deadLetters"), handler, options);
    return new Carrying(carrier, client::close);
  }

  private static Carrying changeStream(
      Brief brief,
      ResumableViews views,
      UnaryOperator<Function<List<Delivery>, BatchOutcome<?>>> around) {
    MongoClient client = MongoClients.create(brief.get("events"));
    ResumableViews handler =
        new ResumableViews() {
          @Override
          public Optional<String> resumeToken() {
            return views.resumeToken();
          }

          @Override
          public BatchOutcome<?> apply(List<Delivery> deliveries, @Nullable String token) {
            return deliveries.isEmpty()
                ? views.apply(deliveries, token)
                : around.apply(batch -> views.apply(batch, token)).apply(deliveries);
          }
        };
    ChangeStreamCarrier carrier =
        new ChangeStreamCarrier(client, brief.get("database"), handler, Clock.systemUTC());
    return new Carrying(carrier, client::close);
  }
}
