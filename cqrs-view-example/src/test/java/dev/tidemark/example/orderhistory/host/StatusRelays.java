package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.store.MongoGenerations;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.Sender;
import dev.tidemark.spring.RelayCustomizer;
import dev.tidemark.spring.TidemarkOutboxAutoConfiguration;
import java.time.Duration;
import java.util.Map;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** The relays of statuses as the service has them, between views and a sender of a test's. */
public final class StatusRelays implements AutoCloseable {
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();

  /**
   * Starts them.
   *
   * @param interval between looks
   * @param streams of DynamoDB
   */
  public StatusRelays(
      Generations generations,
      Sender sender,
      RelayListener listener,
      Duration interval,
      DynamoDbStreamsClient streams) {
    String store = generations instanceof MongoGenerations ? "mongodb" : "dynamodb";
    Map<String, Object> properties =
        Map.of("RELAY_TO", "a test", "STORE", store, "tidemark.outbox.streams", true);
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", properties));
    RelayCustomizer looks = (records, relay) -> relay.interval(interval);
    bean(Generations.class, generations);
    bean(Sender.class, sender);
    bean(RelayListener.class, listener);
    bean(RelayCustomizer.class, looks);
    bean(DynamoDbStreamsClient.class, streams);
    context.register(RelaySetup.class, TidemarkOutboxAutoConfiguration.class);
    context.refresh();
  }

  /** Stays the test's to close. */
  private <T> void bean(Class<T> type, T object) {
    context.registerBean(type, () -> object, bean -> bean.setDestroyMethodName(""));
  }

  @Override
  public void close() {
    context.close();
  }
}
