package dev.tidemark.example.orderhistory.lambda;

import dev.tidemark.example.orderhistory.carrier.DeadLetterQueue;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * What a container of a function has for all its invocations: clients and views.
 *
 * <p>A snapshot of it may be taken right after the constructor and restored many times, much later.
 * So the constructor makes the AWS clients, which is most of a cold start, and nothing that could
 * be stale in a copy: they connect, and look for credentials, when they are used; which generation
 * serves is asked with the first batch; no time and no random number is kept. MongoDB's driver
 * connects as soon as there is a client, so that is made with the first batch.
 */
final class Container implements Function<List<Delivery>, BatchOutcome<?>> {
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration READ = Duration.ofSeconds(5);

  private final Settings settings;
  private final DeadLetterQueue deadLetters;
  private @Nullable Function<List<Delivery>, BatchOutcome<?>> views;

  Container(Settings settings) {
    this.settings = settings;
    String deadLetterUrl = settings.get(Setting.DEAD_LETTER_QUEUE_URL);
    if (settings.get(Setting.STORE, "dynamodb").equals("mongodb")) {
      var unused = settings.get(Setting.MONGODB_URI); // if it is missing, fails here
    } else {
      this.views = open();
    }
    this.deadLetters =
        new DeadLetterQueue(SqsClient.builder().httpClientBuilder(http()).build(), deadLetterUrl);
  }

  static Container ofEnvironment() {
    return new Container(new Settings(System.getenv()));
  }

  /** The JDK's own client: small, and quick to start. Its connections are kept alive. */
  private static UrlConnectionHttpClient.Builder http() {
    return UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(READ);
  }

  private Function<List<Delivery>, BatchOutcome<?>> open() {
    return settings.handler(
        settings.open(
            null,
            Clock.systemUTC(),
            () -> DynamoDbClient.builder().httpClientBuilder(http()).build()));
  }

  Settings settings() {
    return settings;
  }

  DeadLetterQueue deadLetters() {
    return deadLetters;
  }

  @Override
  public BatchOutcome<?> apply(List<Delivery> deliveries) {
    return views().apply(deliveries);
  }

  private synchronized Function<List<Delivery>, BatchOutcome<?>> views() {
    if (views == null) {
      views = open();
    }
    return views;
  }
}
