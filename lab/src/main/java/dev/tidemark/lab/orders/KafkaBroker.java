package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;

/** A Kafka broker in this process. */
final class KafkaBroker implements Broker {
  private final EmbeddedKafka kafka;

  KafkaBroker(Path folder) {
    kafka = new EmbeddedKafka(folder);
  }

  @Override
  public Feed feed(String carrier, String name, Duration patience) {
    return new KafkaFeed(kafka.bootstrapServers(), name);
  }

  @Override
  public void restart() {
    kafka.stop();
    kafka.start();
  }

  @Override
  public void close() {
    kafka.close();
  }
}
