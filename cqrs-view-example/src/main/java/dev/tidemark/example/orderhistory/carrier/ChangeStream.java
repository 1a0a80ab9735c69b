package dev.tidemark.example.orderhistory.carrier;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.example.orderhistory.ResumableViews;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Configuration;

/** Follows the change stream on a thread of its own, where {@code CARRIER} says so. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "CARRIER", havingValue = "change-stream")
class ChangeStream implements SmartLifecycle {
  private final MongoClient client;
  private final ChangeStreamCarrier carrier;
  private volatile @Nullable Thread thread;

  ChangeStream(
      ResumableViews views,
      @Value("${EVENTS_MONGODB_URI}") String uri,
      @Value("${EVENTS_DATABASE:orders}") String database,
      MeterRegistry registry,
      Clock clock) {
    client = MongoClients.create(uri);
    carrier = new ChangeStreamCarrier(client, database, views, clock);
    FunctionCounter.builder(Intakes.DEAD_LETTERS, carrier, Carrier::deadLetters).register(registry);
  }

  @Override
  public void start() {
    Thread running = new Thread(carrier, "change-stream");
    thread = running;
    running.start();
  }

  @Override
  public void stop() {
    carrier.stop();
    Thread running = thread;
    try {
      if (running != null) {
        running.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }

  @Override
  public boolean isRunning() {
    Thread running = thread;
    return running != null && running.isAlive();
  }
}
