package dev.tidemark.example.orderhistory.lambda;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The generations of the views, for all invocations of a container. A client of DynamoDB, which
 * connects when it is used, is made by the constructor; MongoDB's driver connects as soon as there
 * is a client, so that is made with the first call. For any number of threads.
 */
final class OpenedGenerations implements Supplier<Generations> {
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration READ = Duration.ofSeconds(5);

  private final Settings settings;
  private @Nullable Generations generations;

  OpenedGenerations(Settings settings) {
    this.settings = settings;
    if (settings.get(Setting.STORE, "dynamodb").equals("mongodb")) {
      var unused = settings.get(Setting.MONGODB_URI); // if it is missing, fails here
    } else {
      this.generations = open();
    }
  }

  /** The JDK's own client: small, and quick to start. Its connections are kept alive. */
  static UrlConnectionHttpClient.Builder http() {
    return UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(READ);
  }

  private Generations open() {
    return settings.open(
        null, Clock.systemUTC(), () -> DynamoDbClient.builder().httpClientBuilder(http()).build());
  }

  @Override
  public synchronized Generations get() {
    if (generations == null) {
      generations = open();
    }
    return generations;
  }
}
