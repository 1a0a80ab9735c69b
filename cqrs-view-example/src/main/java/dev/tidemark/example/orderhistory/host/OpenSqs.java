package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.carrier.SqsCarrier;
import dev.tidemark.example.orderhistory.carrier.SqsOptions;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.function.Supplier;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Opens the SQS carrier with a client of its own, and meters of its queue. */
final class OpenSqs {
  private OpenSqs() {}

  /** Reads the settings now, and connects with each attempt. */
  static Supplier<OpenCarrier> with(
      Settings settings, BatchWatch watch, MeterRegistry registry, Clock clock) {
    String queue = settings.get(Setting.QUEUE_URL);
    String dead = settings.get(Setting.DEAD_LETTER_QUEUE_URL);
    return () -> {
      SqsClient sqs = SqsClient.create();
      QueueDepth depth = QueueDepth.of(sqs, queue, registry, clock);
      return new OpenCarrier(
          new SqsCarrier(sqs, queue, dead, watch, SqsOptions.DEFAULT),
          List::of, // a queue has no lanes that wait: its messages come again
          () -> {
            depth.close();
            sqs.close();
          });
    };
  }
}
