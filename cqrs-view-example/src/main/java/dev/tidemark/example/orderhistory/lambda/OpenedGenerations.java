package dev.tidemark.example.orderhistory.lambda;

import static dev.tidemark.EntityKey.key;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.example.orderhistory.store.StoredGenerations;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The generations of the views, for all invocations of a container. A client of DynamoDB, which
 * connects when it is used, is made by the constructor; MongoDB's driver connects as soon as there
 * is a client, so that is made with the first call. For any number of threads.
 *
 * <p>Before a snapshot is taken, DynamoDB is read once, so that the first event does not wait for
 * classes, credentials and TLS. It does not matter what comes of that.
 */
final class OpenedGenerations implements Supplier<Generations>, Resource {
  private static final Logger LOG = LoggerFactory.getLogger(OpenedGenerations.class);
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration READ = Duration.ofSeconds(5);

  private final Settings settings;
  private @Nullable Generations generations;

  OpenedGenerations(Settings settings) {
    this.settings = settings;
    if (settings.store().equals("dynamodb")) {
      var unused = get();
      Core.getGlobalContext().register(this);
    }
  }

  @Override
  public void beforeCheckpoint(Context<? extends Resource> context) {
    try {
      var unused = get().generation(1).orders().find(key("no order"));
    } catch (SdkException e) { // as where the function has no right to
      LOG.info("not primed: {}", e.getClass().getSimpleName());
    }
  }

  @Override
  public void afterRestore(Context<? extends Resource> context) {}

  /** The JDK's own client: small, and quick to start. Its connections are kept alive. */
  static UrlConnectionHttpClient.Builder http() {
    return UrlConnectionHttpClient.builder().connectionTimeout(CONNECT).socketTimeout(READ);
  }

  @Override
  public synchronized Generations get() {
    if (generations == null) {
      generations =
          StoredGenerations.open(
              settings,
              null,
              Clock.systemUTC(),
              () -> DynamoDbClient.builder().httpClientBuilder(http()).build());
    }
    return generations;
  }
}
